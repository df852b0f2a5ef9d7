package net.sluice.emulator.server.p4runtime.request;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.util.ArrayList;
import java.util.List;
import net.sluice.emulator.server.p4runtime.Controller;
import net.sluice.emulator.server.p4runtime.P4Text;
import net.sluice.emulator.server.p4runtime.ServedTest;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import p4.v1.P4RuntimeOuterClass.Entity;
import p4.v1.P4RuntimeOuterClass.Update;
import p4.v1.P4RuntimeOuterClass.Update.Type;
import p4.v1.P4RuntimeOuterClass.WriteRequest.Atomicity;

/** Batches that are applied as a whole or not at all. */
class AtomicityTest extends ServedTest {

  private static final String HOST =
      "table_entry { table_id: $In.exact_table match { field_id: 1 exact { value: '\\x%s' } }"
          + " match { field_id: 2 exact { value: '\\x01' } } %s }";
  private static final String ANSWER =
      "action { action { action_id: $In.answer params { param_id: 1 value: '\\x%s' } } }"
          + " metadata: 'note %s' counter_data { packet_count: 3 byte_count: 4 }";
  private static final String MASK = "match { field_id: 3 exact { value: '\\x01' } } priority: %s ";

  private final P4Text text = new P4Text(P4Text.config("entities").getP4Info());

  AtomicityTest() {
    super(P4Text.config("entities"), 1);
  }

  @BeforeEach
  void start() throws Exception {
    controller.write(
        insert("10", "01"),
        insert("11", "02"),
        text.update(Type.INSERT, masked(5, "meter_config { cir: 1 cburst: 2 pir: 3 pburst: 4 }")),
        text.update(
            Type.INSERT,
            "table_entry { table_id: $In.prefixes match { field_id: 2 exact { value: '\\x01' } }"
                + " action { action { action_id: $In.drop } } idle_timeout_ns: 77000000000 }"),
        text.update(
            Type.MODIFY,
            "meter_entry { meter_id: $In.rates index { index: 1 } config { cir: 5 pir: 6 } }"));
  }

  private Update insert(String key, String value) {
    return text.update(Type.INSERT, HOST.formatted(key, ANSWER.formatted(value, value)));
  }

  private static String masked(int priority, String rest) {
    return "table_entry { table_id: $In.masks %saction { action { action_id: $NoAction } } %s}"
        .formatted(MASK.formatted(priority), rest);
  }

  /** A batch that changes something of every kind, with one update in it that is refused. */
  private List<Update> batch() {
    List<Update> batch = new ArrayList<>();
    batch.add(insert("12", "03"));
    batch.add(text.update(Type.MODIFY, HOST.formatted("10", ANSWER.formatted("09", "09"))));
    batch.add(text.update(Type.DELETE, HOST.formatted("11", "")));
    batch.add(insert("11", "04"));
    batch.add(insert("13", "05"));
    batch.add(text.update(Type.DELETE, HOST.formatted("10", "")));
    batch.add(text.update(Type.MODIFY, masked(5, "")));
    batch.add(text.update(Type.DELETE, masked(5, "")));
    batch.add(text.update(Type.INSERT, masked(6, "")));
    batch.add(
        text.update(
            Type.MODIFY,
            "table_entry { table_id: $In.prefixes match { field_id: 2 exact { value: '\\x01' } }"
                + " idle_timeout_ns: 5 }"));
    batch.add(
        text.update(
            Type.DELETE,
            "table_entry { table_id: $In.prefixes match { field_id: 2 exact { value: '\\x01' } }"
                + " }"));
    batch.add(
        text.update(
            Type.MODIFY,
            "table_entry { table_id: $In.options is_default_action: true action { action {"
                + " action_id: $NoAction } } }"));
    batch.add(
        text.update(
            Type.MODIFY, "counter_entry { counter_id: $In.hits data { packet_count: 8 } }"));
    batch.add(text.update(Type.MODIFY, "meter_entry { meter_id: $In.rates config { } }"));
    batch.add(
        text.update(
            Type.MODIFY, "register_entry { register_id: $In.broad data { bitstring: '\\x33' } }"));
    batch.add(
        text.update(
            Type.MODIFY,
            "register_entry { register_id: $In.narrow index { index: 1 } data { bitstring: '\\x33'"
                + " } }"));
    batch.add(
        text.update(
            Type.MODIFY,
            "value_set_entry { value_set_id: $P.known members { match { field_id: 1 exact { value:"
                + " '\\x33' } } } }"));
    batch.add(
        text.update(
            Type.MODIFY,
            "direct_counter_entry { table_entry { table_id: $In.constant priority: 1 }"
                + " data { packet_count: 8 } }"));
    batch.add(insert("12", "03"));
    batch.add(insert("14", "06"));
    return batch;
  }

  private List<Entity> everything() {
    return controller.read(
        text.entity("table_entry { counter_data {} meter_config {} }"),
        text.entity("table_entry { table_id: $In.options is_default_action: true }"),
        text.entity("counter_entry { }"),
        text.entity("meter_entry { }"),
        text.entity("direct_meter_entry { table_entry { } }"),
        text.entity("register_entry { }"),
        text.entity("value_set_entry { }"));
  }

  @ParameterizedTest
  @EnumSource(names = {"ROLLBACK_ON_ERROR", "DATAPLANE_ATOMIC"})
  void aRefusedUpdateTakesTheWholeBatchBack(Atomicity atomicity) {
    List<Entity> before = everything();
    StatusRuntimeException refusal =
        catchThrowableOfType(
            StatusRuntimeException.class,
            () ->
                controller.stub.write(
                    controller
                        .writeRequest(batch().toArray(Update[]::new))
                        .setAtomicity(atomicity)
                        .build()));
    assertThat(refusal.getStatus().getCode()).isEqualTo(Status.Code.UNKNOWN);
    List<String> details =
        Controller.details(refusal).stream().map(Controller::text).distinct().toList();
    assertThat(details)
        .containsExactly(
            "ABORTED taken back: update 19 of the batch was refused",
            "ALREADY_EXISTS table 'In.exact_table' already has this entry",
            "ABORTED not tried: update 19 of the batch was refused");
    assertThat(Controller.details(refusal)).hasSize(20);
    assertThat(everything()).containsExactlyElementsOf(before);
  }

  @ParameterizedTest
  @EnumSource(names = {"ROLLBACK_ON_ERROR", "DATAPLANE_ATOMIC"})
  void aGoodBatchIsAppliedCompletely(Atomicity atomicity) throws Exception {
    List<Update> good = batch();
    good.remove(18);
    controller.stub.write(
        controller.writeRequest(good.toArray(Update[]::new)).setAtomicity(atomicity).build());
    List<Entity> atOnce = everything();
    stopServing();
    serve();
    start();
    controller.write(good.toArray(Update[]::new));
    assertThat(everything()).containsExactlyElementsOf(atOnce);
  }

  @Test
  void withoutAtomicityTheRestOfTheBatchStays() {
    StatusRuntimeException refusal =
        catchThrowableOfType(
            StatusRuntimeException.class, () -> controller.write(batch().toArray(Update[]::new)));
    assertThat(Controller.details(refusal).stream().map(Controller::text).distinct())
        .containsExactly("OK", "ALREADY_EXISTS table 'In.exact_table' already has this entry");
    assertThat(controller.read(text.entity("table_entry { table_id: $In.exact_table }")))
        .hasSize(4);
  }
}
