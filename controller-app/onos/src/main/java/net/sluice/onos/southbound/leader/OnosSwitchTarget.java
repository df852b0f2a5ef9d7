package net.sluice.onos.southbound.leader;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import net.sluice.core.ControllerException;
import net.sluice.core.target.ExpectedEntries;
import net.sluice.core.target.NotReadyException;
import net.sluice.core.target.SwitchTarget;
import net.sluice.core.time.Scheduler;
import net.sluice.intents.plan.SwitchEntry;
import net.sluice.onos.southbound.call.SwitchCalls;
import net.sluice.pipeconf.CompiledProgram;
import p4.v1.P4RuntimeOuterClass.CounterEntry;
import p4.v1.P4RuntimeOuterClass.Entity;
import p4.v1.P4RuntimeOuterClass.Update;

/**
 * A switch behind ONOS's P4Runtime client.
 *
 * <p>ONOS connects to it, elects its master and loads its pipeconf; a session here is the time
 * during which all that is done and one instance is master, this one or another. ONOS ends every
 * call after ten seconds, so batches are small and reading goes piece by piece, see {@link
 * BoundedReading}.
 */
public final class OnosSwitchTarget extends SwitchTarget<OnosSession> {
  /** Sizes that were measured to do best through ONOS's client. */
  private static final Capabilities CAPABILITIES = new Capabilities(1_000, 8);

  private final SwitchCalls.Opener route;
  private final CompiledProgram program;
  private final Scheduler scheduler;

  /**
   * A switch that is not yet connected.
   *
   * @param name name for status
   * @param route begins its sessions
   * @param program the program it runs
   * @param scheduler for probes, deadlines and reading; closed with the target
   */
  public OnosSwitchTarget(
      String name, SwitchCalls.Opener route, CompiledProgram program, Scheduler scheduler) {
    super(name, CAPABILITIES, program.entries(), program.counters(), scheduler);
    this.route = route;
    this.program = program;
    this.scheduler = scheduler;
  }

  @Override
  protected OnosSession open() throws NotReadyException {
    return new OnosSession(route, scheduler);
  }

  @Override
  protected void send(OnosSession session, List<Update> updates, WriteHandler handler) {
    session.within(
        session.calls().write(updates),
        "the switch has not answered a write for " + OnosSession.ANSWER_DEADLINE.toSeconds() + " s",
        handler::lost,
        handler::done);
  }

  @Override
  protected void read(
      OnosSession session, ExpectedEntries<SwitchEntry> known, ReadHandler<SwitchEntry> handler) {
    BoundedReading reading =
        new BoundedReading(
            name(), session, program.entries(), known, handler, entity -> removal(session, entity));
    scheduler.execute(reading::start);
  }

  @Override
  protected CompletableFuture<List<CounterEntry>> readCells(
      OnosSession session, List<Entity> cells) {
    CompletableFuture<List<CounterEntry>> result = new CompletableFuture<>();
    session.within(
        session.calls().read(cells, false),
        "the switch has not told its counters",
        reason -> result.completeExceptionally(new ControllerException(reason)),
        reading -> {
          if (reading.end() == SwitchCalls.End.COMPLETE) {
            result.complete(reading.entities().stream().map(Entity::getCounterEntry).toList());
          } else {
            result.completeExceptionally(new ControllerException(reading.reason()));
          }
        });
    return result;
  }
}
