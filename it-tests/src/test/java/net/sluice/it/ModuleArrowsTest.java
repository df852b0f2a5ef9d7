package net.sluice.it;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaFieldAccess;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** The arrows between the modules, as docs/architecture.md draws them. */
class ModuleArrowsTest {
  /** Each module's package and the packages of the modules it may name. */
  private static final Map<String, Set<String>> MAY_NAME = new TreeMap<>();

  private static final Pattern OWN = Pattern.compile("<artifactId>(sluice-[^<]+)</artifactId>");
  private static final Pattern USED =
      Pattern.compile("<groupId>net\\.sluice</groupId>\\s*<artifactId>([^<]+)</artifactId>");

  private static void module(String name, String... mayName) {
    MAY_NAME.put("net.sluice." + name, named(mayName));
  }

  private static Set<String> named(String... modules) {
    return Stream.of(modules).map(module -> "net.sluice." + module).collect(Collectors.toSet());
  }

  static {
    module("cli");
    module("intents");
    module("pipeconf", "intents");
    module("fpga", "intents");
    module("gates", "cli", "intents", "pipeconf");
    module("gnmi");
    module("emulator.switching");
    module("emulator.v1model", "emulator.switching", "emulator.trace");
    // What the trace's interface definition is compiled to.
    module("emulator.trace");
    module("emulator.netsim", "emulator.switching");
    module(
        "emulator.server",
        "emulator.switching",
        "emulator.v1model",
        "emulator.netsim",
        "emulator.trace",
        "gnmi");
    module(
        "emulator.ports",
        "emulator.switching",
        "emulator.v1model",
        "emulator.netsim",
        "emulator.server");
    module(
        "emulator.cli",
        "cli",
        "emulator.switching",
        "emulator.v1model",
        "emulator.netsim",
        "emulator.server",
        "emulator.ports",
        "emulator.trace");
    module("core", "intents", "pipeconf", "fpga", "gnmi");
    module("endpoints", "intents", "pipeconf", "fpga", "core");
    module("northbound", "intents", "pipeconf", "core");
    module("rest", "cli", "intents", "pipeconf", "core", "northbound");
    // The page knows the API as any other client does.
    module("web");
    module("onos", "cli", "intents", "pipeconf", "fpga", "core", "northbound", "rest", "web");
    module("client", "cli", "intents", "core", "endpoints", "northbound", "rest");
    module(
        "standalone",
        "cli",
        "client",
        "intents",
        "pipeconf",
        "fpga",
        "gates",
        "core",
        "endpoints",
        "northbound",
        "rest",
        "web");
    module(
        "embedded",
        "cli",
        "intents",
        "pipeconf",
        "fpga",
        "gates",
        "core",
        "emulator",
        "standalone");
    module(
        "lab",
        "cli",
        "intents",
        "pipeconf",
        "fpga",
        "gates",
        "core",
        "endpoints",
        "northbound",
        "rest",
        "emulator",
        "standalone",
        "embedded");
  }

  private static JavaClasses product;

  @BeforeAll
  static void importProduct() {
    product =
        new ClassFileImporter()
            // Once modules are packaged, tests that others use come as archives of their own.
            .withImportOption(
                location ->
                    !location.contains("/test-classes/") && !location.contains("-tests.jar"))
            .importPackages("net.sluice");
  }

  @TestFactory
  Iterable<DynamicTest> modulesNameOnlyWhatTheArrowsAllow() {
    return MAY_NAME.entrySet().stream()
        .map(
            module ->
                DynamicTest.dynamicTest(
                    module.getKey(),
                    () ->
                        classes()
                            .that()
                            .resideInAPackage(module.getKey() + "..")
                            .should()
                            .onlyDependOnClassesThat(
                                outsideSluiceOr(module.getKey(), module.getValue()))
                            .check(product)))
        .toList();
  }

  @Test
  void everyProductClassBelongsToAModule() {
    assertThat(product)
        .allSatisfy(
            type ->
                assertThat(MAY_NAME.keySet())
                    .as("module of %s", type.getName())
                    .anyMatch(module -> type.getPackageName().startsWith(module)));
    assertThat(MAY_NAME.keySet())
        .allSatisfy(
            module ->
                assertThat(product)
                    .as("classes of %s", module)
                    .anyMatch(type -> type.getPackageName().startsWith(module)));
  }

