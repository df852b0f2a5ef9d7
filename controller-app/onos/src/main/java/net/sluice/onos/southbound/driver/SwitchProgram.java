package net.sluice.onos.southbound.driver;

import io.grpc.ManagedChannel;
import io.grpc.Status;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import net.sluice.core.target.NotReadyException;
import net.sluice.core.target.RpcErrors;
import org.onlab.osgi.ServiceNotFoundException;
import org.onosproject.grpc.api.GrpcChannelController;
import org.onosproject.net.DeviceId;
import org.onosproject.net.behaviour.PiPipelineProgrammable;
import org.onosproject.net.config.NetworkConfigService;
import org.onosproject.net.driver.AbstractHandlerBehaviour;
import org.onosproject.net.pi.model.PiPipeconf;
import org.onosproject.p4runtime.api.P4RuntimeClient;
import org.onosproject.p4runtime.api.P4RuntimeController;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Loads a pipeconf onto a switch: its device configuration is the pipeconf's as it is.
 *
 * <p>A program that is loaded empties the switch, and ONOS asks for it more often than needed: once
 * for every device that a cluster has not seen before, and whenever a switch has not said in time
 * which program it runs. So a program is loaded only onto a switch that has just said that it runs
 * another one, or none; one that runs it already is told to be loaded, and where the switch does
 * not answer nothing is loaded until it does.
 */
public final class SwitchProgram extends AbstractHandlerBehaviour
    implements PiPipelineProgrammable {
  private static final Logger LOG = LoggerFactory.getLogger(SwitchProgram.class);

  @Override
  public CompletableFuture<Boolean> isPipeconfSet(PiPipeconf pipeconf) {
    return cookie().handle((cookie, failure) -> failure == null && isOf(cookie, pipeconf));
  }

  @Override
  public CompletableFuture<Boolean> setPipeconf(PiPipeconf pipeconf) {
    return cookie()
        .handle(
            (cookie, failure) -> {
              if (failure != null) {
                LOG.warn(
                    "pipeconf {} is not loaded onto {}, which does not say what program it runs:"
                        + " {}",
                    pipeconf.id(),
                    data().deviceId(),
                    RpcErrors.text(failure));
                return CompletableFuture.completedFuture(false);
              }
              return isOf(cookie, pipeconf)
                  ? CompletableFuture.completedFuture(true)
                  : load(pipeconf, cookie.isPresent());
            })
        .thenCompose(Function.identity());
  }

  private static boolean isOf(OptionalLong cookie, PiPipeconf pipeconf) {
    return cookie.isPresent() && cookie.getAsLong() == pipeconf.fingerprint();
  }

  /** The cookie that the switch answers; fails if it does not answer, or cannot be asked. */
  private CompletableFuture<OptionalLong> cookie() {
    try {
      ManagementAddress address = address();
      ManagedChannel channel =
          handler().get(GrpcChannelController.class).get(address.uri()).orElse(null);
      return channel == null
          ? unknown("ONOS is not connected to it")
          : CookieCall.ask(channel, address.p4DeviceId());
    } catch (NotReadyException | RuntimeException e) {
      return unknown(e.getMessage());
    }
  }

  private static CompletableFuture<OptionalLong> unknown(String reason) {
    return CompletableFuture.failedFuture(
        Status.UNAVAILABLE.withDescription(reason).asRuntimeException());
  }

  private ManagementAddress address() throws NotReadyException {
    return ManagementAddress.of(data().deviceId(), handler().get(NetworkConfigService.class));
  }

  private CompletableFuture<Boolean> load(PiPipeconf pipeconf, boolean another) {
    DeviceId device = data().deviceId();
    P4RuntimeClient client = handler().get(P4RuntimeController.class).get(device);
    if (client == null) {
      return CompletableFuture.completedFuture(false);
    }
    String reason =
        "ONOS loads pipeconf "
            + pipeconf.id()
            + ", which empties the switch: it runs "
            + (another ? "another program" : "no program");
    try (InputStream in = pipeconf.extension(Pipeconfs.LOADED).orElse(null)) {
      if (in == null) {
        LOG.warn("{} is not loaded onto {}: {}", pipeconf, device, SwitchDrivers.NOTHING_TO_LOAD);
        return CompletableFuture.completedFuture(false);
      }
      ByteBuffer config = ByteBuffer.wrap(in.readAllBytes());
      long p4DeviceId = address().p4DeviceId();
      return handler()
          .get(ProgramLoads.class)
          .load(device, reason, () -> client.setPipelineConfig(p4DeviceId, pipeconf, config));
    } catch (ServiceNotFoundException e) {
      LOG.warn("pipeconf {} is not loaded onto {}: Sluice is not active", pipeconf.id(), device);
    } catch (NotReadyException | IOException e) {
      LOG.warn("pipeconf {} is not loaded onto {}: {}", pipeconf.id(), device, e.getMessage());
    }
    return CompletableFuture.completedFuture(false);
  }

  @Override
  public Optional<PiPipeconf> getDefaultPipeconf() {
    // Which program a switch runs is the operator's choice, in the network configuration.
    return Optional.empty();
  }
}
