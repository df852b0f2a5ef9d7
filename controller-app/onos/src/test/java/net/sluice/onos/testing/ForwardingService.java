package net.sluice.onos.testing;

import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import net.sluice.core.Controller;
import net.sluice.core.PortStatus;
import net.sluice.onos.SluiceListener;
import net.sluice.onos.SluiceService;
import net.sluice.onos.cluster.ClusterMember.Standing;
import org.onosproject.net.DeviceId;

/** Does what another service does, which is asked for at each call. */
public class ForwardingService implements SluiceService {
  private final Supplier<SluiceService> service;

  public ForwardingService(Supplier<SluiceService> service) {
    this.service = service;
  }

  @Override
  public Controller controller() {
    return service.get().controller();
  }

  @Override
  public Standing standing() {
    return service.get().standing();
  }

  @Override
  public List<PortStatus> ports(DeviceId device) {
    return service.get().ports(device);
  }

  @Override
  public int restPort() {
    return service.get().restPort();
  }

  @Override
  public List<String> notes() {
    return service.get().notes();
  }

  @Override
  public Map<String, String> refusedConfiguration() {
    return service.get().refusedConfiguration();
  }

  @Override
  public void addListener(SluiceListener listener) {}

  @Override
  public void removeListener(SluiceListener listener) {}
}
