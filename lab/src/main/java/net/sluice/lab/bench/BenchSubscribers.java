package net.sluice.lab.bench;

import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import net.sluice.intents.model.Attachment;
import net.sluice.intents.model.IpPrefix;
import net.sluice.intents.model.RateLimit;
import net.sluice.intents.model.Scope;
import net.sluice.intents.model.Subscriber;
import net.sluice.intents.model.VlanTags;

/** The subscribers of the benchmarks, every fifth of policy Gold, the others Silver. */
enum BenchSubscribers {
  /** One IPv4 address each and nothing else. */
  EASY,
  /**
   * An IPv4 address and an IPv6 prefix each; every fourth a line with two VLAN tags, as many as the
   * switch has room for at a million; every tenth a rate limit of its own, up to as many as the
   * FPGA has queues.
   */
  HARD;

  private static final int FIRST_ADDRESS = 0x0a000001;
  private static final long FIRST_V6 = 0x2001_0db8_0000_0000L;
  private static final int TAGGED_IN = 4;
  private static final int LIMITED_IN = 10;
  private static final int MAX_LIMITED = 8 * 64 * 64;
  private static final long DOWN_BPS = 50_000_000;
  private static final long UP_BPS = 10_000_000;

  /** Id of subscriber {@code i}, from 0. */
  static String id(int i) {
    return "sub-" + i;
  }

  /** Its policy. */
  static String policy(int i) {
    return i % 5 == 0 ? "gold" : "silver";
  }

  /** Its addresses. */
  List<IpPrefix> prefixes(int i) {
    IpPrefix v4 = IpPrefix.v4(FIRST_ADDRESS + i, 32);
    return this == EASY ? List.of(v4) : List.of(v4, IpPrefix.v6(FIRST_V6 | i, 0, 64));
  }

  private boolean isLimited(int i) {
    return this == HARD && i % LIMITED_IN == 0 && i / LIMITED_IN < MAX_LIMITED;
  }

  /** Those with a limit are spread over all trees by themselves: a tree has 64 queues. */
  private Attachment attachment(int i) {
    int k = isLimited(i) ? i / LIMITED_IN : i;
    return new Attachment(k & 7, k >>> 3 & 63);
  }

  /** The subscriber as declared. */
  Subscriber subscriber(int i) {
    return new Subscriber(
        id(i),
        policy(i),
        prefixes(i),
        this == HARD && i % TAGGED_IN == 0
            ? Optional.of(
                VlanTags.pair(1 + i / TAGGED_IN / VlanTags.MAX, 1 + i / TAGGED_IN % VlanTags.MAX))
            : Optional.empty(),
        attachment(i));
  }

  /** The rate limits of the first {@code count} subscribers. */
  Stream<RateLimit> limits(int count) {
    return IntStream.range(0, count)
        .filter(this::isLimited)
        .mapToObj(
            i ->
                new RateLimit(
                    id(i),
                    new Scope.OfSubscriber(id(i)),
                    OptionalLong.of(DOWN_BPS),
                    OptionalLong.of(UP_BPS),
                    OptionalInt.empty()));
  }

  /** The body of a subscriber's PUT, with a policy. */
  String body(int i, String policy) {
    return body(i, policy, Optional.empty());
  }

  /** As the other, at a switch of a network. */
  String body(int i, String policy, Optional<String> switchName) {
    Subscriber subscriber = subscriber(i);
    String tags =
        subscriber
            .vlans()
            .map(vlans -> ",\"sVlan\":" + vlans.sVlan() + ",\"cVlan\":" + vlans.cVlan())
            .orElse("");
    return "{\"policy\":\""
        + policy
        + "\",\"prefixes\":[\""
        + subscriber.prefixes().stream()
            .map(IpPrefix::toString)
            .collect(Collectors.joining("\",\""))
        + "\"]"
        + tags
        + ",\"attachment\":{"
        + switchName.map(name -> "\"switch\":\"" + name + "\",").orElse("")
        + "\"port\":"
        + subscriber.attachment().port()
        + ",\"tree\":"
        + subscriber.attachment().tree()
        + "}}";
  }

  /** Bulk lines that put subscribers {@code 0..count-1}. */
  Iterator<String> bulkLines(int count) {
    return bulkLines(count, i -> Optional.empty());
  }

  /**
   * As the other, at switches of a network.
   *
   * @param switchOf the switch of each subscriber
   */
  Iterator<String> bulkLines(int count, IntFunction<Optional<String>> switchOf) {
    IntFunction<String> line =
        i ->
            "{\"op\":\"put\",\"kind\":\"subscriber\",\"id\":\""
                + id(i)
                + "\",\"value\":"
                + body(i, policy(i), switchOf.apply(i))
                + "}";
    return IntStream.range(0, count).mapToObj(line).iterator();
  }

  /** Bulk lines that put their limits. */
  Iterator<String> limitLines(int count) {
    return limits(count)
        .map(
            limit ->
                "{\"op\":\"put\",\"kind\":\"rate-limit\",\"id\":\""
                    + limit.id()
                    + "\",\"value\":{\"scope\":{\"subscriber\":\""
                    + limit.id()
                    + "\"},\"downBps\":"
                    + DOWN_BPS
                    + ",\"upBps\":"
                    + UP_BPS
                    + "}}")
        .iterator();
  }
}
