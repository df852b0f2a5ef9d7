package net.sluice.core.network;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Random;
import java.util.TreeMap;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.ShrinkingMode;
import net.jqwik.api.Tag;
import net.sluice.core.ControllerConfig;
import net.sluice.core.Outcome;
import net.sluice.core.SetOutcome;
import net.sluice.core.state.CompactSlaState;
import net.sluice.core.testing.ControllerRig;
import net.sluice.core.testing.CountingCompiler;
import net.sluice.core.testing.RandomChanges;
import net.sluice.core.testing.TestNetwork;
import net.sluice.intents.compile.Compiler;
import net.sluice.intents.compile.Revalidation;
import net.sluice.intents.model.Attachment;
import net.sluice.intents.model.Declaration;
import net.sluice.intents.model.IpPrefix;
import net.sluice.intents.model.Kind;
import net.sluice.intents.model.RateLimit;
import net.sluice.intents.model.Scope;
import net.sluice.intents.model.Subscriber;
import net.sluice.intents.model.VlanTags;
import net.sluice.intents.plan.Change;
import net.sluice.intents.profile.MeterProfile;
import net.sluice.intents.profile.SwitchProfile;
import net.sluice.intents.state.InMemorySlaState;
import net.sluice.intents.validate.Refusal;
import net.sluice.intents.value.Direction;

/**
 * A set of changes that leads to what a fresh controller takes is made, in whatever order it is
 * given, and leads to what a fresh controller has. Any other changes nothing.
 */
class ChangeSetPropertyTest {
  private static final int IDS = 12;

  private record Name(Kind kind, String id) {
    static Name of(Declaration declaration) {
      return new Name(declaration.kind(), declaration.id());
    }
  }

  @Property(tries = 20, shrinking = ShrinkingMode.OFF, seed = "1")
  void anyOrderLeadsToWhatAFreshControllerHas(@ForAll long seed) {
    run(seed, TestNetwork.switchProfile(100_000).withMeters(new MeterProfile(30)));
  }

  @Property(tries = 20, shrinking = ShrinkingMode.OFF, seed = "2")
  void anyOrderLeadsThereWhereSubscribersMoveBetweenPipes(@ForAll long seed) {
    run(seed, TestNetwork.dividedSwitch(3));
  }

  @Property(tries = 20, shrinking = ShrinkingMode.OFF, seed = "3")
  void anyOrderLeadsThereAtASwitchThatIsFull(@ForAll long seed) {
    run(seed, TestNetwork.switchProfile(8, 5).withMeters(new MeterProfile(6)));
  }

  @Tag("long")
  @Property(tries = 1000, shrinking = ShrinkingMode.OFF, seed = "4")
  void anyOrderLeadsThereByFarMoreSeeds(@ForAll long seed) {
    run(seed, TestNetwork.switchProfile(100_000).withMeters(new MeterProfile(30)));
    run(seed, TestNetwork.dividedSwitch(3));
    run(seed, TestNetwork.switchProfile(8, 5).withMeters(new MeterProfile(6)));
  }

  private static void run(long seed, SwitchProfile profile) {
    ControllerRig rig = rig(seed, profile);
    ControllerRig other = rig(seed, profile);
    Random random = new Random(seed);
    RandomChanges changes = new RandomChanges(~seed, IDS);
    for (int step = 0; step < 4; step++) {
      Map<Name, Declaration> before = declared(rig);
      Map<Name, Declaration> after = mutated(before, changes, random);
      List<Change> set = difference(before, after);
      Collections.shuffle(set, random);
      Map<Object, ?> held = Map.copyOf(rig.switchTarget.content());

      SetOutcome dryRun = rig.controller.applyTogether(set, true);
      assertThat(declared(rig)).isEqualTo(before);
      SetOutcome outcome = rig.controller.applyTogether(set, false);

      assertThat(outcome.isMade()).isEqualTo(dryRun.isMade());
      assertThat(outcome.outcomes().toString()).isEqualTo(dryRun.outcomes().toString());
      assertThat(outcome.outcomes()).extracting(Outcome::change).isEqualTo(set);
      assertThat(outcome.isMade()).as("to %s", after).isEqualTo(isTakenFresh(after, profile));
      assertThat(outcome.outcomes().stream().allMatch(Outcome::isAccepted))
          .isEqualTo(outcome.isMade());
      assertThat(declared(rig)).isEqualTo(outcome.isMade() ? after : before);
      rig.time.pass(Duration.ofSeconds(1));
      if (!outcome.isMade()) {
        assertThat(rig.switchTarget.content()).isEqualTo(held);
      }
      Collections.shuffle(set, random);
      SetOutcome inOtherOrder = other.controller.applyTogether(set, false);
      assertThat(inOtherOrder.isMade()).isEqualTo(outcome.isMade());
      other.time.pass(Duration.ofSeconds(1));
      assertAlike(rig, other);
      assertAsExpected(rig);
    }
    rig.close();
    other.close();
  }

  private static ControllerRig rig(long seed, SwitchProfile profile) {
    ControllerRig rig = ControllerRig.create(TestNetwork.smallConfig(profile));
    rig.time.pass(Duration.ofSeconds(1));
    RandomChanges changes = new RandomChanges(seed, IDS);
    for (int i = 0; i < 60; i++) {
      Outcome unused = rig.controller.apply(changes.next());
    }
    rig.time.pass(Duration.ofSeconds(1));
    return rig;
  }

  private static Map<Name, Declaration> declared(ControllerRig rig) {
    Map<Name, Declaration> all = new LinkedHashMap<>();
    rig.controller.export(
        each -> all.put(Name.of(each.put().declaration()), each.put().declaration()));
    return all;
  }

