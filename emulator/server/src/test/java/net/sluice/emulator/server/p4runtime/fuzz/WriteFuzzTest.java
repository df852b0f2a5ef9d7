package net.sluice.emulator.server.p4runtime.fuzz;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import net.sluice.emulator.server.p4runtime.program.Binding;
import net.sluice.emulator.server.p4runtime.request.Reader;
import net.sluice.emulator.server.p4runtime.request.Writer;
import net.sluice.emulator.server.p4runtime.status.RpcException;
import net.sluice.emulator.v1model.LoadedProgram;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import p4.v1.P4RuntimeOuterClass.Entity;
import p4.v1.P4RuntimeOuterClass.ForwardingPipelineConfig;
import p4.v1.P4RuntimeOuterClass.Update;
import p4.v1.P4RuntimeOuterClass.WriteRequest.Atomicity;

/**
 * Many random writes against a model ({@link WriteFuzz}), without connections. {@code
 * -Dsluice.fuzz.batches} says how many batches (1,500), {@code -Dsluice.fuzz.seed} which ones.
 */
class WriteFuzzTest {

  private static final int BATCHES = Integer.getInteger("sluice.fuzz.batches", 1_500);
  private static final long SEED = Long.getLong("sluice.fuzz.seed", 1);
  private static final int BATCHES_PER_COMPARISON = 50;

  /** Of the controller's own program in the suite in minutes: its registers have many cells. */
  private static final int FEWER_BATCHES = Math.min(BATCHES, 400);

  @ParameterizedTest
  @ValueSource(strings = {"entities", "meters", "valuesets", "commands", "copies", "profiles"})
  void theSwitchDoesWhatTheSpecificationSays(String program) throws Exception {
    run(program, BATCHES);
  }

  @Test
  void theSwitchDoesSoWithTheControllersProgram() throws Exception {
    run("sluice", FEWER_BATCHES);
  }

  @Tag("long")
  @Test
  void theSwitchDoesSoWithTheControllersProgramForLong() throws Exception {
    run("sluice", BATCHES);
  }

  private static void run(String program, int batches) throws Exception {
    ForwardingPipelineConfig config = WriteFuzz.config(program);
    Binding binding =
        Binding.of(config, LoadedProgram.load(config.getP4DeviceConfig().toByteArray(), 1));
    ReentrantLock lock = new ReentrantLock();
    Writer writer = new Writer(binding, lock);
    new WriteFuzz(
            config.getP4Info(),
            SEED,
            new WriteFuzz.Target() {
              @Override
              public RpcException[] write(List<Update> updates, Atomicity atomicity)
                  throws RpcException {
                return writer.apply(updates, atomicity);
              }

              @Override
              public List<Entity> read(Entity filter) {
                List<Entity> found = new ArrayList<>();
                try {
                  Reader reader = new Reader(binding, lock, r -> found.addAll(r.getEntitiesList()));
                  RpcException[] errors = reader.read(List.of(filter));
                  if (errors != null) {
                    throw new IllegalStateException(errors[0].getMessage());
                  }
                } catch (RpcException e) {
                  throw new IllegalStateException(e);
                }
                return found;
              }
            })
        .run(batches, BATCHES_PER_COMPARISON)
        .assertAllKindsMet();
  }
}
