package net.sluice.rest.host;

import java.io.InputStream;
import java.util.List;
import java.util.Map;
import net.sluice.intents.validate.Refusal;
import net.sluice.northbound.json.JsonContent;

/** Puts the store of a backup in the place of the one in use, while the host runs. */
public interface Restoring {
  /**
   * The store that is in use from now on; the controller begins anew with it.
   *
   * @param revisions number of the last commit by name of the switch
   * @param notes what of the backup this host does not take, a sentence each
   */
  record Restored(long identity, Map<String, Long> revisions, List<String> notes) {}

  /**
   * Reads a backup and restores it. What was changed while it was read goes with the old store.
   *
   * @param replace whether a store may be replaced in which something is declared
   * @param who writes the fields that say who asks; the audit log of the restored store has them
   * @throws Refusal if the backup is damaged, or something is declared and may not be replaced; the
   *     store is what it was
   * @throws net.sluice.core.ControllerException if the store cannot be written; it is what it was
   */
  Restored restore(InputStream backup, boolean replace, JsonContent who) throws Refusal;
}