  /** Some declarations put and deleted at random, and some that exchange what they have. */
  private static Map<Name, Declaration> mutated(
      Map<Name, Declaration> before, RandomChanges changes, Random random) {
    Map<Name, Declaration> after = new LinkedHashMap<>(before);
    for (int i = random.nextInt(4); i > 0; i--) {
      Change change = changes.next();
      if (change instanceof Change.Put put) {
        after.put(Name.of(put.declaration()), put.declaration());
      } else {
        after.remove(new Name(change.kind(), change.id()));
      }
    }
    for (int i = random.nextInt(4); i > 0; i--) {
      exchange(after, random);
    }
    return after;
  }

  private static void exchange(Map<Name, Declaration> all, Random random) {
    Kind kind = random.nextBoolean() ? Kind.SUBSCRIBER : Kind.RATE_LIMIT;
    List<Declaration> some = new ArrayList<>(all.values());
    some.removeIf(each -> each.kind() != kind);
    if (some.size() < 2) {
      return;
    }
    Collections.shuffle(some, random);
    int what = random.nextInt(4);
    for (int i = 0; i < 2; i++) {
      Declaration mixed = mixed(some.get(i), some.get(1 - i), what);
      all.put(Name.of(mixed), mixed);
    }
  }

  /** One that has got something of another. */
  private static Declaration mixed(Declaration one, Declaration other, int what) {
    if (one instanceof RateLimit a) {
      RateLimit b = (RateLimit) other;
      Scope scope = what < 2 ? b.scope() : a.scope();
      RateLimit rates = what < 2 ? a : b;
      return new RateLimit(
          a.id(),
          scope,
          rates.downBps(),
          rates.upBps(),
          rates.burstBytes(),
          rates.enforcement(),
          rates.gate(),
          scope instanceof Scope.OfSubscriber ? OptionalInt.empty() : rates.maxCommittedPercent());
    }
    Subscriber a = (Subscriber) one;
    Subscriber b = (Subscriber) other;
    boolean lines = what > 0;
    boolean addresses = what == 0 || what == 3;
    Attachment at = lines ? b.attachment() : a.attachment();
    Optional<VlanTags> tags = lines ? b.vlans() : a.vlans();
    List<IpPrefix> prefixes = addresses ? b.prefixes() : a.prefixes();
    return prefixes.isEmpty() && tags.isEmpty()
        ? a
        : new Subscriber(a.id(), a.policyId(), prefixes, tags, at, a.parts());
  }

  private static List<Change> difference(
      Map<Name, Declaration> before, Map<Name, Declaration> after) {
    List<Change> changes = new ArrayList<>();
    after.forEach(
        (name, declaration) -> {
          if (!declaration.equals(before.get(name))) {
            changes.add(new Change.Put(declaration));
          }
        });
    before.forEach(
        (name, declaration) -> {
          if (!after.containsKey(name)) {
            changes.add(new Change.Delete(name.kind, name.id));
          }
        });
    return changes;
  }

  /** Whether a controller that knows nothing takes these, one after the other. */
  private static boolean isTakenFresh(Map<Name, Declaration> all, SwitchProfile profile) {
    ControllerConfig config = TestNetwork.smallConfig(profile).build();
    Compiler compiler = new CountingCompiler(config);
    InMemorySlaState state = new InMemorySlaState(compiler);
    try {
      for (Declaration each : inOrder(all.values())) {
        state.apply(compiler.compile(state, new Change.Put(each)));
      }
      return true;
    } catch (Refusal refusal) {
      return false;
    }
  }

  private static List<Declaration> inOrder(Collection<Declaration> all) {
    return all.stream().sorted(Comparator.comparing(ChangeSetPropertyTest::rank)).toList();
  }

  private static int rank(Declaration declaration) {
    return switch (declaration.kind()) {
      case POLICY, TARIFF -> 0;
      case SUBSCRIBER -> 2;
      case RATE_LIMIT -> ((RateLimit) declaration).scope() instanceof Scope.OfSubscriber ? 3 : 1;
    };
  }

  private static void assertAlike(ControllerRig one, ControllerRig other) {
    assertThat(withoutIdentity(one)).isEqualTo(withoutIdentity(other));
    assertThat(one.controller.summary().targets().toString())
        .isEqualTo(other.controller.summary().targets().toString());
  }

  private static Map<String, String> withoutIdentity(ControllerRig rig) {
    Map<String, String> content = new TreeMap<>();
    rig.expectedSwitch(CompactSlaState.load(rig.store, rig.compiler))
        .forEach((key, entry) -> content.put(key.toString(), entry.toString()));
    content.keySet().removeIf(key -> key.contains("IPV6_ROUTE"));
    return content;
  }

  private static void assertAsExpected(ControllerRig rig) {
    Revalidation readmission = rig.compiler.readmission();
    CompactSlaState stored = CompactSlaState.load(rig.store, rig.compiler, readmission);
    assertThat(readmission.misfits().isEmpty()).as(readmission.misfits().text()).isTrue();
    assertThat(rig.switchTarget.content()).isEqualTo(rig.expectedSwitch(stored));
    assertThat(rig.down.content().values())
        .containsExactlyInAnyOrderElementsOf(rig.expectedFpga(stored, Direction.DOWN));
    assertThat(rig.up.content().values())
        .containsExactlyInAnyOrderElementsOf(rig.expectedFpga(stored, Direction.UP));
    assertThat(rig.controller.summary().targets())
        .allMatch(target -> target.pending() == 0 && target.failed() == 0);
  }
}
