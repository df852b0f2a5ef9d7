package net.sluice.intents.compile;

import static net.sluice.intents.compile.Network.CODEL;
import static net.sluice.intents.compile.Network.FPGA;
import static net.sluice.intents.compile.Network.put;
import static net.sluice.intents.compile.Network.subscriber;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.IntStream;
import net.sluice.intents.model.Kind;
import net.sluice.intents.model.Policy;
import net.sluice.intents.model.PortQueue;
import net.sluice.intents.model.policy.Aqm;
import net.sluice.intents.model.policy.AqmKind;
import net.sluice.intents.model.policy.BuiltInFunction;
import net.sluice.intents.plan.Change;
import net.sluice.intents.plan.Op;
import net.sluice.intents.plan.OwnerIds;
import net.sluice.intents.plan.Plan;
import net.sluice.intents.plan.Table;
import net.sluice.intents.plan.TargetKey;
import net.sluice.intents.plan.Write;
import net.sluice.intents.plan.entry.marker.PolicyValueEntry;
import net.sluice.intents.plan.entry.queue.MirrorEntry;
import net.sluice.intents.plan.entry.queue.QueueAqmEntry;
import net.sluice.intents.profile.AqmProfile;
import net.sluice.intents.profile.SwitchProfile;
import net.sluice.intents.profile.Topology;
import net.sluice.intents.state.InMemorySlaState;
import net.sluice.intents.state.PolicyState;
import net.sluice.intents.state.SubscriberState;
import net.sluice.intents.validate.Incompatibilities;
import net.sluice.intents.validate.Refusal;
import net.sluice.intents.value.InvalidValueException;
import net.sluice.testing.Golden;
import org.junit.jupiter.api.Test;

/** How ports' queues are managed: as the port says, and before it the policies of who is there. */
class ManagedQueuesTest {
  private static final Aqm PLAIN = new Aqm.CoDel(AqmKind.RFC8289, 10_000, 50_000, true);
  private static final SwitchProfile PROFILE =
      Network.SWITCH.withAqm(new AqmProfile(Set.of(AqmKind.values()), 4096, 8));

  private final StringBuilder text = new StringBuilder();
  private Compiler compiler = new Compiler(Network.topology(), PROFILE, FPGA);
  private InMemorySlaState state = new InMemorySlaState();
  private Targets targets = new Targets(compiler);

  private void use(Topology topology, SwitchProfile profile) {
    compiler = new Compiler(topology, profile, FPGA);
    state = new InMemorySlaState();
    targets = new Targets(compiler);
  }

  private static Change policy(String id, Aqm aqm) {
    return new Change.Put(new Policy(id, BuiltInFunction.GOLD, Optional.ofNullable(aqm)));
  }

  private void given(Change... changes) {
    for (Change change : changes) {
      targets.apply(Network.apply(compiler, state, change));
    }
  }

  /** Records what a change does to queues, and applies it if it is accepted. */
  private void when(String title, Change change) {
    text.append("== ").append(title).append('\n');
    try {
      Plan plan = compiler.compile(state, change);
      Map<TargetKey<?>, List<? extends Write<?>>> shown = new HashMap<>(plan.writes());
      shown.computeIfPresent(
          TargetKey.SWITCH,
          (target, writes) ->
              writes.stream()
                  .filter(write -> !(write.entity() instanceof PolicyValueEntry))
                  .toList());
      text.append(PlanText.of(new Plan(shown, false, plan.grants(), plan.notes(), plan.delta())));
      targets.apply(plan);
      state.apply(plan);
    } catch (Refusal refusal) {
      text.append(PlanText.of(refusal));
    }
    text.append('\n');
  }

  @Test
  void plansOfPoliciesAndOfThoseWhoHaveThem() {
    use(Network.managed(Network.topology(), 3), PROFILE);
    when("new, nobody has it", policy("act", CODEL));
    given(policy("plain", PLAIN), policy("open", null), policy("off", Aqm.NONE));
    when("first subscriber behind port 2", put(subscriber("a", "act", 0, 0, "10.0.0.1/32")));
    when("second one", put(subscriber("b", "act", 0, 1, "10.0.0.2/32")));
    when("one of a policy that leaves it open", put(subscriber("c", "open", 0, 0, "10.0.0.3/32")));
    when(
        "other target: modified",
        policy("act", new Aqm.CoDel(AqmKind.CODEL_ACT, 7_000, 100_000, false)));
    when("the same again", policy("act", new Aqm.CoDel(AqmKind.CODEL_ACT, 7_000, 100_000, false)));
    when(
        "one moves to port 3, managed as the port says",
        put(subscriber("b", "act", 1, 1, "10.0.0.2/32")));
    when("and off it", put(subscriber("b", "off", 1, 1, "10.0.0.2/32")));
    when("and back to what the port says", put(subscriber("b", "open", 2, 1, "10.0.0.2/32")));
    when("the last one goes", new Change.Delete(Kind.SUBSCRIBER, "a"));
    given(put(subscriber("d", "act", 0, 0, "10.0.0.4/32")));
    when("from one to another in one step", put(subscriber("d", "plain", 0, 0, "10.0.0.4/32")));
    when("the policy leaves it open", policy("plain", null));
    Golden.check("queue-plans.txt", text.toString());
  }

