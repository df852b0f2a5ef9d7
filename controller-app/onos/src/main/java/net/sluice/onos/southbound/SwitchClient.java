package net.sluice.onos.southbound;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import net.sluice.core.target.WriteCode;
import net.sluice.intents.plan.Op;
import org.onosproject.net.pi.model.PiTableId;
import org.onosproject.net.pi.runtime.PiEntity;
import org.onosproject.net.pi.runtime.PiHandle;

/**
 * The calls of one session to a switch, wherever in the cluster ONOS's connection to it is. Calls
 * that fail say why, for people; what they have done is then not known.
 */
public interface SwitchClient {
  /**
   * Something to be written.
   *
   * @param op what is to be done
   * @param entity the whole entity, also where its key would do
   */
  record PiUpdate(Op op, PiEntity entity) {}

  /**
   * The result of an update.
   *
   * @param message the switch's words; empty if it was done
   */
  record PiAnswer(WriteCode code, String message) {
    static final PiAnswer OK = new PiAnswer(WriteCode.OK, "");
  }

  /** The entities to read. */
  sealed interface PiReadRequest {
    /** All entries of some tables. */
    record Tables(List<PiTableId> ids) implements PiReadRequest {}

    /** Entities that have these keys. */
    record Keys(List<PiHandle> handles) implements PiReadRequest {}
  }

  /** How a reading ended. */
  enum ReadEnd {
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
  record PiReading(ReadEnd end, String reason, List<PiEntity> entities) {}

  /** Whether the switch can be driven and runs our program: fails if not. */
  CompletableFuture<Void> check();

  /** Writes; an answer for each update. */
  CompletableFuture<List<PiAnswer>> write(List<PiUpdate> updates);

  /** Reads. */
  CompletableFuture<PiReading> read(PiReadRequest question);

  /** Tells when the session ends, with the reason, where that can be known without asking. */
  void listen(Consumer<String> lost);

  /** Ends the session: nothing is told any more, and nothing is tried again. */
  void close();
}
