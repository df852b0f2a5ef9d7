package net.sluice.core.engine;

import java.time.Clock;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import net.sluice.core.Controller;
import net.sluice.core.ControllerConfig;
import net.sluice.core.ControllerConfig.FpgaEndpoint;
import net.sluice.core.ControllerConfig.SwitchEndpoint;
import net.sluice.core.store.IntentStore;
import net.sluice.core.store.RocksDbIntentStore;
import net.sluice.core.target.FpgaTarget;
import net.sluice.core.target.P4RuntimeTarget;
import net.sluice.core.target.Target;
import net.sluice.core.target.Targets;
import net.sluice.core.time.ThreadScheduler;
import net.sluice.fpga.GrpcRegisterBus;
import net.sluice.intents.model.Direction;
import net.sluice.intents.model.InvalidValueException;
import net.sluice.intents.plan.FpgaSetting;
import net.sluice.pipeconf.SwitchPipeline;

/** Opens a controller with a store on disk and targets reached over the network. */
public final class Endpoints {
  private Endpoints() {}

  /** See {@link Controller#open(ControllerConfig, SwitchPipeline, Clock)}. */
  public static Controller open(ControllerConfig config, SwitchPipeline pipeline, Clock clock) {
    SwitchEndpoint endpoint =
        config
            .switchEndpoint()
            .orElseThrow(
                () -> new InvalidValueException("switch", "absent", "host and port of the switch"));
    Deque<AutoCloseable> opened = new ArrayDeque<>();
    try {
      IntentStore store = new RocksDbIntentStore(config.storeDirectory());
      opened.push(store);
      P4RuntimeTarget switchTarget = new P4RuntimeTarget(Targets.SWITCH, endpoint, pipeline);
      opened.push(switchTarget);
      Optional<Target<FpgaSetting>> down =
          config.fpgaDown().map(e -> fpga(e, Direction.DOWN, config));
      down.ifPresent(opened::push);
      Optional<Target<FpgaSetting>> up = config.fpgaUp().map(e -> fpga(e, Direction.UP, config));
      up.ifPresent(opened::push);
      return Controller.open(
          config, store, new Targets(switchTarget, switchTarget, down, up), clock);
    } catch (RuntimeException e) {
      closeAll(opened, e);
      throw e;
    }
  }

  private static Target<FpgaSetting> fpga(
      FpgaEndpoint endpoint, Direction direction, ControllerConfig config) {
    String name = Targets.fpgaName(direction);
    return new FpgaTarget(
        name,
        direction,
        config.fpgaProfile(),
        () -> GrpcRegisterBus.connect(endpoint.host(), endpoint.port()),
        new ThreadScheduler("sluice-probe-" + name));
  }

  private static void closeAll(Deque<AutoCloseable> opened, RuntimeException cause) {
    for (AutoCloseable each : opened) {
      try {
        each.close();
      } catch (Exception e) {
        cause.addSuppressed(e);
      }
    }
  }
}
