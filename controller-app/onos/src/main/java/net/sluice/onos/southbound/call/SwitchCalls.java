package net.sluice.onos.southbound.call;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import net.sluice.core.target.NotReadyException;
import net.sluice.core.target.WriteResults;
import p4.v1.P4RuntimeOuterClass.Entity;
import p4.v1.P4RuntimeOuterClass.Update;

/**
 * The calls of one session with a switch, wherever in the cluster ONOS's connection to it is. Calls
 * that fail say why, for people; whether they were carried out is then not known.
 */
public interface SwitchCalls {
  /** How a reading ended. */
  enum End {
    /** Everything was read. */
    COMPLETE,
    /** The call took too long; what came before that was read. */
    CUT,
    /** Something that was asked for is not there. */
    NOT_FOUND,
    /** The switch, or the way to it, refused. */
    FAILED
  }

  /**
   * The entities that were read.
   *
   * @param reason for people; empty if everything was read
   */
  record Reading(End end, String reason, List<Entity> entities) {}

  /** Whether the switch can be driven and runs the program: fails if not. */
  CompletableFuture<Void> check();

  /** Writes; a result for each update. */
  CompletableFuture<WriteResults> write(List<Update> updates);

  /**
   * Reads entities.
   *
   * @param wanted entities by their keys, with their meters where one has a meter; a table entry
   *     without a match stands for all of its table, or for the one that matches everything
   * @param isTables which of the two
   */
  CompletableFuture<Reading> read(List<Entity> wanted, boolean isTables);

  /** Tells when the session ends, with the reason, where that is known without asking. */
  void listen(Consumer<String> lost);

  /** Ends the session: nothing is told any more, and nothing is tried again. */
  void close();

  /** Begins sessions. */
  interface Opener {
    /**
     * A new session. It is not known to stand before {@link #check} says so.
     *
     * @throws NotReadyException if there is to be none now, with the reason
     */
    SwitchCalls open() throws NotReadyException;
  }
}
