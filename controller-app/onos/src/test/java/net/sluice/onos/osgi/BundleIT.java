package net.sluice.onos.osgi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InputStream;
import java.lang.module.ModuleFinder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Enumeration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.jar.JarInputStream;
import java.util.stream.Collectors;
import java.util.zip.ZipEntry;
import net.sluice.onos.testing.TestCluster;
import org.apache.felix.framework.FrameworkFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.mockito.Mockito;
import org.onosproject.cfg.ComponentConfigAdapter;
import org.onosproject.cfg.ComponentConfigService;
import org.onosproject.cluster.ClusterService;
import org.onosproject.cluster.ClusterServiceAdapter;
import org.onosproject.cluster.ControllerNode;
import org.onosproject.cluster.DefaultControllerNode;
import org.onosproject.cluster.LeadershipService;
import org.onosproject.core.CoreService;
import org.onosproject.core.CoreServiceAdapter;
import org.onosproject.event.Event;
import org.onosproject.event.EventDeliveryService;
import org.onosproject.event.EventDeliveryServiceAdapter;
import org.onosproject.mastership.MastershipAdminService;
import org.onosproject.mastership.MastershipService;
import org.onosproject.mastership.MastershipServiceAdapter;
import org.onosproject.net.DeviceId;
import org.onosproject.net.config.ConfigFactory;
import org.onosproject.net.config.NetworkConfigRegistry;
import org.onosproject.net.config.NetworkConfigRegistryAdapter;
import org.onosproject.net.device.DeviceAdminService;
import org.onosproject.net.device.DeviceService;
import org.onosproject.net.driver.Behaviour;
import org.onosproject.net.driver.DefaultDriverData;
import org.onosproject.net.driver.DefaultDriverHandler;
import org.onosproject.net.driver.Driver;
import org.onosproject.net.driver.DriverAdminService;
import org.onosproject.net.driver.DriverAdminServiceAdapter;
import org.onosproject.net.driver.DriverHandler;
import org.onosproject.net.driver.DriverProvider;
import org.onosproject.net.pi.PiPipeconfServiceAdapter;
import org.onosproject.net.pi.model.PiPipeconf;
import org.onosproject.net.pi.model.PiPipeconf.ExtensionType;
import org.onosproject.net.pi.model.PiPipeconfId;
import org.onosproject.net.pi.service.PiPipeconfMappingStore;
import org.onosproject.net.pi.service.PiPipeconfService;
import org.onosproject.p4runtime.api.P4RuntimeController;
import org.onosproject.store.cluster.messaging.ClusterCommunicationService;
import org.onosproject.store.cluster.messaging.ClusterCommunicationServiceAdapter;
import org.onosproject.store.service.StorageService;
import org.osgi.framework.Bundle;
import org.osgi.framework.BundleContext;
import org.osgi.framework.BundleException;
import org.osgi.framework.Constants;
import org.osgi.framework.InvalidSyntaxException;
import org.osgi.framework.ServiceReference;
import org.osgi.framework.Version;
import org.osgi.framework.VersionRange;
import org.osgi.framework.launch.Framework;
import org.osgi.framework.wiring.BundleWire;
import org.osgi.framework.wiring.BundleWiring;

/**
 * The finished bundle in an OSGi framework that exports what ONOS 2.7.0 does, in its versions. That
 * ONOS calls an application ACTIVE says nothing, so what it does is looked at.
 */
class BundleIT {
  private static final Path BUNDLE = Path.of(System.getProperty("sluice.bundle"));

  /** Version of Java 17's classes. */
  private static final int JAVA_17 = 61;

  @TempDir Path cache;
  private Framework framework;
  private final Set<Object> registered = ConcurrentHashMap.newKeySet();
  private final CountDownLatch sessionChanged = new CountDownLatch(1);

  @AfterEach
  void stop() throws Exception {
    if (framework != null) {
      framework.stop();
      framework.waitForStop(30_000);
    }
  }

  private static Map<String, VersionRange> imports() throws IOException {
    try (JarFile jar = new JarFile(BUNDLE.toFile())) {
      String header = jar.getManifest().getMainAttributes().getValue(Constants.IMPORT_PACKAGE);
      Map<String, VersionRange> imports = new LinkedHashMap<>();
      for (String clause : header.split(",(?=[a-z])")) {
        String[] parts = clause.split(";");
        String version =
            Arrays.stream(parts)
                .filter(part -> part.startsWith("version="))
                .map(part -> part.substring("version=".length()).replace("\"", ""))
                .findFirst()
                .orElse("0");
        imports.put(parts[0], VersionRange.valueOf(version));
      }
      return imports;
    }
  }

