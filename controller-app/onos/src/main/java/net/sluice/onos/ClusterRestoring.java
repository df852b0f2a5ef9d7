package net.sluice.onos;

import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import net.sluice.core.ControllerException;
import net.sluice.core.store.BackupFile;
import net.sluice.intents.validate.Problem;
import net.sluice.intents.validate.Refusal;
import net.sluice.northbound.Northbound;
import net.sluice.northbound.audit.AuditLog;
import net.sluice.northbound.json.JsonContent;
import net.sluice.onos.store.ClusterNetworkStore;
import net.sluice.rest.guard.Auditing;
import net.sluice.rest.host.Restoring;

/** Restores backups, of this host or another one, into the storage of the cluster. */
final class ClusterRestoring implements Restoring {
  private static final int MADE = 200;

  private final ClusterNetworkStore store;
  private final SluiceSettings application;

  /** Over the store of the instance that leads. */
  ClusterRestoring(ClusterNetworkStore store, SluiceSettings application) {
    this.store = store;
    this.application = application;
  }

  @Override
  public Restored restore(InputStream backup, boolean replace, JsonContent who) throws Refusal {
    if (!replace && !store.isEmpty()) {
      throw new Refusal(
          List.of(
              new Problem(
                  Problem.Code.CONFLICT,
                  "replace",
                  "false",
                  "true where something is declared",
                  "There are declarations; with replace=true those of the backup take their"
                      + " place.")));
    }
    List<String> notes = new ArrayList<>();
    try {
      ClusterNetworkStore.Restored restored =
          store.restore(
              to -> BackupFile.read("the backup", backup, to),
              (name, document) -> isDriven(name, document, notes),
              Northbound.AUDIT,
              number -> AuditLog.made(who, json -> Auditing.writeOutcome(json, MADE), number));
      if (restored.tooLarge() > 0) {
        notes.add(
            restored.tooLarge()
                + " answers to requests with an Idempotency-Key are too large for the cluster's"
                + " storage: such a request is made again if it comes again.");
      }
      return new Restored(restored.identity(), restored.revisions(), notes);
    } catch (BackupFile.UnreadableBackup e) {
      throw new Refusal(
          List.of(
              new Problem(
                  Problem.Code.MALFORMED,
                  "body",
                  "unreadable",
                  "a backup that sluice backup wrote",
                  e.getMessage() + ".")));
    }
  }

  /** Whether ONOS drives a switch as a backup declares it; notes why not. */
  private boolean isDriven(String switchName, byte[] document, List<String> notes) {
    try {
      SwitchSettings unused = SwitchSettings.ofStored(switchName, document, application);
      return true;
    } catch (ControllerException e) {
      notes.add(
          "How switch "
              + switchName
              + " is driven is left out: the network configuration says it in ONOS.");
      return false;
    }
  }
}