  @Test
  void refusals() {
    given(policy("act", CODEL), policy("plain", PLAIN), policy("open", null));
    given(
        put(subscriber("a", "act", 1, 0, "10.0.0.1/32")),
        put(subscriber("b", "open", 2, 0, "10.0.0.2/32")),
        put(subscriber("c", "plain", 0, 0, "10.0.0.3/32")));
    when("into the queue of another", put(subscriber("c", "plain", 2, 0, "10.0.0.3/32")));
    when("by the policy of those there", policy("open", Aqm.NONE));
    when("who shares it may say the same", policy("open", CODEL));
    when("then neither may change alone", policy("act", PLAIN));
    use(Network.topology(), Network.SWITCH);
    when("a program that manages no queue", policy("act", CODEL));
    when("none is what it has", policy("off", Aqm.NONE));
    use(Network.topology(), Network.SWITCH.withAqm(with(AqmKind.CODEL_ACT, 1)));
    when("an algorithm that the program has not", policy("plain", PLAIN));
    given(policy("act", CODEL), policy("open", null));
    given(
        put(subscriber("a", "act", 0, 0, "10.0.0.1/32")),
        put(subscriber("b", "open", 1, 0, "10.0.0.2/32")));
    when("no room for another queue", put(subscriber("c", "act", 1, 0, "10.0.0.3/32")));
    when("by policy", policy("open", CODEL));
    Golden.check("queue-refusals.txt", text.toString());
  }

  @Test
  void rioTakesThePlaceOfCoDel() throws Refusal {
    Aqm rio = new Aqm.Rio();
    Topology byPort = Network.managed(Network.topology(), 3);
    SwitchProfile can = Network.SWITCH.withAqm(PROFILE.aqm().withRio());
    when("a program without it", policy("rio", rio));
    assertThatThrownBy(
            () -> new Compiler(Network.managed(Network.topology(), 3, rio), PROFILE, FPGA))
        .hasMessage(
            "ports.rio is given on port 3; allowed: absent: the switch's program has no RIO");
    assertThat(
            new Compiler(Network.managed(Network.topology(), 3, rio), can, FPGA)
                .managedQueues(new InMemorySlaState()))
        .hasSize(8)
        .allMatch(queue -> queue.aqm().equals(rio));
    use(byPort, can);
    when("new, nobody has it", policy("rio", rio));
    given(policy("act", CODEL), policy("open", null));
    when("first subscriber", put(subscriber("a", "rio", 0, 0, "10.0.0.1/32")));
    when("another policy there", put(subscriber("b", "act", 0, 0, "10.0.0.2/32")));
    when("in place of what the port says", put(subscriber("c", "rio", 1, 0, "10.0.0.3/32")));
    when(
        "another curve",
        policy(
            "rio",
            new Aqm.Rio(46, 10_000, 16, new Aqm.RioCurve(0, 1, 1), new Aqm.RioCurve(0, 2, 0.5))));
    when("CoDel takes its place", policy("rio", CODEL));
    when("and goes", policy("rio", null));
    use(Network.topology(), Network.SWITCH.withAqm(with(AqmKind.CODEL_ACT, 1).withRio()));
    given(policy("act", CODEL), policy("open", null));
    given(
        put(subscriber("a", "act", 0, 0, "10.0.0.1/32")),
        put(subscriber("b", "open", 1, 0, "10.0.0.2/32")));
    when("no room for another queue", policy("open", rio));
    Golden.check("queue-rio.txt", text.toString());
    assertThat(targets.entries()).isEqualTo(Targets.expectedEntries(compiler, state));
  }

  private static AqmProfile with(AqmKind kind, int queues) {
    return new AqmProfile(EnumSet.of(kind), queues, 8);
  }

  @Test
  void aPortsSettingIsThatOfAllItsQueues() {
    Compiler managed = new Compiler(Network.managed(Network.topology(), 3), PROFILE, FPGA);
    assertThat(managed.managedQueues(new InMemorySlaState()))
        .extracting(ManagedQueue::queue, ManagedQueue::aqm)
        .containsExactlyElementsOf(
            IntStream.range(0, 8)
                .mapToObj(
                    queue ->
                        tuple(
                            new PortQueue(3, queue),
                            new Aqm.CoDel(AqmKind.CODEL_ACT, 5_000, 100_000, false)))
                .toList());
  }

