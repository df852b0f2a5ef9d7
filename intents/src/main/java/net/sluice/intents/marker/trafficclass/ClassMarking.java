package net.sluice.intents.marker.trafficclass;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import net.sluice.intents.limit.AppliedLimits;
import net.sluice.intents.limit.Limiter;
import net.sluice.intents.limit.LimiterChoice;
import net.sluice.intents.limit.fpga.ClassNumbers;
import net.sluice.intents.marker.Marker;
import net.sluice.intents.model.Attachment;
import net.sluice.intents.model.Enforcement;
import net.sluice.intents.model.IpPrefix;
import net.sluice.intents.model.Policy;
import net.sluice.intents.model.RateLimit;
import net.sluice.intents.model.Scope;
import net.sluice.intents.model.Subscriber;
import net.sluice.intents.plan.Expected;
import net.sluice.intents.plan.Grants;
import net.sluice.intents.plan.SwitchEntry;
import net.sluice.intents.plan.entry.limit.TrafficClassEntry;
import net.sluice.intents.profile.FpgaProfile;
import net.sluice.intents.profile.SwitchProfile;
import net.sluice.intents.profile.Topology;
import net.sluice.intents.state.PolicyState;
import net.sluice.intents.state.SlaState;
import net.sluice.intents.state.SubscriberState;
import net.sluice.intents.validate.Problem.Code;
import net.sluice.intents.validate.Problems;
import net.sluice.intents.value.Direction;

/**
 * The classes of policies: which packets are of which, told by the policy's slot and the codepoint,
 * so that a subscriber has no entry of its own. They exist only in FPGAs: a direction of a
 * subscriber that something else limits cannot have a policy with classes.
 */
public final class ClassMarking implements Marker {
  private static final String FIELD = "classes";
  private static final String WITHOUT = "a policy without classes";

  /** Stands for the prefixes of a subscriber whose policy alone matters. */
  private static final List<IpPrefix> ANY_PREFIX = List.of(IpPrefix.v4(0, 32));

  private final int capacity;
  private final LimiterChoice choice;
  private final List<Limiter> others;

  /** Why no subscriber of this switch can have classes; empty if they can. */
  private final String lack;

  /**
   * The classes of one switch.
   *
   * @param others its limiters beside the FPGAs
   */
  public ClassMarking(
      Topology topology,
      SwitchProfile profile,
      FpgaProfile fpga,
      LimiterChoice choice,
      List<Limiter> others) {
    this.capacity = profile.trafficClassEntries();
    this.choice = choice;
    this.others = List.copyOf(others);
    this.lack = lack(topology, profile, fpga);
  }

  private static String lack(Topology topology, SwitchProfile profile, FpgaProfile fpga) {
    if (topology.sidecar(Direction.DOWN).isEmpty() && topology.sidecar(Direction.UP).isEmpty()) {
      return "the switch has no FPGA";
    } else if (profile.trafficClassEntries() == 0) {
      return "the switch's program does not tell them apart";
    }
    return fpga.classShares() ? "" : "the FPGAs have none with priorities and shares";
  }

  private boolean able() {
    return lack.isEmpty();
  }

  private static boolean has(Optional<PolicyState> policy) {
    return policy.isPresent() && policy.get().policy().classes().any();
  }

  // ---------------------------------------------------------------- policies

  @Override
  public void admit(SlaState state, PolicyState put, Problems problems) {
    Policy policy = put.policy();
    if (!policy.classes().any()) {
      return;
    }
    if (able()) {
      checkRoom(state, put, problems);
    } else if (state.subscribersUsing(policy.id()) > 0) {
      problems.add(
          Code.INVALID,
          FIELD,
          policy.classes().text(),
          "absent",
          String.format(
              Locale.ROOT,
              "Subscriber %s has policy %s and cannot have classes: %s.",
              state.someSubscribersUsing(policy.id(), 1).get(0),
              policy.id(),
              lack));
    }
    if (!has(state.policy(policy.id()))) {
      limitedOtherwise(state, policy.id())
          .ifPresent(
              id ->
                  problems.add(
                      Code.CONFLICT,
                      FIELD,
                      policy.classes().text(),
                      "absent, or a policy of subscribers that only the FPGA limits",
                      String.format(
                          Locale.ROOT,
                          "Subscriber %s has policy %s and is limited by the switch, which has no"
                              + " classes.",
                          id,
                          policy.id())));
    }
  }

  private void checkRoom(SlaState state, PolicyState put, Problems problems) {
    int others =
        state
            .allPolicies()
            .filter(each -> each.slot() != put.slot())
            .mapToInt(each -> entriesOf(each).size())
            .sum();
    int needed = entriesOf(put).size();
    if (needed > 0 && others + needed > capacity) {
      problems.add(
          Code.CAPACITY,
          FIELD,
          needed + " codepoints",
          "at most " + Math.max(0, capacity - others),
          String.format(
              Locale.ROOT,
              "The switch tells classes by %d codepoints of policies, %d are used, and this needs"
                  + " %d.",
              capacity,
              others,
              needed));
    }
  }

  /** A subscriber of a policy that something else than an FPGA limits. */
  private Optional<String> limitedOtherwise(SlaState state, String policyId) {
    return others.stream()
        .flatMapToInt(limiter -> limiter.limited(state))
        .filter(index -> isLimitedOtherwise(state, index, policyId))
        .mapToObj(state::idOf)
        .findFirst();
  }

  private boolean isLimitedOtherwise(SlaState state, int index, String policyId) {
    Subscriber subscriber = state.outline(index, ANY_PREFIX).subscriber();
    return limits(state, subscriber)
        .anyMatch(
            limit ->
                choice
                    .besidesFpga(
                        limit, direction -> subscriber.policyId(direction).equals(policyId))
                    .isPresent());
  }