  @Test
  void everyImportIsAPackageThatOnosExportsInThatVersion() throws IOException {
    Map<String, List<String>> exports = OnosExports.all();
    assertThat(imports()).hasSizeGreaterThan(20);
    Map<String, VersionRange> ofOthers = imports();
    // Karaf's framework exports each package of Java SE, without a version.
    ofOthers.keySet().removeIf(BundleIT::isOfJava);
    assertThat(ofOthers)
        .allSatisfy(
            (name, range) -> {
              assertThat(exports).containsKey(name);
              assertThat(exports.get(name))
                  .as("versions of %s", name)
                  .anyMatch(version -> range.includes(new Version(version)));
              // Open ranges would take whatever comes next, and unversioned ones whatever is there.
              assertThat(range.getRight()).as("upper end of %s", name).isNotNull();
            });
  }

  private static boolean isOfJava(String name) {
    return ModuleFinder.ofSystem().findAll().stream()
        .filter(module -> module.descriptor().name().startsWith("java."))
        .anyMatch(module -> module.descriptor().packages().contains(name));
  }

  @Test
  void nothingThatStandaloneAloneNeedsIsInside() throws IOException {
    try (JarFile jar = new JarFile(BUNDLE.toFile())) {
      List<String> embedded =
          jar.stream().map(ZipEntry::getName).filter(name -> name.endsWith(".jar")).toList();
      assertThat(embedded)
          .isNotEmpty()
          .noneMatch(name -> name.matches("(rocksdb|grpc|netty|grizzly|jersey|emulator).*"))
          .allMatch(
              name ->
                  name.matches(
                      "(sluice-(core|northbound|rest|web|intents|pipeconf|fpga-driver)|"
                          + "protobuf-java|"
                          + "opentelemetry-[a-z-]+|"
                          + "picocli|"
                          + "httpclient5|httpcore5|httpcore5-h2|"
                          + "proto-google-common-protos|"
                          + "prometheus-metrics-[a-z-]+)-[0-9].*"));
    }
  }

  /**
   * ONOS's web server reads every class of a web application, of embedded archives too, and does
   * not deploy it for one of a newer Java than its own.
   */
  @Test
  void everyClassInsideIsOneThatTheWebServerCanRead() throws IOException {
    Map<String, Integer> versions = new TreeMap<>();
    try (JarFile jar = new JarFile(BUNDLE.toFile())) {
      for (JarEntry entry : Collections.list(jar.entries())) {
        if (entry.getName().endsWith(".jar")) {
          try (JarInputStream inner = new JarInputStream(jar.getInputStream(entry))) {
            for (ZipEntry each = inner.getNextEntry(); each != null; each = inner.getNextEntry()) {
              addVersion(entry.getName() + "!/" + each.getName(), inner, versions);
            }
          }
        } else {
          try (InputStream in = jar.getInputStream(entry)) {
            addVersion(entry.getName(), in, versions);
          }
        }
      }
    }
    assertThat(versions)
        .hasSizeGreaterThan(1_000)
        .containsKey("com/fasterxml/jackson/core/JsonFactory.class")
        .allSatisfy((name, version) -> assertThat(version).isLessThanOrEqualTo(JAVA_17));
  }

  private static void addVersion(String name, InputStream in, Map<String, Integer> versions)
      throws IOException {
    if (name.endsWith(".class")) {
      byte[] start = in.readNBytes(8);
      versions.put(name, (start[6] & 0xff) << 8 | start[7] & 0xff);
    }
  }