  /** The emulator is a product of its own: its build has all that it is made from. */
  @Test
  void theEmulatorIsBuiltAloneWithoutTheController() throws IOException {
    Set<Path> modules = RepositoryModules.below(RepositoryModules.ROOT.resolve("emulator"));
    Set<String> built = new TreeSet<>();
    Set<String> used = new TreeSet<>();
    for (Path module : modules) {
      String pom =
          Files.readString(module.resolve("pom.xml")).replaceAll("(?s)<parent>.*?</parent>", "");
      Matcher own = OWN.matcher(pom);
      assertThat(own.find()).as("artifact of %s", module).isTrue();
      built.add(own.group(1));
      USED.matcher(pom).results().forEach(found -> used.add(found.group(1)));
    }
    assertThat(built).containsAll(used).contains("sluice-emulator-server", "sluice-gnmi");
    assertThat(modules)
        .allSatisfy(
            module ->
                assertThat(RepositoryModules.ROOT.relativize(module).toString())
                    .matches("emulator/\\w+|testing|cli|gnmi|p4runtime"));
  }

  @Test
  void onlyTheOnosApplicationKnowsOnos() {
    noClasses()
        .that()
        .resideOutsideOfPackage("net.sluice.onos..")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("org.onosproject..", "org.onlab..", "org.osgi..", "org.apache.karaf..")
        .check(product);
  }

  @Test
  void intentsTouchNoEdge() {
    noClasses()
        .that()
        .resideInAPackage("net.sluice.intents..")
        .should()
        .dependOnClassesThat(
            DescribedPredicate.<JavaClass>describe(
                "do I/O, tell time or draw randomness",
                type -> {
                  String name = type.getName();
                  return name.startsWith("java.io.")
                      || name.startsWith("java.nio.file.")
                      || name.startsWith("java.net.")
                      || name.startsWith("java.time.Clock")
                      || name.startsWith("java.util.Random")
                      || name.startsWith("java.util.concurrent.ThreadLocalRandom")
                      || name.startsWith("java.lang.Thread");
                }))
        .check(product);
  }

  /** What a target should hold is the compiler's to say: the core treats all entries alike. */
  @Test
  void theCoreNamesNoEntryTypeTableOrQueue() {
    JavaClasses core = product.that(resideInAPackage("net.sluice.core.."));
    noClasses()
        .should()
        .dependOnClassesThat(
            DescribedPredicate.<JavaClass>describe(
                "are one kind of entry, setting, table or queue",
                type -> {
                  String name = type.getName();
                  return name.startsWith("net.sluice.intents.plan.entry.")
                      || name.startsWith("net.sluice.intents.plan.FpgaSetting$")
                      || name.equals("net.sluice.intents.plan.FpgaLevel")
                      || name.equals("net.sluice.intents.plan.QueueId")
                      || name.startsWith("net.sluice.intents.limit.fpga.");
                }))
        .check(core);
    noClasses()
        .should()
        .accessFieldWhere(
            DescribedPredicate.<JavaFieldAccess>describe(
                "a table is named",
                access ->
                    access.getTargetOwner().getName().equals("net.sluice.intents.plan.Table")))
        .check(core);
  }

  @TestFactory
  Iterable<DynamicTest> packagesOfAModuleFormNoCircle() {
    return MAY_NAME.keySet().stream()
        .map(
            module ->
                DynamicTest.dynamicTest(
                    module,
                    () ->
                        slices()
                            .matching("net.sluice.(**)")
                            .should()
                            .beFreeOfCycles()
                            .check(product.that(resideInAPackage(module + "..")))))
        .toList();
  }

  private static DescribedPredicate<JavaClass> outsideSluiceOr(String own, Set<String> allowed) {
    return new DescribedPredicate<>("are outside Sluice or in " + own + " or in " + allowed) {
      @Override
      public boolean test(JavaClass type) {
        String name = type.getBaseComponentType().getPackageName();
        return !name.startsWith("net.sluice")
            || name.startsWith(own)
            || allowed.stream().anyMatch(name::startsWith);
      }
    };
  }
}
