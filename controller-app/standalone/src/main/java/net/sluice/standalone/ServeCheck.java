package net.sluice.standalone;

import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import net.sluice.client.StateDirectory;
import net.sluice.core.StoredState;
import net.sluice.endpoints.Endpoints;
import net.sluice.endpoints.StoreRestore;
import net.sluice.intents.plan.TableUse;
import net.sluice.intents.profile.Topology;
import net.sluice.intents.state.StoreIdentity;
import picocli.CommandLine;

/**
 * The report of {@code serve --check}: on standard output what would be served, on standard error
 * each reason for which it would be refused.
 */
final class ServeCheck {
  /** Exit code if {@code serve} would refuse. */
  static final int REFUSED = 1;

  private final PrintWriter out;
  private final PrintWriter err;
  private final Path directory;
  private boolean refused;

  /** {@code directory}: where declarations are kept. */
  ServeCheck(CommandLine command, Path directory) {
    out = command.getOut();
    err = command.getErr();
    this.directory = directory;
  }

  /** Tells of the targets; {@code where} says what and where they are. */
  void tell(String where, Topology topology) {
    String ports =
        topology.ports().stream()
            .map(port -> port.number() + " " + port.role().name().toLowerCase(Locale.ROOT))
            .collect(Collectors.joining(", "));
    out.println(where + "; ports: " + ports);
  }

  /** Tells of what is stored, by switch; empty if there is no store yet. */
  void tell(Optional<Map<String, StoredState>> found) {
    if (found.isEmpty()) {
      Optional<String> obstacle =
          StoreRestore.cutShort(directory).or(() -> StateDirectory.obstacle(directory));
      obstacle.ifPresentOrElse(
          this::refuse, () -> out.println("store " + directory + ": not there yet, would be made"));
      return;
    }
    found
        .get()
        .forEach(
            (name, stored) -> {
              if (found.get().size() > 1) {
                out.println(name + ":");
              }
              tell(stored);
            });
  }

  private void tell(StoredState stored) {
    Endpoints.storeHolder(directory)
        .ifPresent(holder -> refuse("the store in " + directory + " is in use by " + holder));
    out.println("store " + directory + identity(stored) + ": " + stored.misfits().storedText());
    if (!stored.misfits().isEmpty()) {
      refuse(stored.misfits().text());
      return;
    }
    stored.notes().forEach(note -> out.println("  " + note));
    for (TableUse use : stored.tableUse()) {
      if (use.used() > 0) {
        String note = use.isNearlyFull() ? ", nearly full" : "";
        out.println("  " + use.resource() + ": " + use.used() + " of " + use.size() + note);
      }
    }
  }

  private static String identity(StoredState stored) {
    String identity =
        stored.identity() == 0 ? "" : ", identity " + StoreIdentity.text(stored.identity());
    return stored.revision() == 0 ? identity : identity + ", revision " + stored.revision();
  }

  /** Tells what {@code serve} would warn of. */
  void warn(String what) {
    out.println("  " + what);
  }

  /** Tells why {@code serve} would refuse. */
  void refuse(String reason) {
    refused = true;
    err.println("sluice: serve would refuse: " + reason);
  }

  /** Says how it ends; answers the exit code. */
  int end() {
    if (!refused) {
      out.println("sluice: serve would start");
    }
    out.flush();
    err.flush();
    return refused ? REFUSED : 0;
  }
}
