package net.sluice.core.change;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.AbstractList;
import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import net.sluice.core.state.CompactSlaState;
import net.sluice.core.store.InMemoryIntentStore;
import net.sluice.core.testing.TestNetwork;
import net.sluice.intents.compile.Compiler;
import net.sluice.intents.model.Kind;
import net.sluice.intents.model.policy.BuiltInFunction;
import net.sluice.intents.plan.Change;
import net.sluice.intents.plan.GrantsInForce;
import net.sluice.intents.plan.MergedWrites;
import net.sluice.intents.plan.Plan;
import net.sluice.intents.plan.SwitchEntry;
import net.sluice.intents.plan.Table;
import net.sluice.intents.plan.TargetKey;
import net.sluice.intents.validate.Refusal;
import org.junit.jupiter.api.Test;

/** The work of a set of changes, counted. */
class SetShareTest {
  private static final GrantsInForce NOTHING = new GrantsInForce(List.of(), List.of());

  private final Compiler compiler =
      new Compiler(
          TestNetwork.topology(), TestNetwork.switchProfile(10_000), TestNetwork.fpgaProfile());
  private final CompactSlaState state = CompactSlaState.load(new InMemoryIntentStore(), compiler);

  /** A list that counts how often one of its elements is looked at. */
  private static final class Looked<E> extends AbstractList<E> {
    private final List<E> all;
    private int looks;

    Looked(List<E> all) {
      this.all = all;
    }

    @Override
    public E get(int number) {
      looks++;
      return all.get(number);
    }

    @Override
    public int size() {
      return all.size();
    }
  }

  private Plan apply(Change change) throws Refusal {
    Plan plan = compiler.compile(state, change);
    int unused = state.apply(plan);
    return plan;
  }

  @Test
  void theWritesAreLookedAtOnceHoweverManyChangesTheyAreOf() throws Refusal {
    Plan unused = apply(TestNetwork.policy("gold", BuiltInFunction.GOLD));
    int many = 2_000;
    SetShare set = new SetShare();
    MergedWrites merged = new MergedWrites();
    for (int i = 0; i < many; i++) {
      Plan plan = apply(TestNetwork.numbered(i));
      merged.add(plan, i);
      set.add(plan, plan.delta().number(), i);
    }
    Looked<MergedWrites.Placed<SwitchEntry>> writes =
        new Looked<>(merged.ofSwitch((table, deletes) -> false));
    set.end(writes, Map.of(), new BitSet());
    for (int i = 0; i < many; i++) {
      assertThat(set.plan(state, TestNetwork.numbered(i), i, NOTHING).writes(TargetKey.SWITCH))
          .hasSize(3);
    }
    assertThat(writes.looks).isEqualTo(writes.size()).isEqualTo(3 * many);
  }

  @Test
  void aTableIsAskedOnceWhetherItIsFullHoweverMuchIsDeletedOfIt() throws Refusal {
    Plan unused = apply(TestNetwork.policy("gold", BuiltInFunction.GOLD));
    MergedWrites merged = new MergedWrites();
    for (int i = 0; i < 100; i++) {
      Plan added = apply(TestNetwork.numbered(i));
    }
    for (int i = 0; i < 100; i++) {
      merged.add(apply(new Change.Delete(Kind.SUBSCRIBER, "sub-" + i)), i);
    }
    Set<Table> asked = new HashSet<>();
    List<MergedWrites.Placed<SwitchEntry>> writes =
        merged.ofSwitch(
            (table, deletes) -> {
              assertThat(asked.add(table)).as("%s for the first time", table).isTrue();
              assertThat(deletes).isEqualTo(100);
              return false;
            });
    assertThat(writes).hasSize(300);
    assertThat(asked).hasSize(3);
  }
}