  /** The limits that a subscriber is under. */
  private static Stream<RateLimit> limits(SlaState state, Subscriber subscriber) {
    Attachment at = subscriber.attachment();
    return Stream.of(
            new Scope.OfSubscriber(subscriber.id()),
            new Scope.OfTree(at.port(), at.tree()),
            new Scope.OfPort(at.port()))
        .flatMap(scope -> state.rateLimitOf(scope).stream());
  }

  @Override
  public void grant(PolicyState put, Grants out) {
    if (put.policy().classes().any()) {
      List<String> names = new ArrayList<>();
      ClassNumbers numbers = ClassNumbers.of(put.policy().classes());
      IntStream.range(0, numbers.byNumber().size())
          .forEach(number -> names.add(numbers.byNumber().get(number).name() + " " + number));
      out.note(
          able()
              ? "classes: numbers in the FPGA are " + String.join(", ", names)
              : "classes: no subscriber here can have this policy: " + lack);
    }
  }

  @Override
  public List<SwitchEntry> entriesOf(PolicyState policy) {
    List<SwitchEntry> entries = new ArrayList<>();
    if (able() && policy.policy().classes().any()) {
      ClassNumbers.of(policy.policy().classes())
          .byDscp()
          .forEach(
              (dscp, number) -> entries.add(new TrafficClassEntry(policy.slot(), dscp, number)));
    }
    return entries;
  }

  @Override
  public Optional<Expected<SwitchEntry>> expected(SlaState state, SwitchEntry actual) {
    return actual instanceof TrafficClassEntry entry
        ? state.policyInSlot(entry.policySlot()).stream()
            .flatMap(this::expected)
            .filter(each -> each.entity().sameKey(actual))
            .findFirst()
        : Optional.empty();
  }

  // ---------------------------------------------------------------- subscribers

  @Override
  public void admit(SlaState state, Subscriber put, SubscriberState before, Problems problems) {
    if (hasNow(state, put)) {
      policies(put).forEach(policyId -> admit(state, put, policyId, problems));
    }
  }

  /** Whether a policy of a subscriber has classes now; without a stream, as millions ask. */
  private static boolean hasNow(SlaState state, Subscriber subscriber) {
    return has(state.policy(subscriber.policyId()))
        || (subscriber.isSplit() && has(state.policy(subscriber.policyId(Direction.UP))));
  }

  /** The policies that a subscriber has now. */
  private static Stream<String> policies(Subscriber subscriber) {
    return subscriber.isSplit()
        ? Stream.of(subscriber.policyId(Direction.DOWN), subscriber.policyId(Direction.UP))
        : Stream.of(subscriber.policyId());
  }

  private void admit(SlaState state, Subscriber put, String policyId, Problems problems) {
    if (!has(state.policy(policyId))) {
      return;
    }
    String field =
        Subscriber.policyField(policyId.equals(put.policyId()) ? Direction.DOWN : Direction.UP);
    if (!able()) {
      problems.add(
          Code.INVALID,
          field,
          policyId,
          WITHOUT,
          "Policy " + policyId + " has classes, and " + lack + ".");
      return;
    }
    limits(state, put)
        .forEach(
            limit ->
                choice
                    .besidesFpga(limit, direction -> put.policyId(direction).equals(policyId))
                    .ifPresent(
                        other ->
                            problems.add(
                                Code.CONFLICT,
                                field,
                                policyId,
                                WITHOUT,
                                String.format(
                                    Locale.ROOT,
                                    "Policy %s has classes, which only the FPGA serves; enforcement"
                                        + " of rate limit %s of %s is %s.",
                                    policyId,
                                    limit.id(),
                                    limit.scope(),
                                    other.text()))));
  }

  @Override
  public void readmit(SlaState state, SubscriberState stored, Problems problems) {
    admit(state, stored.subscriber(), stored, problems);
  }

  @Override
  public void admit(SlaState state, RateLimit limit, Problems problems) {
    Optional<Enforcement> other = choice.besidesFpga(limit, direction -> true);
    if (other.isEmpty() || state.allPolicies().noneMatch(each -> each.policy().classes().any())) {
      return;
    }
    try (Stream<SubscriberState> members = members(state, limit.scope())) {
      members
          .map(SubscriberState::subscriber)
          .flatMap(
              each ->
                  policies(each)
                      .filter(policyId -> has(state.policy(policyId)))
                      .filter(
                          policyId ->
                              choice
                                  .besidesFpga(
                                      limit, direction -> each.policyId(direction).equals(policyId))
                                  .isPresent())
                      .map(policyId -> onlyFpga(policyId, each)))
          .findFirst()
          .ifPresent(
              detail ->
                  problems.add(
                      Code.CONFLICT,
                      "enforcement",
                      other.get().text(),
                      Enforcement.FPGA.text(),
                      detail));
    }
  }

  private static String onlyFpga(String policyId, Subscriber subscriber) {
    return String.format(
        Locale.ROOT,
        "Policy %s of subscriber %s has classes, which only the FPGA serves.",
        policyId,
        subscriber.id());
  }

  private static Stream<SubscriberState> members(SlaState state, Scope scope) {
    if (scope instanceof Scope.OfSubscriber of) {
      return state.subscriber(of.subscriberId()).stream();
    } else if (scope instanceof Scope.OfTree of) {
      return state.attachedTo(of.port(), of.tree());
    }
    return state.attachedTo(((Scope.OfPort) scope).port());
  }

  @Override
  public void grant(SlaState state, Subscriber subscriber, Grants out) {
    // Where none can have classes none is told of them.
    if (able() && hasNow(state, subscriber) && !AppliedLimits.of(state, subscriber).any()) {
      out.note("classes: without effect as long as no rate limit applies");
    }
  }
}
