package net.sluice.onos.southbound;

import java.io.InputStream;
import java.util.Collection;
import java.util.Optional;
import org.onosproject.net.driver.Behaviour;
import org.onosproject.net.pi.model.PiPipeconf;
import org.onosproject.net.pi.model.PiPipeconfId;
import org.onosproject.net.pi.model.PiPipelineModel;

/**
 * A pipeconf with a fingerprint of our own, which is the cookie that a switch's program is known
 * by. The one that ONOS computes has hash codes of enum constants in it, which each process draws
 * anew: after a restart, and on every other instance of a cluster, it would take the program for
 * another one and load it anew, which empties the switch. Ours depends on the program alone, and is
 * the one that the standalone controller sets.
 */
final class MarkedPipeconf implements PiPipeconf {
  private final PiPipeconf pipeconf;
  private final long cookie;

  MarkedPipeconf(PiPipeconf pipeconf, long cookie) {
    this.pipeconf = pipeconf;
    this.cookie = cookie;
  }

  @Override
  public PiPipeconfId id() {
    return pipeconf.id();
  }

  @Override
  public PiPipelineModel pipelineModel() {
    return pipeconf.pipelineModel();
  }

  @Override
  public long fingerprint() {
    return cookie;
  }

  @Override
  public Collection<Class<? extends Behaviour>> behaviours() {
    return pipeconf.behaviours();
  }

  @Override
  public Optional<Class<? extends Behaviour>> implementation(Class<? extends Behaviour> behaviour) {
    return pipeconf.implementation(behaviour);
  }

  @Override
  public boolean hasBehaviour(Class<? extends Behaviour> behaviourClass) {
    return pipeconf.hasBehaviour(behaviourClass);
  }

  @Override
  public Optional<InputStream> extension(ExtensionType type) {
    return pipeconf.extension(type);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof MarkedPipeconf that && cookie == that.cookie && id().equals(that.id());
  }

  @Override
  public int hashCode() {
    return Long.hashCode(cookie);
  }

  @Override
  public String toString() {
    return pipeconf.id() + " with cookie " + cookie;
  }
}
