package net.sluice.core.session;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import net.sluice.core.InstallSummary.SessionState;
import net.sluice.core.session.TargetSession.Phase;

/** What a declaration that is not at a target yet waits for there, in words. */
final class Awaited {
  private Awaited() {}

  /**
   * The words.
   *
   * @param phase what a session that stands does
   * @param attempting whether an attempt to connect is under way
   * @param waiting writes not yet sent
   * @param inFlight writes sent and not yet answered
   * @param readSince when the last reading back began
   */
  static Optional<String> words(
      SessionState state,
      Phase phase,
      boolean attempting,
      int waiting,
      int inFlight,
      Instant readSince) {
    return switch (state) {
      case CLOSED -> Optional.empty();
      case CONNECTING ->
          Optional.of(
              attempting
                  ? "an attempt to reach the target is under way; then it is read back"
                  : "the next attempt to reach the target; then it is read back");
      case READY -> Optional.of("being written: " + writes(waiting, inFlight));
      case RECONCILING ->
          Optional.of(
              switch (phase) {
                case READING ->
                    "the target is read back since "
                        + readSince.truncatedTo(ChronoUnit.MILLIS)
                        + "; then what it lacks is written";
                case REWRITING ->
                    "the target was read back; what it lacks is being written: "
                        + writes(waiting, inFlight);
                case DRAINING, WRITING ->
                    "answers to writes in flight, "
                        + inFlight
                        + " of them; then the target is read back, and what it lacks is written";
              });
    };
  }

  private static String writes(int waiting, int inFlight) {
    return waiting + " writes wait, " + inFlight + " are sent and unanswered";
  }
}
