package net.sluice.emulator.server.p4runtime.request;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.protobuf.ByteString;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Message;
import com.google.rpc.Code;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import net.sluice.emulator.server.p4runtime.fuzz.WriteFuzz;
import net.sluice.emulator.server.p4runtime.status.RpcException;
import net.sluice.emulator.server.p4runtime.variant.ServerVariant;
import net.sluice.emulator.v1model.V1modelSwitch;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import p4.config.v1.P4InfoOuterClass.P4Info;
import p4.v1.P4RuntimeOuterClass.ForwardingPipelineConfig;

/**
 * Programs and P4Infos with something changed in them: what the switch cannot run it refuses with
 * INVALID_ARGUMENT and a reason, whatever it is. {@code -Dsluice.fuzz.configs} says how many,
 * {@code -Dsluice.fuzz.seed} which ones.
 */
class ConfigFuzzTest {

  private static final int CONFIGS = Integer.getInteger("sluice.fuzz.configs", 60);
  private static final long SEED = Long.getLong("sluice.fuzz.seed", 1);
  private static final ObjectMapper JSON = new ObjectMapper();

  private final Random random = new Random(SEED);

  @ParameterizedTest
  @ValueSource(strings = {"entities", "profiles", "copies", "cpu", "names"})
  void whatCannotBeRunIsRefusedWithAReason(String program) throws Exception {
    ForwardingPipelineConfig config = WriteFuzz.config(program);
    PipelineConfigs configs =
        new PipelineConfigs(new V1modelSwitch(1, 1), ServerVariant.specified());
    int refused = 0;
    for (int i = 0; i < CONFIGS; i++) {
      ForwardingPipelineConfig.Builder changed = config.toBuilder();
      if (i % 2 == 0) {
        JsonNode json = JSON.readTree(config.getP4DeviceConfig().toByteArray());
        for (int n = random.nextInt(2); n >= 0; n--) {
          change(json);
        }
        changed.setP4DeviceConfig(ByteString.copyFrom(JSON.writeValueAsBytes(json)));
      } else {
        Message info = config.getP4Info();
        for (int n = random.nextInt(2); n >= 0; n--) {
          info = change(info);
        }
        changed.setP4Info((P4Info) info);
      }
      try {
        configs.verify(changed.build());
      } catch (RpcException e) {
        refused++;
        assertThat(e.code()).isEqualTo(Code.INVALID_ARGUMENT);
        assertThat(e.getMessage()).hasSizeGreaterThan(15);
      } catch (RuntimeException e) {
        throw new AssertionError(
            "config " + i + ": " + (i % 2 == 0 ? last : changed.getP4Info()), e);
      }
    }
    assertThat(refused).isPositive();
  }

  private String last = "";

  /** Changes one thing, anywhere in a document. */
  private void change(JsonNode node) {
    List<JsonNode> inside = new ArrayList<>();
    node.forEach(
        child -> {
          if (child.size() > 0) {
            inside.add(child);
          }
        });
    if (!inside.isEmpty() && random.nextInt(6) > 0) {
      change(inside.get(random.nextInt(inside.size())));
      return;
    }
    if (node instanceof ObjectNode object) {
      List<String> names = new ArrayList<>();
      object.fieldNames().forEachRemaining(names::add);
      if (names.isEmpty()) {
        return;
      }
      String name = names.get(random.nextInt(names.size()));
      JsonNode was = object.get(name);
      if (random.nextInt(3) == 0) {
        object.remove(name);
      } else {
        object.set(name, other(was));
      }
      last = name + ": " + was + " -> " + object.get(name) + " in " + object;
    } else if (node instanceof ArrayNode array && node.size() > 0) {
      int at = random.nextInt(array.size());
      JsonNode was = array.get(at);
      switch (random.nextInt(3)) {
        case 0 -> array.remove(at);
        case 1 -> array.insert(at, was.deepCopy());
        default -> array.set(at, other(was));
      }
      last = "[" + at + "] " + was + " -> " + array;
    }
  }

  private JsonNode other(JsonNode was) {
    return switch (random.nextInt(8)) {
      case 0 -> JSON.nullNode();
      case 1 -> JSON.createObjectNode();
      case 2 -> JSON.createArrayNode();
      case 3 -> JSON.getNodeFactory().booleanNode(random.nextBoolean());
      case 4 -> JSON.getNodeFactory().textNode(was.isTextual() ? was.asText() + "x" : "x");
      case 5 -> JSON.getNodeFactory().numberNode(-1);
      case 6 -> JSON.getNodeFactory().numberNode(was.isInt() ? was.asInt() + 1 : 1_000_000);
      default -> JSON.getNodeFactory().numberNode(random.nextInt());
    };
  }

  /** Changes one thing, anywhere in a message. */
  private Message change(Message message) {
    Message.Builder changed = message.toBuilder();
    List<FieldDescriptor> fields = new ArrayList<>(message.getAllFields().keySet());
    if (fields.isEmpty()) {
      return message;
    }
    FieldDescriptor field = fields.get(random.nextInt(fields.size()));
    if (field.isRepeated()) {
      int at = random.nextInt(message.getRepeatedFieldCount(field));
      Object one = message.getRepeatedField(field, at);
      boolean deeper = one instanceof Message && random.nextInt(5) > 0;
      if (deeper && !field.isMapField()) {
        return changed.setRepeatedField(field, at, change((Message) one)).build();
      }
      return random.nextBoolean()
          ? changed.addRepeatedField(field, one).build()
          : changed.clearField(field).build();
    }
    if (field.getJavaType() == FieldDescriptor.JavaType.MESSAGE && random.nextInt(5) > 0) {
      return changed.setField(field, change((Message) message.getField(field))).build();
    }
    return switch (field.getJavaType()) {
      case INT -> changed.setField(field, new int[] {0, -1, 3, 70_000}[random.nextInt(4)]).build();
      case LONG -> changed.setField(field, new long[] {0, -1, 1L << 40}[random.nextInt(3)]).build();
      case STRING -> changed.setField(field, message.getField(field) + "x").build();
      case ENUM ->
          changed
              .setField(
                  field, field.getEnumType().findValueByNumberCreatingIfUnknown(random.nextInt(7)))
              .build();
      default -> changed.clearField(field).build();
    };
  }
}
