package net.sluice.core.engine;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import net.sluice.core.session.OwnerIds;
import net.sluice.core.state.CompactSlaState;
import net.sluice.intents.compile.Compiler;
import net.sluice.intents.plan.SwitchEntry;
import net.sluice.intents.plan.SwitchEntry.QueueAqmEntry;

/**
 * Which queues should be managed and how, under the policies in force when that is asked. What was
 * found as it should be, or is being corrected, is remembered with its setting, so that one that
 * changes meanwhile is written again.
 */
final class QueueExpectation {
  private final Compiler compiler;
  private final Map<SwitchEntry.Key, QueueAqmEntry> seen = new HashMap<>();

  QueueExpectation(Compiler compiler) {
    this.compiler = compiler;
  }

  void begin() {
    seen.clear();
  }

  /** How the queue of {@code actual} should be managed; null if not. */
  QueueAqmEntry expected(CompactSlaState state, QueueAqmEntry actual) {
    return compiler.queueEntry(state, actual.port(), actual.queue()).orElse(null);
  }

  /** The switch holds that, or will when it has been corrected. */
  void seen(QueueAqmEntry expected) {
    seen.put(expected.key(), expected);
  }

  /** What the switch lacks. */
  List<QueueAqmEntry> missing(CompactSlaState state) {
    return compiler
        .queueEntries(state)
        .filter(entry -> !entry.equals(seen.get(entry.key())))
        .toList();
  }

  /** What of it counts for a policy. */
  Stream<QueueAqmEntry> of(CompactSlaState state, int slot) {
    int owner = OwnerIds.policy(slot);
    return compiler.queueEntries(state).filter(entry -> owner(state, entry) == owner);
  }

  /** Whose status the entry counts for: the policy's that says how the queue is managed. */
  int owner(CompactSlaState state, QueueAqmEntry entry) {
    return compiler
        .queueDecider(state, entry.port(), entry.queue())
        .map(policy -> OwnerIds.policy(policy.slot()))
        .orElse(OwnerIds.NONE);
  }
}
