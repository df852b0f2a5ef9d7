package net.sluice.onos.southbound;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.function.Consumer;
import net.sluice.onos.testing.OnosDrivers;
import org.junit.jupiter.api.Test;
import org.onosproject.net.device.DeviceDescriptionDiscovery;
import org.onosproject.net.driver.DefaultDriver;
import org.onosproject.net.driver.DefaultDriverProvider;
import org.onosproject.net.driver.Driver;

/** What ONOS knows of pipeconfs and drivers as the application comes and goes. */
class PipelineRegistrationTest {
  private final OnosDrivers onos = new OnosDrivers();

  /** The classes here once more, as another version of the bundle has them. */
  private static final class OtherBundle extends ClassLoader {
    OtherBundle() {
      super(PipelineRegistrationTest.class.getClassLoader());
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
      if (!name.startsWith("net.sluice.onos.southbound.")) {
        return super.loadClass(name, resolve);
      }
      synchronized (getClassLoadingLock(name)) {
        Class<?> loaded = findLoadedClass(name);
        if (loaded != null) {
          return loaded;
        }
        try (InputStream in = getResourceAsStream(name.replace('.', '/') + ".class")) {
          byte[] bytes = in.readAllBytes();
          return defineClass(name, bytes, 0, bytes.length);
        } catch (IOException e) {
          throw new UncheckedIOException(e);
        }
      }
    }
  }

  private PipelineRegistration ours() {
    PipelineRegistration registration = new PipelineRegistration();
    registration.driverAdminService = onos;
    registration.pipeconfService = onos.pipeconfs;
    return registration;
  }

  /** Activates the component of another version; what is returned deactivates it. */
  private Runnable activateOther() throws ReflectiveOperationException {
    Class<?> type = new OtherBundle().loadClass(PipelineRegistration.class.getName());
    Object registration = type.getDeclaredConstructor().newInstance();
    set(registration, "driverAdminService", onos);
    set(registration, "pipeconfService", onos.pipeconfs);
    Consumer<String> call =
        name -> {
          try {
            var method = type.getDeclaredMethod(name);
            method.setAccessible(true);
            method.invoke(registration);
          } catch (ReflectiveOperationException e) {
            throw new AssertionError(e);
          }
        };
    call.accept("activate");
    return () -> call.accept("deactivate");
  }

  private static void set(Object target, String name, Object value)
      throws ReflectiveOperationException {
    var field = target.getClass().getDeclaredField(name);
    field.setAccessible(true);
    field.set(target, value);
  }

  private Class<?> describes() {
    Driver merged = onos.merged(PipelineRegistration.V1MODEL, Pipeconfs.V1MODEL);
    return merged == null ? null : merged.implementation(DeviceDescriptionDiscovery.class);
  }

  @Test
  void bothAreKnownWhileTheApplicationIsActive() {
    PipelineRegistration registration = ours();
    registration.activate();
    assertThat(onos.pipeconfs.getPipeconf(Pipeconfs.V1MODEL)).isPresent();
    assertThat(onos.getDrivers())
        .extracting(Driver::name)
        .containsExactly(PipelineRegistration.V1MODEL);
    registration.deactivate();
    assertThat(onos.pipeconfs.getPipeconfs()).isEmpty();
    assertThat(onos.getDrivers())
        .extracting(Driver::name)
        .as("only what stands for the merged one")
        .containsExactly(PipelineRegistration.V1MODEL + ":" + Pipeconfs.V1MODEL);
  }

  /** ONOS answers 404 to whoever lists its devices if one of them has none. */
  @Test
  void aDeviceHasADriverWhetherTheApplicationIsActiveOrNot() {
    PipelineRegistration registration = ours();
    registration.activate();
    assertThat(describes()).isEqualTo(SwitchDescription.class);
    registration.deactivate();
    Driver inactive = onos.merged(PipelineRegistration.V1MODEL, Pipeconfs.V1MODEL);
    assertThat(inactive.behaviours()).isEmpty();
    assertThat(inactive.getClass().getClassLoader())
        .isNotInstanceOf(OtherBundle.class)
        .isEqualTo(DefaultDriver.class.getClassLoader());
    onos.afterEachChange(
        () ->
            assertThat(onos.merged(PipelineRegistration.V1MODEL, Pipeconfs.V1MODEL))
                .as("the driver while the application is being activated")
                .isNotNull());
    registration.activate();
    assertThat(describes()).isEqualTo(SwitchDescription.class);
  }

  @Test
  void anUpgradeLeavesNoClassOfTheOldBundleBehind() throws Exception {
    Runnable deactivate = activateOther();
    assertThat(describes().getName()).isEqualTo(SwitchDescription.class.getName());
    assertThat(describes()).isNotEqualTo(SwitchDescription.class);
    deactivate.run();
    assertThat(describes()).as("while the application is not active").isNull();
    assertThat(onos.getProviders()).allMatch(DefaultDriverProvider.class::isInstance).hasSize(1);
    ours().activate();
    assertThat(describes()).isEqualTo(SwitchDescription.class);
  }

  @Test
  void whatAnApplicationLeftThatStoppedWithoutAWordIsReplaced() throws Exception {
    Runnable unused = activateOther();
    assertThat(describes()).isNotEqualTo(SwitchDescription.class);
    ours().activate();
    assertThat(describes()).isEqualTo(SwitchDescription.class);
    assertThat(onos.pipeconfs.getPipeconf(Pipeconfs.V1MODEL).orElseThrow())
        .isInstanceOf(MarkedPipeconf.class);
  }

  @Test
  void driversOfOthersStay() {
    DefaultDriverProvider others = new DefaultDriverProvider();
    others.addDriver(
        new DefaultDriver("sluice-v1model-like", null, "o", "h", "s", Map.of(), Map.of()));
    onos.registerProvider(others);
    PipelineRegistration registration = ours();
    registration.activate();
    registration.deactivate();
    assertThat(onos.getProviders()).contains(others);
  }
}
