package net.sluice.intents.compile;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.sluice.intents.marker.csaqm.tables.RandomRates;
import net.sluice.intents.model.IpPrefix.Family;
import net.sluice.intents.model.Kind;
import net.sluice.intents.model.Subscriber;
import net.sluice.intents.plan.Change;
import net.sluice.intents.plan.Plan;
import net.sluice.intents.profile.MarkerLayout;
import net.sluice.intents.profile.MarkerLayout.Place;
import net.sluice.intents.profile.PrefixLengths;
import net.sluice.intents.profile.SwitchProfile;
import net.sluice.intents.state.InMemorySlaState;
import net.sluice.intents.state.PrefixCounts;
import net.sluice.intents.validate.Problem.Code;
import net.sluice.intents.validate.Refusal;

/** Where subscribers are placed, against a model that goes through all of them for each. */
class PlacementPropertyTest {
  /** A place as the model counts: three numbers. */
  private record Cell(int pipe, int instance, int cell) {}

  private final Map<String, Cell> cells = new TreeMap<>();

  /** The subscribers there are, by id. */
  private final Map<String, Subscriber> puts = new HashMap<>();

  private MarkerLayout markers;

  private long load(int pipe, int instance) {
    return cells.values().stream()
        .filter(c -> c.pipe() == pipe && c.instance() == instance)
        .count();
  }

  private int prefixesIn(Family family, int pipe, int instance) {
    return cells.entrySet().stream()
        .filter(e -> e.getValue().pipe() == pipe && e.getValue().instance() == instance)
        .mapToInt(e -> PrefixCounts.of(puts.get(e.getKey()).prefixes()).of(family))
        .sum();
  }

  /** Where a subscriber belongs that is put; null if nowhere. */
  private Cell place(Subscriber put) {
    int pipe = markers.pipes() == 1 || put.attachment().port() == 0 ? 0 : 1;
    Cell old = cells.get(put.id());
    if (old != null && old.pipe() == pipe) {
      PrefixCounts had = PrefixCounts.of(puts.get(put.id()).prefixes());
      if (!fits(Family.V4, put, had, old) || !fits(Family.V6, put, had, old)) {
        return null;
      }
      return meetsOtherTags(puts.get(put.id()), put)
          ? Optional.ofNullable(free(pipe, put)).orElse(old)
          : old;
    }
    return free(pipe, put);
  }

  /** BNG ports 1 and 2 are at one port of the switch. */
  private static boolean meetsOtherTags(Subscriber was, Subscriber put) {
    return !was.vlans().equals(put.vlans())
        && ((was.attachment().port() == 0) != (put.attachment().port() == 0)
            || !Set.copyOf(was.prefixes()).equals(Set.copyOf(put.prefixes())));
  }

  /** Where a subscriber belongs that comes to a pipe; null if nowhere. */
  private Cell free(int pipe, Subscriber put) {
    Cell found = null;
    for (int instance = 0; instance < markers.instances(); instance++) {
      boolean fits =
          load(pipe, instance) < markers.subscribersPerInstance()
              && fits(Family.V4, put, PrefixCounts.NONE, new Cell(pipe, instance, 0))
              && fits(Family.V6, put, PrefixCounts.NONE, new Cell(pipe, instance, 0));
      if (fits && (found == null || load(pipe, instance) < load(pipe, found.instance()))) {
        found = new Cell(pipe, instance, lowestFree(pipe, instance));
      }
    }
    return found;
  }

  /** Whether an instance's table has room for the prefixes of one that had others there. */
  private boolean fits(Family family, Subscriber put, PrefixCounts had, Cell at) {
    int needed = PrefixCounts.of(put.prefixes()).of(family);
    int others = prefixesIn(family, at.pipe(), at.instance()) - had.of(family);
    return needed <= had.of(family)
        || others + needed <= markers.prefixesPerInstance(family).orElse(Integer.MAX_VALUE);
  }

  private int lowestFree(int pipe, int instance) {
    int cell = 0;
    while (cells.containsValue(new Cell(pipe, instance, cell))) {
      cell++;
    }
    return cell;
  }

