package net.sluice.onos.southbound;

import org.onosproject.net.DeviceId;
import org.onosproject.net.config.ConfigFactory;
import org.onosproject.net.config.NetworkConfigRegistry;
import org.onosproject.net.config.basics.SubjectFactories;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Deactivate;
import org.osgi.service.component.annotations.Reference;
import org.osgi.service.component.annotations.ReferenceCardinality;

/** Has ONOS take {@link SwitchConfig}s for as long as the application is active. */
@Component(immediate = true, service = SwitchConfigRegistration.class)
public class SwitchConfigRegistration {
  @Reference(cardinality = ReferenceCardinality.MANDATORY)
  protected NetworkConfigRegistry registry;

  private final ConfigFactory<DeviceId, SwitchConfig> factory =
      new ConfigFactory<>(
          SubjectFactories.DEVICE_SUBJECT_FACTORY, SwitchConfig.class, SwitchConfig.KEY) {
        @Override
        public SwitchConfig createConfig() {
          return new SwitchConfig();
        }
      };

  @Activate
  protected void activate() {
    registry.registerConfigFactory(factory);
  }

  @Deactivate
  protected void deactivate() {
    registry.unregisterConfigFactory(factory);
  }
}