  /** A framework that exports the packages of ONOS that match, with the versions it has them in. */
  private BundleContext start(Predicate<String> exported) throws BundleException {
    List<String> clauses = new ArrayList<>();
    OnosExports.all()
        .forEach(
            (name, versions) -> {
              // The service component runtime and the framework bring their own.
              boolean own =
                  name.startsWith("org.osgi.framework")
                      || name.startsWith("org.osgi.service.component")
                      || name.startsWith("org.apache.felix.scr")
                      || name.startsWith("META-INF")
                      || name.startsWith("org.osgi.resource")
                      || name.startsWith("org.osgi.dto")
                      || name.startsWith("org.osgi.util.tracker")
                      || !name.matches("[A-Za-z_][A-Za-z0-9_.-]*");
              if (!own && exported.test(name)) {
                for (String version : versions) {
                  if (version.matches("[0-9]+(\\.[0-9]+){0,2}(\\.[A-Za-z0-9_-]+)?")) {
                    clauses.add(name + ";version=\"" + version + "\"");
                  }
                }
              }
            });
    Map<String, String> config = new HashMap<>();
    config.put(Constants.FRAMEWORK_STORAGE, cache.toString());
    config.put(Constants.FRAMEWORK_STORAGE_CLEAN, Constants.FRAMEWORK_STORAGE_CLEAN_ONFIRSTINIT);
    config.put(Constants.FRAMEWORK_SYSTEMPACKAGES_EXTRA, String.join(",", clauses));
    // As Karaf's configuration has it: protobuf looks for sun.misc.Unsafe and calls by reflection.
    config.put(
        Constants.FRAMEWORK_BOOTDELEGATION,
        "sun.*,com.sun.*,jdk.internal.reflect,jdk.internal.reflect.*");
    config.put(Constants.FRAMEWORK_BUNDLE_PARENT, Constants.FRAMEWORK_BUNDLE_PARENT_BOOT);
    config.put("felix.bootdelegation.implicit", "false");
    config.put("felix.log.level", "0");
    framework = new FrameworkFactory().newFramework(config);
    framework.start();
    return framework.getBundleContext();
  }

  private static Bundle install(BundleContext context, Path jar) throws Exception {
    try (InputStream in = Files.newInputStream(jar)) {
      return context.installBundle(jar.toUri().toString(), in);
    }
  }

  private static Path scr() {
    return Arrays.stream(System.getProperty("java.class.path").split(":"))
        .filter(entry -> entry.contains("org.apache.felix.scr-"))
        .map(Path::of)
        .findFirst()
        .orElseThrow();
  }

  @Test
  void theBundleResolvesIsActiveAndItsComponentsWork() throws Exception {
    BundleContext context = start(name -> true);
    install(context, scr()).start();
    Bundle sluice = install(context, BUNDLE);
    sluice.start();
    assertThat(sluice.getState()).isEqualTo(Bundle.ACTIVE);
    Set<String> providers = new TreeSet<>();
    for (BundleWire wire :
        sluice.adapt(BundleWiring.class).getRequiredWires("osgi.wiring.package")) {
      providers.add(wire.getProvider().getSymbolicName());
    }
    assertThat(providers)
        .containsExactlyInAnyOrder("org.apache.felix.framework", "org.apache.felix.scr");

    assertThat(sluiceServices(context)).isEmpty();
    provideServices(context);
    List<ServiceReference<?>> found = sluiceServices(context);
    assertThat(found).as("Sluice's service, once all it needs is there").hasSize(1);
    Object service = context.getService(found.get(0));
    // No switch is configured: the session that says so is begun by the instance that leads.
    assertThat(sessionChanged.await(60, TimeUnit.SECONDS)).isTrue();
    Object controller = service.getClass().getMethod("controller").invoke(service);
    Object summary = controller.getClass().getMethod("summary").invoke(controller);
    assertThat(summary.toString())
        .contains("target=switch, session=CONNECTING")
        .contains("no switch is configured; set device of net.sluice.onos.SluiceManager");
    assertThatWhatIsRegisteredWorks();
    sluice.stop();
    assertThat(sluiceServices(context)).isEmpty();
    assertThat(registered).as("only what keeps devices visible").hasSize(5);
    assertThat(drivers()).allSatisfy(driver -> assertThat(driver.behaviours()).isEmpty());
  }

