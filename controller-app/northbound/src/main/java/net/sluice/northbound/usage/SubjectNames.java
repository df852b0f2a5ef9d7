package net.sluice.northbound.usage;

import java.util.Optional;

/** The names of what is measured, as they are kept. */
final class SubjectNames {
  private static final String SUBSCRIBER = "s/";
  private static final String TREE = "t/";
  private static final String PORT = "p/";
  private static final String POLICY = "c/";

  private SubjectNames() {}

  static String of(Measured which) {
    if (which instanceof Measured.OfSubscriber of) {
      return subscriber(of.id());
    }
    if (which instanceof Measured.OfTree of) {
      return TREE + of.switchName() + "/" + of.port() + "/" + of.tree();
    }
    if (which instanceof Measured.OfPort of) {
      return PORT + of.switchName() + "/" + of.port();
    }
    return POLICY + ((Measured.OfPolicy) which).id();
  }

  static String subscriber(String id) {
    return SUBSCRIBER + id;
  }

  /** The id of a subscriber by its name. */
  static String subscriberOf(String name) {
    return name.substring(SUBSCRIBER.length());
  }

  /** The name of the port that a tree is at; empty if it is none. */
  static Optional<String> portOfTree(String name) {
    return name.startsWith(TREE)
        ? Optional.of(PORT + name.substring(TREE.length(), name.lastIndexOf('/')))
        : Optional.empty();
  }
}
