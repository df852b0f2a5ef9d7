package net.sluice.onos.southbound.driver;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import net.sluice.pipeconf.PacketCodec;
import net.sluice.pipeconf.SwitchPipeline;
import org.onosproject.net.driver.Behaviour;
import org.onosproject.net.pi.model.PiPipeconf;
import org.onosproject.net.pi.model.PiPipeconfId;
import org.onosproject.net.pi.model.PiPipelineModel;
import org.onosproject.p4runtime.model.P4InfoParser;
import org.onosproject.p4runtime.model.P4InfoParserException;

/**
 * A compiled program as a pipeconf. It has no behaviours: nothing but this application writes to
 * such a switch.
 *
 * <p>Its fingerprint, the cookie that a switch's program is known by, is the program's, and the one
 * that the standalone controller sets. Those that ONOS computes have hash codes of enum constants
 * in them, which each process draws anew: after a restart, and on every other instance of a
 * cluster, ONOS would take the program for another one and load it, which empties the switch.
 */
final class SwitchPipeconf implements PiPipeconf {
  private final PiPipeconfId id;
  private final SwitchPipeline pipeline;
  private final PiPipelineModel model;
  private final Optional<PiPackets> packets;

  SwitchPipeconf(PiPipeconfId id, SwitchPipeline pipeline) {
    this.id = id;
    this.pipeline = pipeline;
    this.packets = PacketCodec.of(pipeline.p4Info()).map(PiPackets::new);
    try {
      model = P4InfoParser.parse(pipeline.p4InfoFile());
    } catch (P4InfoParserException e) {
      throw new IllegalStateException("ONOS cannot read the packaged P4Info of " + id, e);
    }
  }

  Optional<PiPackets> packets() {
    return packets;
  }

  @Override
  public PiPipeconfId id() {
    return id;
  }

  @Override
  public PiPipelineModel pipelineModel() {
    return model;
  }

  @Override
  public long fingerprint() {
    return pipeline.cookie();
  }

  @Override
  public Collection<Class<? extends Behaviour>> behaviours() {
    return List.of();
  }

  @Override
  public Optional<Class<? extends Behaviour>> implementation(Class<? extends Behaviour> behaviour) {
    return Optional.empty();
  }

  @Override
  public boolean hasBehaviour(Class<? extends Behaviour> behaviour) {
    return false;
  }

  @Override
  public Optional<InputStream> extension(ExtensionType type) {
    if (type == ExtensionType.P4_INFO_TEXT) {
      try {
        return Optional.of(pipeline.p4InfoFile().openStream());
      } catch (IOException e) {
        throw new UncheckedIOException("cannot read the packaged P4Info of " + id, e);
      }
    }
    return type == Pipeconfs.LOADED && !pipeline.deviceConfig().isEmpty()
        ? Optional.of(pipeline.deviceConfig().newInput())
        : Optional.empty();
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof SwitchPipeconf that
        && fingerprint() == that.fingerprint()
        && id.equals(that.id);
  }

  @Override
  public int hashCode() {
    return Long.hashCode(fingerprint());
  }

  @Override
  public String toString() {
    return id + " with cookie " + fingerprint();
  }
}
