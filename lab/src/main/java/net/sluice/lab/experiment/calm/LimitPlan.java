package net.sluice.lab.experiment.calm;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;
import net.sluice.core.state.CompactSlaState;
import net.sluice.core.store.IntentStore;
import net.sluice.emulator.netsim.fpga.FpgaModel;
import net.sluice.endpoints.RocksDbIntentStore;
import net.sluice.intents.compile.Compiler;
import net.sluice.intents.model.Attachment;
import net.sluice.intents.model.Declaration;
import net.sluice.intents.model.Enforcement;
import net.sluice.intents.model.IpPrefix;
import net.sluice.intents.model.Policy;
import net.sluice.intents.model.RateLimit;
import net.sluice.intents.model.Scope;
import net.sluice.intents.model.Subscriber;
import net.sluice.intents.model.policy.BuiltInFunction;
import net.sluice.intents.model.policy.FlowOrder;
import net.sluice.intents.model.policy.LimitAqm;
import net.sluice.intents.model.policy.LimitDelay;
import net.sluice.intents.model.policy.TrafficClasses;
import net.sluice.intents.plan.Change;
import net.sluice.intents.plan.Expected;
import net.sluice.intents.plan.FpgaSetting;
import net.sluice.intents.plan.Op;
import net.sluice.intents.plan.Plan;
import net.sluice.intents.plan.TargetKey;
import net.sluice.intents.plan.Write;
import net.sluice.intents.plan.entry.subscriber.PortRole;
import net.sluice.intents.profile.FpgaProfile;
import net.sluice.intents.profile.Topology;
import net.sluice.intents.profile.Topology.Route;
import net.sluice.intents.validate.Refusal;
import net.sluice.intents.value.Direction;
import net.sluice.lab.support.TemporaryDirectory;
import net.sluice.pipeconf.SwitchPipeline;
import net.sluice.pipeconf.V1ModelPipeline;
import net.sluice.pipeconf.profile.TargetProfiles;
import p4.v1.P4RuntimeOuterClass.Update;

/**
 * The compiler's plan for two subscribers of one policy, each under a limit of its own: {@link
 * #SUBSCRIBER} and {@link #NEIGHBOUR}.
 *
 * @param updates of the switch, in their order
 * @param settings of the FPGA of the limited direction, in the order of their writes
 */
record LimitPlan(List<Update> updates, List<FpgaSetting> settings) {
  /** First address of the subscriber, of 256. */
  static final int SUBSCRIBER = 0x0a_00_00_00;

  /** First address of its neighbour, of 256. */
  static final int NEIGHBOUR = 0x0a_00_01_00;

  /** First address of what is beyond the switch, of 256: 203.0.113.0. */
  static final int BEYOND = 0xcb_00_71_00;

  static final int ACCESS_PORT = 1;
  static final int CORE_PORT = 2;
  static final int SIDECAR_PORT = 3;

  /** The first of {@link Topology#PIPES}. */
  static final int FIRST_LOOP_PORT = 64;

  static final SwitchPipeline PROGRAM = V1ModelPipeline.load();

  private static final int PREFIX_BITS = 24;
  private static final long LINE_BPS = 100_000_000_000L;
  private static final long SWITCH_MAC = 0x02_5a_00_00_00_00L;
  private static final String POLICY = "home";
  private static final Map<Limited, LimitPlan> PLANS = new ConcurrentHashMap<>();

  /** All that a plan depends on. */
  private record Limited(
      Enforcement enforcement,
      Direction direction,
      long limitBps,
      int rttMillis,
      boolean calm,
      long mac) {
    boolean down() {
      return direction == Direction.DOWN;
    }
  }

  /**
   * The plan for a cell.
   *
   * @param calm whether delay is kept low, by the defaults; if not, packets wait as long as there
   *     is room, as they come
   * @param mac destination of what leaves the switch
   */
  static LimitPlan of(CalmCell cell, boolean calm, long mac) {
    return PLANS.computeIfAbsent(
        new Limited(
            cell.enforcement(),
            cell.direction(),
            cell.limitBps(),
            cell.policyRttMillis(),
            calm,
            mac),
        LimitPlan::compiled);
  }