  private Map<String, Cell> placed(InMemorySlaState state) {
    Map<String, Cell> placed = new TreeMap<>();
    state
        .allSubscribers()
        .forEach(
            s -> {
              Place place = markers.placeOf(s.index());
              int cell = (s.index() - 1) % markers.subscribersPerInstance();
              placed.put(s.subscriber().id(), new Cell(place.pipe(), place.instance(), cell));
            });
    return placed;
  }

  @Property(tries = 200, seed = "1")
  void onlyTheChangedAreMovedAndToTheLeastLoaded(
      @ForAll long seed, @ForAll @IntRange(min = 1, max = 150) int steps) {
    SplittableRandom random = new SplittableRandom(seed);
    OptionalInt v4 = random.nextBoolean() ? OptionalInt.empty() : OptionalInt.of(3);
    OptionalInt v6 = random.nextBoolean() ? OptionalInt.empty() : OptionalInt.of(1);
    SwitchProfile profile = Network.divided(1 + random.nextInt(2), 2, v4, v6);
    markers = profile.markers();
    cells.clear();
    puts.clear();
    Compiler compiler = new Compiler(Network.topology(), profile, Network.SMALL_FPGA);
    InMemorySlaState state = new InMemorySlaState(markers);
    Targets targets = new Targets(compiler);
    for (int step = 0; step < steps; step++) {
      Change change = CompilerPropertyTest.randomChange(random);
      Subscriber put =
          change instanceof Change.Put p && p.declaration() instanceof Subscriber s ? s : null;
      Cell expected = put == null ? null : place(put);
      try {
        Plan plan = compiler.compile(state, change);
        assertThat(compiler.compile(state, change)).isEqualTo(plan);
        targets.apply(plan);
        state.apply(plan);
        if (put != null) {
          assertThat(expected).isNotNull();
          cells.put(put.id(), expected);
          puts.put(put.id(), put);
        } else if (change.kind() == Kind.SUBSCRIBER) {
          cells.remove(change.id());
        }
      } catch (Refusal refusal) {
        boolean onlyForWantOfPlace =
            refusal.problems().stream().allMatch(p -> p.code() == Code.CAPACITY)
                && refusal.problems().stream().noneMatch(p -> p.field().equals("attachment.tree"))
                && refusal.problems().stream().noneMatch(p -> p.detail().startsWith("Table"));
        if (onlyForWantOfPlace) {
          assertThat(expected).as("%s", refusal).isNull();
        }
      }
      assertThat(placed(state)).isEqualTo(cells);
    }
    assertThat(targets.entries()).isEqualTo(Targets.expectedEntries(compiler, state));
    assertThat(RevalidationTest.misfits(state, compiler).first()).isEmpty();
  }

  @Property(tries = 50, seed = "1")
  void putsAloneLeaveInstancesEquallyLoaded(@ForAll long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    int instances = 2 + random.nextInt(6);
    int perInstance = 1 + random.nextInt(20);
    SwitchProfile profile =
        new SwitchProfile(
            new MarkerLayout(
                2, 3, instances, perInstance, OptionalInt.empty(), OptionalInt.empty()),
            PrefixLengths.ANY,
            1000,
            1000,
            1000,
            1000,
            4,
            42.306,
            32,
            OptionalInt.empty(),
            100e9,
            RandomRates.BITS_16);
    Compiler compiler = new Compiler(Network.topology(), profile, Network.FPGA);
    InMemorySlaState state = Network.withPolicies(compiler);
    int[] inPipe = new int[2];
    for (int i = 0; i < instances * perInstance; i++) {
      int port = random.nextInt(3);
      inPipe[port == 0 ? 0 : 1]++;
      String address = "10.0." + i / 250 + "." + i % 250 + "/32";
      Network.apply(
          compiler, state, Network.put(Network.subscriber("s" + i, "gold", port, 0, address)));
      for (int pipe = 0; pipe < 2; pipe++) {
        List<Integer> loads =
            IntStream.range(pipe * instances, (pipe + 1) * instances)
                .mapToObj(state::subscribersIn)
                .toList();
        int least = inPipe[pipe] / instances;
        int most = (inPipe[pipe] + instances - 1) / instances;
        assertThat(loads).allMatch(load -> load >= least && load <= most);
      }
    }
  }
}
