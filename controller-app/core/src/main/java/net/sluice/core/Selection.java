package net.sluice.core;

import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;
import net.sluice.intents.model.Attachment;
import net.sluice.intents.model.Declaration;
import net.sluice.intents.model.IpPrefix;
import net.sluice.intents.model.Labels;
import net.sluice.intents.model.RateLimit;
import net.sluice.intents.model.Scope;
import net.sluice.intents.model.Subscriber;
import net.sluice.intents.model.Tariff;
import net.sluice.intents.model.TariffUse;
import net.sluice.intents.value.Direction;

/**
 * The declarations that a list is asked for: those for which all holds that is given.
 *
 * @param policy id of the policy that a subscriber has, in a direction or both
 * @param tariff id of the tariff that a subscriber has
 * @param switchName the switch at which it is
 * @param port BNG port of a subscriber, or of the tree or port that a rate limit is of
 * @param tree OLT tree of a subscriber, or that a rate limit is of
 * @param state the worst state of it at any target
 * @param address a single address (a prefix of full length), in one of a subscriber's prefixes
 * @param labels those that a subscriber has all of
 * @param text what a subscriber's id or name has in it, in small or capital letters
 */
public record Selection(
    Optional<String> policy,
    Optional<String> tariff,
    Optional<String> switchName,
    OptionalInt port,
    OptionalInt tree,
    Optional<TargetState> state,
    Optional<IpPrefix> address,
    Labels labels,
    Optional<String> text) {
  /** All that is in force. */
  public static final Selection ALL =
      new Selection(
          Optional.empty(),
          Optional.empty(),
          Optional.empty(),
          OptionalInt.empty(),
          OptionalInt.empty(),
          Optional.empty(),
          Optional.empty(),
          Labels.NONE,
          Optional.empty());

  /** Whether what is declared is what is asked for, whatever its switch and state. */
  public boolean admits(Declaration declaration) {
    if (declaration instanceof Subscriber subscriber) {
      Attachment at = subscriber.attachment();
      return (policy.isEmpty() || hasPolicy(subscriber, policy.get()))
          && (tariff.isEmpty()
              || tariff.equals(subscriber.parts().tariff().map(TariffUse::tariffId)))
          && is(port, at.port())
          && is(tree, at.tree())
          && (address.isEmpty()
              || subscriber.prefixes().stream().anyMatch(each -> each.contains(address.get())))
          && subscriber.parts().labels().byKey().entrySet().containsAll(labels.byKey().entrySet())
          && (text.isEmpty()
              || hasText(subscriber.id())
              || subscriber.parts().displayName().filter(this::hasText).isPresent());
    }
    if (declaration instanceof Tariff of) {
      return (policy.isEmpty() || of.names(policy.get()))
          && of.labels().byKey().entrySet().containsAll(labels.byKey().entrySet());
    }
    if (declaration instanceof RateLimit limit && limit.scope() instanceof Scope.OfTree of) {
      return isOfAnything() && is(port, of.port()) && is(tree, of.tree());
    }
    if (declaration instanceof RateLimit limit && limit.scope() instanceof Scope.OfPort of) {
      return isOfAnything() && is(port, of.port()) && tree.isEmpty();
    }
    return isOfAnything() && port.isEmpty() && tree.isEmpty();
  }

  private boolean hasText(String name) {
    return name.toLowerCase(Locale.ROOT).contains(text.get().toLowerCase(Locale.ROOT));
  }

  private static boolean hasPolicy(Subscriber subscriber, String policyId) {
    return subscriber.policyId().equals(policyId)
        || subscriber.policyId(Direction.UP).equals(policyId);
  }

  private boolean isOfAnything() {
    return policy.isEmpty()
        && tariff.isEmpty()
        && address.isEmpty()
        && labels.isEmpty()
        && text.isEmpty();
  }

  private static boolean is(OptionalInt wanted, int number) {
    return wanted.isEmpty() || wanted.getAsInt() == number;
  }

  /** Whether a declaration in force is what is asked for, wherever it is. */
  public boolean admits(Declared declared) {
    return admits(declared.declared())
        && (state.isEmpty()
            || state.equals(
                declared.targets().stream().map(TargetStatus::state).max(Enum::compareTo)));
  }
}
