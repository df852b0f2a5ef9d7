package net.sluice.intents.marker.aggregate;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;
import net.sluice.intents.model.Attachment;
import net.sluice.intents.model.RateLimit;
import net.sluice.intents.model.Scope;
import net.sluice.intents.model.Subscriber;
import net.sluice.intents.profile.Topology;
import net.sluice.intents.profile.Topology.SwitchPort;
import net.sluice.intents.state.SlaState;
import net.sluice.intents.value.Direction;

/**
 * Something that contracts share: a rate limit of their tree or BNG port, a switch port, or the
 * ports of the routes.
 *
 * @param name for people
 * @param rateBps the most that one contract can have of it
 * @param mostBps the most that all contracts may add up to
 * @param covers the trees whose subscribers share it, by index
 */
record CommittedLine(String name, long rateBps, long mostBps, IntPredicate covers) {
  private static final int TREES_PER_PORT = Attachment.MAX_TREE + 1;

  /** The lines that a contract of a subscriber is on; its own rate limit is shared by no other. */
  static List<CommittedLine> of(
      Topology topology, SlaState state, Subscriber subscriber, Direction direction) {
    List<CommittedLine> lines = new ArrayList<>();
    Attachment at = subscriber.attachment();
    int tree = at.treeIndex();
    List<Scope> scopes =
        List.of(
            new Scope.OfSubscriber(subscriber.id()),
            new Scope.OfTree(at.port(), at.tree()),
            new Scope.OfPort(at.port()));
    for (Scope scope : scopes) {
      state.rateLimitOf(scope).flatMap(limit -> of(limit, direction, tree)).ifPresent(lines::add);
    }
    OptionalInt port = topology.switchPort(at.port());
    if (port.isPresent()) {
      topology
          .port(port.getAsInt())
          .ifPresent(
              of ->
                  lines.add(
                      new CommittedLine(
                          "switch port " + of.number(),
                          of.rateBps(),
                          most(of.rateBps(), of.maxCommittedPercent()),
                          each -> topology.leadsTo(each / TREES_PER_PORT, of.number()))));
    }
    if (direction == Direction.UP) {
      routes(topology).ifPresent(lines::add);
    }
    return lines;
  }

  /**
   * A rate limit of a direction.
   *
   * @param tree that of the subscriber, if the limit is a subscriber's own
   */
  static Optional<CommittedLine> of(RateLimit limit, Direction direction, int tree) {
    if (limit.rateBps(direction).isEmpty()) {
      return Optional.empty();
    }
    long rateBps = limit.rateBps(direction).getAsLong();
    IntPredicate covers = each -> each == tree;
    if (limit.scope() instanceof Scope.OfTree of) {
      int index = new Attachment(of.port(), of.tree()).treeIndex();
      covers = each -> each == index;
    } else if (limit.scope() instanceof Scope.OfPort of) {
      covers = each -> each / TREES_PER_PORT == of.port();
    }
    long most =
        limit.scope() instanceof Scope.OfSubscriber
            ? Long.MAX_VALUE
            : most(
                rateBps, limit.maxCommittedPercent().orElse(SwitchPort.DEFAULT_COMMITTED_PERCENT));
    return Optional.of(new CommittedLine("rate limit " + limit.id(), rateBps, most, covers));
  }

  /** All routes together: which of them a packet takes is not known before. */
  private static Optional<CommittedLine> routes(Topology topology) {
    List<SwitchPort> ports =
        topology.routes().stream()
            .map(Topology.Route::port)
            .distinct()
            .flatMap(port -> topology.port(port).stream())
            .toList();
    return ports.isEmpty()
        ? Optional.empty()
        : Optional.of(
            new CommittedLine(
                "the routes",
                ports.stream().mapToLong(SwitchPort::rateBps).max().orElseThrow(),
                ports.stream()
                    .mapToLong(port -> most(port.rateBps(), port.maxCommittedPercent()))
                    .sum(),
                each -> true));
  }

  private static long most(long rateBps, int percent) {
    return rateBps / 100 * percent + rateBps % 100 * percent / 100;
  }

  /** True if contracts of others count on it. */
  boolean isShared() {
    return mostBps != Long.MAX_VALUE;
  }

  /** The part of it that is committed. */
  long committedBps(SlaState state, Direction direction) {
    ContractLedger ledger = state.ledger(ContractLedger.class);
    return IntStream.range(0, Attachment.TREES)
        .filter(covers)
        .mapToLong(tree -> ledger.committedBps(direction, tree))
        .sum();
  }

  /** The highest rate of one contract on it. */
  long highestBps(SlaState state, Direction direction) {
    ContractLedger ledger = state.ledger(ContractLedger.class);
    return IntStream.range(0, Attachment.TREES)
        .filter(covers)
        .mapToLong(tree -> ledger.highestBps(direction, tree))
        .max()
        .orElse(0);
  }
}
