package net.sluice.onos.southbound.driver;

import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.onosproject.net.DeviceId;

/** Keeps the loading of programs apart from the sessions with the switches that they empty. */
public interface ProgramLoads {
  /**
   * Loads a program: ends the session with the switch, makes the call when all that the session has
   * sent has been answered, and lets the next session begin when the call has been answered.
   *
   * @param reason for the session's end, for people
   * @param call loads; true if it has
   * @return the call's answer
   */
  CompletableFuture<Boolean> load(
      DeviceId device, String reason, Supplier<CompletableFuture<Boolean>> call);
}