  @Test
  void everyClassOfOursLinksWithWhatIsImported() throws Exception {
    BundleContext context = start(name -> true);
    install(context, scr()).start();
    Bundle sluice = install(context, BUNDLE);
    sluice.start();
    Set<String> failed = new TreeSet<>();
    Set<String> loaded = new HashSet<>();
    for (String name : classNames()) {
      try {
        // All that a class names in its members has to be there; bodies link with what they use.
        Class<?> type = sluice.loadClass(name);
        int members =
            type.getDeclaredMethods().length
                + type.getDeclaredFields().length
                + type.getDeclaredConstructors().length;
        assertThat(members).isNotNegative();
        loaded.add(name);
      } catch (ClassNotFoundException | LinkageError e) {
        failed.add(name + ": " + e);
      }
    }
    assertThat(failed).isEmpty();
    assertThat(loaded).hasSizeGreaterThan(300);
    Object servlet =
        sluice
            .loadClass("net.sluice.onos.rest.SluiceServlet")
            .getDeclaredConstructor()
            .newInstance();
    assertThat(servlet).isInstanceOf(sluice.loadClass("javax.servlet.Servlet"));
    // The sender of traces finds its client by Java's service loader.
    Object exporter =
        sluice
            .loadClass("io.opentelemetry.exporter.otlp.http.trace.OtlpHttpSpanExporter")
            .getMethod("getDefault")
            .invoke(null);
    ((AutoCloseable) exporter).close();
    // The client that sends webhooks, with what it needs of Java and of the bundle.
    Object client =
        sluice
            .loadClass("org.apache.hc.client5.http.impl.classic.HttpClients")
            .getMethod("createDefault")
            .invoke(null);
    ((AutoCloseable) client).close();
    assertThat(sluice.getEntry("WEB-INF/web.xml")).isNotNull();
  }

  private static List<String> classNames() throws IOException {
    List<String> names = new ArrayList<>();
    try (JarFile jar = new JarFile(BUNDLE.toFile())) {
      for (Enumeration<JarEntry> all = jar.entries(); all.hasMoreElements(); ) {
        JarEntry entry = all.nextElement();
        if (entry.getName().startsWith("net/sluice/") && entry.getName().endsWith(".class")) {
          names.add(entry.getName());
        } else if (entry.getName().matches("sluice-.*\\.jar")) {
          try (JarInputStream inner = new JarInputStream(jar.getInputStream(entry))) {
            for (ZipEntry each = inner.getNextEntry(); each != null; each = inner.getNextEntry()) {
              if (each.getName().startsWith("net/sluice/") && each.getName().endsWith(".class")) {
                names.add(each.getName());
              }
            }
          }
        }
      }
    }
    return names.stream()
        .filter(name -> !name.endsWith("package-info.class"))
        .map(name -> name.substring(0, name.length() - ".class".length()).replace('/', '.'))
        .collect(Collectors.toList());
  }

  @Test
  void whereAPackageIsMissingTheBundleDoesNotResolve() throws Exception {
    BundleContext context = start(name -> !name.equals("org.onosproject.store.service"));
    install(context, scr()).start();
    Bundle sluice = install(context, BUNDLE);
    assertThatThrownBy(sluice::start)
        .isInstanceOf(BundleException.class)
        .hasMessageContaining("org.onosproject.store.service");
    assertThat(sluice.getState()).isEqualTo(Bundle.INSTALLED);
  }

  // ---------------------------------------------------------------- services

  /** Whatever class of that name the bundle has; the tests' own is another one. */
  private static List<ServiceReference<?>> sluiceServices(BundleContext context)
      throws InvalidSyntaxException {
    ServiceReference<?>[] found =
        context.getAllServiceReferences("net.sluice.onos.SluiceService", null);
    return found == null ? List.of() : List.of(found);
  }

