package net.sluice.onos.southbound.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Hashtable;
import java.util.Map;
import java.util.function.Consumer;
import net.sluice.onos.testing.OnosDrivers;
import net.sluice.pipeconf.TnaPipeline;
import net.sluice.pipeconf.testing.TnaDeviceConfig;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.onosproject.cfg.ComponentConfigAdapter;
import org.onosproject.net.device.DeviceDescriptionDiscovery;
import org.onosproject.net.driver.DefaultDriver;
import org.onosproject.net.driver.DefaultDriverProvider;
import org.onosproject.net.driver.Driver;
import org.onosproject.net.pi.model.PiPipeconf;
import org.osgi.service.component.ComponentContext;

/** What ONOS knows of pipeconfs and drivers as the application comes and goes. */
class SwitchDriversTest {
  private final OnosDrivers onos = new OnosDrivers();

  /** The classes here once more, as another version of the bundle has them. */
  private static final class OtherBundle extends ClassLoader {
    OtherBundle() {
      super(SwitchDriversTest.class.getClassLoader());
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

  private SwitchDrivers ours() {
    SwitchDrivers registration = new SwitchDrivers();
    registration.driverAdminService = onos;
    registration.pipeconfService = onos.pipeconfs;
    registration.configService = new ComponentConfigAdapter();
    return registration;
  }

  /** Activates the component of another version; what is returned deactivates it. */
  private Runnable activateOther() throws ReflectiveOperationException {
    Class<?> type = new OtherBundle().loadClass(SwitchDrivers.class.getName());
    Object registration = type.getDeclaredConstructor().newInstance();
    set(registration, "driverAdminService", onos);
    set(registration, "pipeconfService", onos.pipeconfs);
    set(registration, "configService", new ComponentConfigAdapter());
    Consumer<String> call =
        name -> {
          try {
            for (Method method : type.getDeclaredMethods()) {
              if (method.getName().equals(name)) {
                method.setAccessible(true);
                method.invoke(registration, new Object[method.getParameterCount()]);
              }
            }
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
    Driver merged = onos.merged("sluice-v1model", Pipeconfs.V1MODEL);
    return merged == null ? null : merged.implementation(DeviceDescriptionDiscovery.class);
  }

  @Test
  void bothAreKnownWhileTheApplicationIsActive() {
    SwitchDrivers registration = ours();
    registration.activate(null);
    assertThat(onos.pipeconfs.getPipeconf(Pipeconfs.V1MODEL)).isPresent();
    assertThat(onos.getDrivers())
        .extracting(Driver::name)
        .containsExactlyInAnyOrder("sluice-v1model", "sluice-tofino");
    registration.deactivate();
    assertThat(onos.pipeconfs.getPipeconfs()).isEmpty();
    assertThat(onos.getDrivers())
        .extracting(Driver::name)
        .as("only what stands for them, also for devices that were withdrawn")
        .containsExactlyInAnyOrder(
            "sluice-v1model",
            "sluice-tofino",
            "sluice-v1model:net.sluice.v1model",
            "sluice-v1model:net.sluice.aggregate",
            "sluice-tofino:net.sluice.tofino");
  }

  /** ONOS answers 404 to whoever lists its devices if one of them has none. */
  @Test
  void aDeviceHasADriverWhetherTheApplicationIsActiveOrNot() {
    SwitchDrivers registration = ours();
    registration.activate(null);
    assertThat(describes()).isEqualTo(SwitchDescription.class);
    registration.deactivate();
    Driver inactive = onos.merged("sluice-v1model", Pipeconfs.V1MODEL);
    assertThat(inactive.behaviours()).isEmpty();
    assertThat(inactive.getClass().getClassLoader())
        .isNotInstanceOf(OtherBundle.class)
        .isEqualTo(DefaultDriver.class.getClassLoader());
    onos.afterEachChange(
        () ->
            assertThat(onos.merged("sluice-v1model", Pipeconfs.V1MODEL))
                .as("the driver while the application is being activated")
                .isNotNull());
    registration.activate(null);
    assertThat(describes()).isEqualTo(SwitchDescription.class);
  }

  @Test
  void anUpgradeLeavesNoClassOfTheOldBundleBehind() throws Exception {
    Runnable deactivate = activateOther();
    assertThat(describes().getName()).isEqualTo(SwitchDescription.class.getName());
    assertThat(describes()).isNotEqualTo(SwitchDescription.class);
    deactivate.run();
    assertThat(describes()).as("while the application is not active").isNull();
    assertThat(onos.getProviders()).allMatch(DefaultDriverProvider.class::isInstance).hasSize(5);
    ours().activate(null);
    assertThat(describes()).isEqualTo(SwitchDescription.class);
  }

  @Test
  void whatAnApplicationLeftThatStoppedWithoutAWordIsReplaced() throws Exception {
    Runnable unused = activateOther();
    assertThat(describes()).isNotEqualTo(SwitchDescription.class);
    ours().activate(null);
    assertThat(describes()).isEqualTo(SwitchDescription.class);
    assertThat(onos.pipeconfs.getPipeconf(Pipeconfs.V1MODEL).orElseThrow())
        .isInstanceOf(SwitchPipeconf.class);
  }

  private static ComponentContext configured(String file) {
    ComponentContext context = mock(ComponentContext.class);
    when(context.getProperties())
        .thenReturn(new Hashtable<>(Map.<String, Object>of("deviceConfig", file)));
    return context;
  }

  /** What a Tofino loads is made by its own compiler, and named. */
  @Test
  void aFileThatIsNamedIsWhatATofinoLoads(@TempDir Path directory) throws Exception {
    SwitchDrivers registration = ours();
    registration.activate(configured("/no/such/file"));
    PiPipeconf without = onos.pipeconfs.getPipeconf(Pipeconfs.TOFINO).orElseThrow();
    assertThat(Pipeconfs.canBeLoaded(without)).isFalse();

    Path file = TnaDeviceConfig.write(directory.resolve("tofino.pb.bin"));
    registration.modified(configured(file.toString()));
    PiPipeconf with = onos.pipeconfs.getPipeconf(Pipeconfs.TOFINO).orElseThrow();
    assertThat(with.extension(Pipeconfs.LOADED).orElseThrow().readAllBytes())
        .isEqualTo(Files.readAllBytes(file));
    assertThat(with.fingerprint()).isEqualTo(TnaPipeline.load(file).cookie());
    registration.deactivate();
    assertThat(onos.pipeconfs.getPipeconfs()).isEmpty();
  }

  @Test
  void driversOfOthersStay() {
    DefaultDriverProvider others = new DefaultDriverProvider();
    others.addDriver(
        new DefaultDriver("sluice-v1model-like", null, "o", "h", "s", Map.of(), Map.of()));
    onos.registerProvider(others);
    SwitchDrivers registration = ours();
    registration.activate(null);
    registration.deactivate();
    assertThat(onos.getProviders()).contains(others);
  }
}