  private static LimitPlan compiled(Limited limited) {
    Compiler compiler =
        new Compiler(
            topology(limited),
            TargetProfiles.loadSwitch("emulator").limit(PROGRAM.profile()),
            FpgaProfile.withClock(FpgaModel.DEFAULT_CLOCK_HZ));
    try (TemporaryDirectory directory = new TemporaryDirectory("sluice-calm");
        IntentStore store = new RocksDbIntentStore(directory.path())) {
      CompactSlaState state = CompactSlaState.load(store, compiler);
      List<Update> updates =
          new ArrayList<>(
              compiler
                  .baseEntries()
                  .map(entry -> PROGRAM.entries().update(Op.INSERT, entry))
                  .toList());
      List<FpgaSetting> settings =
          new ArrayList<>(
              compiler.expectedSettings(state, limited.direction()).map(Expected::entity).toList());
      for (Declaration each : declarations(limited)) {
        Plan plan = compiler.compile(state, new Change.Put(each));
        updates.addAll(
            plan.writes(TargetKey.SWITCH).stream()
                .map(write -> PROGRAM.entries().update(write.op(), write.entity()))
                .toList());
        settings.addAll(
            plan.writes(TargetKey.fpga(limited.direction())).stream().map(Write::entity).toList());
        state.apply(plan);
      }
      return new LimitPlan(List.copyOf(updates), List.copyOf(settings));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (Refusal refusal) {
      throw new IllegalStateException(limited + " was refused", refusal);
    }
  }

  private static List<Declaration> declarations(Limited limited) {
    return List.of(
        policy(limited.calm(), limited.rttMillis()),
        subscriber("subscriber", SUBSCRIBER, 0),
        subscriber("neighbour", NEIGHBOUR, 1),
        limit("subscriber", limited),
        limit("neighbour", limited));
  }

  private static Policy policy(boolean calm, int rttMillis) {
    return new Policy(
        POLICY,
        BuiltInFunction.GOLD,
        Optional.empty(),
        TrafficClasses.NONE,
        Optional.empty(),
        calm ? LimitDelay.UNSAID : new LimitDelay(Optional.of(LimitAqm.NONE), OptionalInt.empty()),
        calm ? Optional.empty() : Optional.of(FlowOrder.AS_THEY_COME),
        OptionalInt.of(rttMillis));
  }

  private static Subscriber subscriber(String id, int address, int tree) {
    return new Subscriber(
        id,
        POLICY,
        List.of(IpPrefix.v4(address, PREFIX_BITS)),
        Optional.empty(),
        new Attachment(0, tree));
  }

  private static RateLimit limit(String id, Limited limited) {
    OptionalLong rateBps = OptionalLong.of(limited.limitBps());
    return new RateLimit(
        id,
        new Scope.OfSubscriber(id),
        limited.down() ? rateBps : OptionalLong.empty(),
        limited.down() ? OptionalLong.empty() : rateBps,
        OptionalInt.empty(),
        Optional.of(limited.enforcement()));
  }

  private static Topology topology(Limited limited) {
    OptionalInt sidecar =
        limited.enforcement() == Enforcement.FPGA
            ? OptionalInt.of(SIDECAR_PORT)
            : OptionalInt.empty();
    Topology topology =
        new Topology(
            List.of(
                port(ACCESS_PORT, PortRole.ACCESS, Direction.UP, limited.mac()),
                port(CORE_PORT, PortRole.CORE, Direction.DOWN, limited.mac()),
                port(SIDECAR_PORT, PortRole.SIDECAR, limited.direction(), limited.mac())),
            Map.of(0, ACCESS_PORT),
            limited.down() ? sidecar : OptionalInt.empty(),
            limited.down() ? OptionalInt.empty() : sidecar,
            List.of(new Route(IpPrefix.v4(BEYOND, PREFIX_BITS), CORE_PORT)));
    return limited.enforcement() == Enforcement.SHAPE
        ? topology.withLoopPorts(
            IntStream.range(FIRST_LOOP_PORT, FIRST_LOOP_PORT + Topology.PIPES).boxed().toList())
        : topology;
  }

  private static Topology.SwitchPort port(
      int number, PortRole role, Direction direction, long mac) {
    return new Topology.SwitchPort(
        number, role, direction, LINE_BPS, SWITCH_MAC, mac, false, false);
  }
}