  private void provideServices(BundleContext context) {
    TestCluster.Node node = new TestCluster().node("127.0.0.1");
    context.registerService(CoreService.class, new CoreServiceAdapter(), null);
    context.registerService(ComponentConfigService.class, new ComponentConfigAdapter(), null);
    context.registerService(StorageService.class, node.storage, null);
    context.registerService(
        ClusterCommunicationService.class, new ClusterCommunicationServiceAdapter(), null);
    context.registerService(LeadershipService.class, node.leadership, null);
    context.registerService(
        ClusterService.class,
        new ClusterServiceAdapter() {
          @Override
          public ControllerNode getLocalNode() {
            return new DefaultControllerNode(node.id, "127.0.0.1");
          }
        },
        null);
    context.registerService(
        EventDeliveryService.class,
        new EventDeliveryServiceAdapter() {
          @Override
          public void post(Event event) {
            sessionChanged.countDown();
          }
        },
        null);
    context.registerService(MastershipService.class, new MastershipServiceAdapter(), null);
    context.registerService(
        NetworkConfigRegistry.class,
        new NetworkConfigRegistryAdapter() {
          @Override
          public void registerConfigFactory(ConfigFactory factory) {
            registered.add(factory.subjectFactory().subjectClassKey() + "/" + factory.configKey());
          }

          @Override
          public void unregisterConfigFactory(ConfigFactory factory) {
            registered.remove(
                factory.subjectFactory().subjectClassKey() + "/" + factory.configKey());
          }
        },
        null);
    context.registerService(
        PiPipeconfMappingStore.class, Mockito.mock(PiPipeconfMappingStore.class), null);
    context.registerService(
        PiPipeconfService.class,
        new PiPipeconfServiceAdapter() {
          @Override
          public Optional<PiPipeconf> getPipeconf(PiPipeconfId id) {
            return registered.stream()
                .filter(PiPipeconf.class::isInstance)
                .map(PiPipeconf.class::cast)
                .filter(each -> each.id().equals(id))
                .findFirst();
          }

          @Override
          public void register(PiPipeconf pipeconf) {
            registered.add(pipeconf);
          }

          @Override
          public void unregister(PiPipeconfId id) {
            registered.removeIf(each -> each instanceof PiPipeconf of && of.id().equals(id));
          }
        },
        null);
    context.registerService(
        DriverAdminService.class,
        new DriverAdminServiceAdapter() {
          @Override
          public Set<DriverProvider> getProviders() {
            return registered.stream()
                .filter(DriverProvider.class::isInstance)
                .map(DriverProvider.class::cast)
                .collect(Collectors.toSet());
          }

          @Override
          public void registerProvider(DriverProvider provider) {
            registered.add(provider);
          }

          @Override
          public void unregisterProvider(DriverProvider provider) {
            registered.remove(provider);
          }
        },
        null);
    // ONOS has no adapters of these, which are not called while no switch is configured.
    context.registerService(
        MastershipAdminService.class, Mockito.mock(MastershipAdminService.class), null);
    context.registerService(
        P4RuntimeController.class, Mockito.mock(P4RuntimeController.class), null);
    context.registerService(DeviceService.class, Mockito.mock(DeviceService.class), null);
    context.registerService(DeviceAdminService.class, Mockito.mock(DeviceAdminService.class), null);
  }

  private <T> List<T> registered(Class<T> type) {
    return registered.stream().filter(type::isInstance).map(type::cast).toList();
  }

  private List<Driver> drivers() {
    return registered(DriverProvider.class).stream()
        .flatMap(each -> each.getDrivers().stream())
        .toList();
  }

  /** What the bundle hands to ONOS works with the bundle's own classes. */
  private void assertThatWhatIsRegisteredWorks() throws IOException {
    assertThat(registered).hasSize(7).contains("devices/sluice", "apps/sluice");
    List<PiPipeconf> pipeconfs = registered(PiPipeconf.class);
    assertThat(pipeconfs)
        .extracting(pipeconf -> pipeconf.id().id())
        .containsExactlyInAnyOrder(
            "net.sluice.v1model", "net.sluice.aggregate", "net.sluice.tofino");
    for (PiPipeconf pipeconf : pipeconfs) {
      assertThat(pipeconf.pipelineModel().tables()).hasSizeGreaterThan(10);
      try (InputStream in = pipeconf.extension(ExtensionType.P4_INFO_TEXT).orElseThrow()) {
        assertThat(in.readAllBytes()).hasSizeGreaterThan(1_000);
      }
      boolean isOfBuild = !pipeconf.id().id().equals("net.sluice.tofino");
      assertThat(pipeconf.extension(ExtensionType.RAW_DEVICE_CONFIG).isPresent())
          .as("%s", pipeconf)
          .isEqualTo(isOfBuild);
    }
    assertThat(drivers())
        .extracting(Driver::name)
        .containsExactlyInAnyOrder("sluice-v1model", "sluice-tofino");
    for (Driver driver : drivers()) {
      assertThat(driver.behaviours()).hasSize(3);
      DriverHandler handler =
          new DefaultDriverHandler(new DefaultDriverData(driver, DeviceId.deviceId("device:a")));
      for (Class<? extends Behaviour> behaviour : driver.behaviours()) {
        assertThat(driver.createBehaviour(handler, behaviour)).isInstanceOf(behaviour);
      }
    }
  }
}
