package net.sluice.emulator.server.gnmi;

import net.sluice.gnmi.GnmiPaths;
import net.sluice.gnmi.wire.Notification;
import net.sluice.gnmi.wire.Path;

/**
 * The prefix of an answer: the request's, so that paths are relative to it as the client's were;
 * only its target if it has wildcards, as paths then differ before where it ends.
 */
final class Prefixed {

  private final Path prefix;
  private final int elems;

  Prefixed(Path requested) {
    boolean open = GnmiPaths.hasWildcard(requested);
    prefix = open ? Path.newBuilder().setTarget(requested.getTarget()).build() : requested;
    elems = prefix.getElemCount();
  }

  void into(Notification.Builder notification) {
    if (!prefix.equals(Path.getDefaultInstance())) {
      notification.setPrefix(prefix);
    }
  }

  /** A whole path, without what the prefix says. */
  Path relative(Path path) {
    return elems == 0
        ? path
        : Path.newBuilder()
            .addAllElem(path.getElemList().subList(elems, path.getElemCount()))
            .build();
  }
}
