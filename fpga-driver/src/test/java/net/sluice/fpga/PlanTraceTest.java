package net.sluice.fpga;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import net.sluice.intents.compile.Compiler;
import net.sluice.intents.model.Attachment;
import net.sluice.intents.model.IpPrefix;
import net.sluice.intents.model.Kind;
import net.sluice.intents.model.Policy;
import net.sluice.intents.model.RateLimit;
import net.sluice.intents.model.Scope;
import net.sluice.intents.model.Subscriber;
import net.sluice.intents.model.policy.BuiltInFunction;
import net.sluice.intents.plan.Change;
import net.sluice.intents.plan.FpgaSetting;
import net.sluice.intents.plan.Plan;
import net.sluice.intents.plan.TargetKey;
import net.sluice.intents.plan.Write;
import net.sluice.intents.plan.entry.subscriber.PortRole;
import net.sluice.intents.profile.FpgaProfile;
import net.sluice.intents.profile.SwitchProfile;
import net.sluice.intents.profile.Topology;
import net.sluice.intents.profile.Topology.SwitchPort;
import net.sluice.intents.state.InMemorySlaState;
import net.sluice.intents.validate.Refusal;
import net.sluice.intents.value.Direction;
import org.junit.jupiter.api.Test;

/** From declarations to register accesses: what each change writes, against a golden file. */
class PlanTraceTest {
  private static final Attachment TREE = new Attachment(2, 5);

  private final Compiler compiler =
      new Compiler(
          topology(),
          new SwitchProfile(1000, 1000, 1000, 1000, 1000, 64, 42.306, 32, 100e9),
          FpgaProfile.withClock(156.25e6));
  private final InMemorySlaState state = new InMemorySlaState();
  private final Map<Direction, RecordedRegisters> registers =
      Map.of(Direction.DOWN, new RecordedRegisters(), Direction.UP, new RecordedRegisters());
  private final StringBuilder trace = new StringBuilder();

  @Test
  void changesWriteTheRegistersOfTheGoldenFile() throws IOException, Refusal {
    apply("policy gold", new Change.Put(new Policy("gold", BuiltInFunction.GOLD)));
    apply("subscriber alice", new Change.Put(subscriber("alice", "10.0.0.1/32")));
    apply("subscriber bob", new Change.Put(subscriber("bob", "10.0.0.2/32")));
    apply(
        "alice 50 Mbit/s down, 10 Mbit/s up, burst 3000 bytes",
        limit("a", new Scope.OfSubscriber("alice"), 50_000_000, 10_000_000, 3000));
    apply("bob 488 kbit/s down", limit("b", new Scope.OfSubscriber("bob"), 488_000, 0, 0));
    apply(
        "tree 2/5 1 Gbit/s down",
        limit("t", new Scope.OfTree(TREE.port(), TREE.tree()), 1_000_000_000, 0, 0));
    apply(
        "port 2 10 Gbit/s down, 1 Gbit/s up",
        limit("p", new Scope.OfPort(2), 10_000_000_000L, 1_000_000_000, 32_767));
    apply("no limit for alice", new Change.Delete(Kind.RATE_LIMIT, "a"));

    // To be compared, and taken over when a change is meant.
    Files.writeString(Path.of("target/plan-trace.golden.txt"), trace);
    try (var in = PlanTraceTest.class.getResourceAsStream("plan-trace.golden.txt")) {
      assertThat(trace.toString()).isEqualTo(new String(in.readAllBytes(), StandardCharsets.UTF_8));
    }
  }

  private void apply(String title, Change change) throws Refusal {
    Plan plan = compiler.compile(state, change);
    state.apply(plan);
    trace.append(title).append('\n');
    for (Direction direction : Direction.values()) {
      RecordedRegisters target = registers.get(direction);
      int before = target.trace().size();
      List<FpgaSetting> settings =
          plan.writes(TargetKey.fpga(direction)).stream().map(Write::entity).toList();
      FpgaRegisters fpga =
          new FpgaRegisters(new LocalRegisterBus(target, Runnable::run), direction);
      assertThat(fpga.write(settings).toCompletableFuture().join()).isEmpty();
      for (String access : target.trace().subList(before, target.trace().size())) {
        trace.append("  ").append(direction.text()).append(' ').append(access).append('\n');
      }
    }
  }

  private static Subscriber subscriber(String id, String prefix) {
    return new Subscriber(id, "gold", List.of(IpPrefix.parse(prefix)), Optional.empty(), TREE);
  }

  private static Change limit(String id, Scope scope, long downBps, long upBps, int burstBytes) {
    return new Change.Put(
        new RateLimit(
            id,
            scope,
            downBps == 0 ? OptionalLong.empty() : OptionalLong.of(downBps),
            upBps == 0 ? OptionalLong.empty() : OptionalLong.of(upBps),
            burstBytes == 0 ? OptionalInt.empty() : OptionalInt.of(burstBytes)));
  }

  private static Topology topology() {
    return new Topology(
        List.of(
            port(1, PortRole.CORE, Direction.DOWN),
            port(2, PortRole.ACCESS, Direction.UP),
            port(3, PortRole.SIDECAR, Direction.DOWN),
            port(4, PortRole.SIDECAR, Direction.UP)),
        Map.of(2, 2),
        OptionalInt.of(3),
        OptionalInt.of(4),
        List.of());
  }

  private static SwitchPort port(int number, PortRole role, Direction direction) {
    return new SwitchPort(number, role, direction, 10_000_000_000L, 1, 2, false, false);
  }
}
