package net.sluice.rest.explain;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.TreeMap;
import net.sluice.intents.model.Attachment;
import net.sluice.intents.model.Declaration;
import net.sluice.intents.model.Enforcement;
import net.sluice.intents.model.IpPrefix;
import net.sluice.intents.model.Policy;
import net.sluice.intents.model.RateLimit;
import net.sluice.intents.model.Scope;
import net.sluice.intents.model.Subscriber;
import net.sluice.intents.model.policy.BuiltInFunction;
import net.sluice.intents.plan.Change;
import net.sluice.intents.profile.MeterProfile;
import net.sluice.intents.value.Direction;
import net.sluice.northbound.explain.Explanations;
import net.sluice.northbound.explain.PortShares;
import net.sluice.northbound.json.JsonContent;
import net.sluice.northbound.usage.Delay;
import net.sluice.northbound.usage.Measured;
import net.sluice.northbound.usage.Rates;
import net.sluice.northbound.usage.Usage;
import net.sluice.northbound.usage.UsagePoint;
import net.sluice.northbound.usage.UsageSeries;
import net.sluice.rest.answer.JsonAnswer;
import net.sluice.rest.answer.WhyWriter;
import net.sluice.rest.testing.MemoryController;
import net.sluice.testing.Golden;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What limits subscribers, as it is told, of loads that are given. */
class ExplanationsTest {
  private static final Instant AT = Instant.parse("2026-01-02T03:04:00Z");

  private final MemoryController controller =
      new MemoryController(10, new MeterProfile(20), OptionalInt.empty());
  private final Map<String, Rates> loads = new TreeMap<>();
  private int walks;
  private final Explanations explanations =
      new Explanations(controller, new Given(), Clock.fixed(AT, ZoneOffset.UTC));

  /** Usage of the loads that are given, downstream. */
  private final class Given implements Usage {
    private UsagePoint point(Rates rates) {
      return new UsagePoint(AT, Optional.of(rates), Optional.of(Rates.NONE));
    }

    @Override
    public Optional<UsagePoint> latest(Measured which) {
      return which instanceof Measured.OfSubscriber of
          ? Optional.ofNullable(loads.get(of.id())).map(this::point)
          : Optional.empty();
    }

    @Override
    public Optional<UsagePoint> at(Measured which, Instant at) {
      return at.equals(AT) ? latest(which) : Optional.empty();
    }

    @Override
    public UsageSeries points(Measured which, Instant from, Instant to, Duration step) {
      return new UsageSeries(from, to, step, List.of());
    }

    @Override
    public void walk(String switchName, Visitor visitor) {
      walks++;
      loads.forEach((id, rates) -> visitor.visit(id, point(rates)));
    }
  }

  @BeforeEach
  void declare() {
    put(new Policy("gold", BuiltInFunction.GOLD));
    subscriber("calm", 1, 0, 0);
    subscriber("capped", 2, 0, 0);
    subscriber("flood", 3, 0, 0);
    subscriber("crowded", 4, 1, 5);
    limit(new Scope.OfSubscriber("capped"), 20_000_000);
    limit(new Scope.OfTree(1, 5), 50_000_000);
    loads.put("calm", rates(2_000_000, 2_000_000, 0));
    loads.put("capped", rates(20_100_000, 20_000_000, 100_000));
    loads.put("flood", rates(1_500_000_000, 880_000_000, 0));
    loads.put("crowded", rates(80_000_000, 50_000_000, 30_000_000));
  }

  private void put(Declaration declaration) {
    assertThat(controller.apply(new Change.Put(declaration)).isAccepted()).isTrue();
  }

  private void subscriber(String id, int number, int port, int tree) {
    put(
        new Subscriber(
            id,
            "gold",
            List.of(IpPrefix.v4(0x0a00_0000 + number, 32)),
            Optional.empty(),
            new Attachment(port, tree)));
  }

  private void limit(Scope scope, long downBps) {
    put(
        new RateLimit(
            "of-" + scope.toString().replaceAll("[^a-z0-9]+", "-"),
            scope,
            OptionalLong.of(downBps),
            OptionalLong.empty(),
            OptionalInt.empty(),
            Optional.of(Enforcement.POLICE)));
  }

  private static Rates rates(long offeredBps, long gotBps, long policedBps) {
    return new Rates(
        offeredBps, gotBps, policedBps, 0, 0, 0, Optional.of(new Delay(0.2, 0.9, 1.2)));
  }

  @Test
  void eachIsToldWhatLimitsItAndItsChain() throws IOException {
    StringBuilder text = new StringBuilder();
    for (String id : loads.keySet()) {
      text.append(
          json(json -> WhyWriter.write(json, explanations.explain(id, Optional.empty()).get())));
      text.append(json(json -> WhyWriter.write(json, explanations.chain(id).get())));
    }
    Golden.check("explanations.txt", text.toString());
    assertThat(walks).as("others are summed up once").isOne();
  }

  @Test
  void aPortTellsWhoLeavesByItAndWhomItHoldsBack() throws IOException {
    put(new Policy("silver", BuiltInFunction.SILVER));
    put(
        new Subscriber(
            "quiet",
            "silver",
            List.of(IpPrefix.v4(0x0a00_0010, 32)),
            Optional.empty(),
            new Attachment(0, 0)));
    loads.put("quiet", rates(3_000_000, 3_000_000, 0));
    Map<Direction, PortShares> shares =
        explanations.shares(controller.sharing().get(0).switchName(), 1).orElseThrow();
    Golden.check("port-shares.txt", json(json -> WhyWriter.write(json, "switch", 1, shares)));
    assertThat(explanations.shares("other", 1)).isEmpty();
    assertThat(explanations.shares(controller.sharing().get(0).switchName(), 4_000)).isEmpty();
  }

  @Test
  void whatWasNotMeasuredIsNotTold() {
    assertThat(explanations.explain("calm", Optional.of(AT)).get().at()).contains(AT);
    assertThat(explanations.explain("calm", Optional.of(AT.minusSeconds(60))).get().at()).isEmpty();
    assertThat(explanations.explain("nobody", Optional.empty())).isEmpty();
  }

  private static String json(JsonContent content) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    new JsonAnswer(content).write(out);
    ObjectMapper mapper = new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);
    return mapper.writeValueAsString(mapper.readTree(out.toByteArray())) + "\n";
  }
}