  @Test
  void portsThatCannotBeManagedAsTheySay() {
    Topology topology = Network.managed(Network.topology(), 3);
    assertThatThrownBy(() -> new Compiler(topology, Network.SWITCH, FPGA))
        .isInstanceOf(InvalidValueException.class)
        .hasMessage(
            "ports.aqm.kind is codel-act on port 3; allowed: none: the switch's program manages no"
                + " queue");
    assertThatThrownBy(
            () -> new Compiler(topology, Network.SWITCH.withAqm(with(AqmKind.RFC8289, 8)), FPGA))
        .hasMessage("ports.aqm.kind is codel-act on port 3; allowed: rfc8289, none");
    assertThatThrownBy(
            () -> new Compiler(topology, Network.SWITCH.withAqm(with(AqmKind.CODEL_ACT, 7)), FPGA))
        .hasMessage("ports.aqm is 8 class queues of 1 ports; allowed: at most 7 class queues");
  }

  @Test
  void aProgramThatReportsToItselfHasASessionForThat() {
    Compiler reporting = new Compiler(Network.topology(), PROFILE.withReportPort(68), FPGA);
    assertThat(reporting.baseEntries().filter(e -> e.table() == Table.MIRROR))
        .containsExactly(new MirrorEntry(68));
  }

  @Test
  void mirroredPacketsHaveASessionWhereTheTopologyHasAPortForThem() throws Refusal {
    Topology plain = Network.topology();
    Topology mirrored =
        new Topology(
            plain.ports(),
            plain.bngPorts(),
            plain.sidecarDown(),
            plain.sidecarUp(),
            plain.routes(),
            OptionalInt.of(68),
            List.of());
    Compiler with = new Compiler(mirrored, PROFILE, FPGA);
    assertThat(with.baseEntries().filter(e -> e.table() == Table.MIRROR))
        .containsExactly(new MirrorEntry(68));
    assertThat(compiler.baseEntries().filter(e -> e.table() == Table.MIRROR)).isEmpty();
    assertThatThrownBy(() -> new Compiler(mirrored, Network.SWITCH, FPGA))
        .hasMessage("mirrorPort is 68; allowed: absent: the switch's program mirrors no packet");
    InMemorySlaState empty = new InMemorySlaState();
    Plan plan = with.compile(empty, policy("act", CODEL));
    assertThat(plan.notes()).noneMatch(note -> note.contains("mirrorPort"));
  }

  @Test
  void aChangeIsOneModification() {
    given(policy("act", CODEL), put(subscriber("a", "act", 0, 0, "10.0.0.1/32")));
    Plan plan = Network.apply(compiler, state, policy("act", PLAIN));
    PolicyState act = state.policy("act").orElseThrow();
    assertThat(plan.writes(TargetKey.SWITCH))
        .containsExactly(
            new Write<>(
                Op.MODIFY,
                new QueueAqmEntry(2, 0, AqmKind.RFC8289, 10_000, 50_000, true),
                OwnerIds.policy(act.slot())));
    assertThat(compiler.managedQueues(state))
        .containsExactly(new ManagedQueue(new PortQueue(2, 0), PLAIN, Optional.of(act)));
  }

  /** Behind two ports they agreed to differ; cabled to one they do not fit. */
  @Test
  void whatIsStoredIsHeldAgainstTheNewCabling() {
    given(
        policy("act", CODEL),
        policy("plain", PLAIN),
        put(subscriber("a", "act", 0, 0, "10.0.0.1/32")),
        put(subscriber("b", "plain", 1, 0, "10.0.0.2/32")));
    Topology before = Network.topology();
    Topology one =
        new Topology(
            before.ports(),
            Map.of(0, 2, 1, 2),
            before.sidecarDown(),
            before.sidecarUp(),
            before.routes());
    assertThat(misfits(new Compiler(before, PROFILE, FPGA)).isEmpty()).isTrue();
    Golden.check("queue-misfits.txt", misfits(new Compiler(one, PROFILE, FPGA)).text());
  }

  private Incompatibilities misfits(Compiler other) {
    Revalidation readmission = other.readmission();
    InMemorySlaState loaded = new InMemorySlaState();
    state.allPolicies().forEach(p -> Network.apply(compiler, loaded, policy(p.policy())));
    for (SubscriberState subscriber : state.allSubscribers().toList()) {
      readmission.admit(loaded, subscriber);
      Network.apply(compiler, loaded, put(subscriber.subscriber()));
    }
    readmission.admit(loaded, loaded.allPolicies().toList(), List.of());
    return readmission.misfits();
  }

  private static Change policy(Policy policy) {
    return new Change.Put(policy);
  }
}
