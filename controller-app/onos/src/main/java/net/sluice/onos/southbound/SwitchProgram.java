package net.sluice.onos.southbound;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import org.onosproject.drivers.p4runtime.AbstractP4RuntimePipelineProgrammable;
import org.onosproject.net.pi.model.PiPipeconf;
import org.onosproject.net.pi.model.PiPipeconf.ExtensionType;

/** Loads a pipeconf onto a switch: its device configuration is the pipeconf's as it is. */
public final class SwitchProgram extends AbstractP4RuntimePipelineProgrammable {
  private static final List<ExtensionType> DEVICE_CONFIGS =
      List.of(ExtensionType.BMV2_JSON, ExtensionType.RAW_DEVICE_CONFIG);

  @Override
  public ByteBuffer createDeviceDataBuffer(PiPipeconf pipeconf) {
    for (ExtensionType type : DEVICE_CONFIGS) {
      Optional<InputStream> extension = pipeconf.extension(type);
      if (extension.isPresent()) {
        try (InputStream in = extension.get()) {
          return ByteBuffer.wrap(in.readAllBytes());
        } catch (IOException e) {
          log.error("cannot read the {} of pipeconf {}", type, pipeconf.id(), e);
          return null;
        }
      }
    }
    log.error("pipeconf {} has none of {}", pipeconf.id(), DEVICE_CONFIGS);
    return null;
  }

  @Override
  public Optional<PiPipeconf> getDefaultPipeconf() {
    // Which program a switch runs is the operator's choice, in the network configuration.
    return Optional.empty();
  }
}
