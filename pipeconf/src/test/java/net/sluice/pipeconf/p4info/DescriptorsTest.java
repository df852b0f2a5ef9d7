package net.sluice.pipeconf.p4info;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import com.google.protobuf.TextFormat;
import java.io.IOException;
import java.lang.reflect.Field;
import java.lang.reflect.RecordComponent;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import net.sluice.pipeconf.DropReason;
import net.sluice.pipeconf.V1ModelPipeline;
import net.sluice.pipeconf.testing.TnaDeviceConfig;
import org.junit.jupiter.api.Test;
import p4.config.v1.P4InfoOuterClass.Action;
import p4.config.v1.P4InfoOuterClass.ActionRef;
import p4.config.v1.P4InfoOuterClass.P4Info;
import p4.config.v1.P4InfoOuterClass.Preamble;
import p4.config.v1.P4InfoOuterClass.Table;

/** The generated descriptors against P4Info as protobuf reads it. */
class DescriptorsTest {
  private static final Path REPOSITORY = Path.of("").toAbsolutePath().getParent();

  @Test
  void descriptorsAreExactlyWhatP4InfoSays() throws IOException {
    P4Info v1Model = compiled("v1model");
    assertDescribes(V1ModelProgram.DESCRIPTOR, v1Model);
    assertThat(V1ModelPipeline.load().p4Info()).isEqualTo(v1Model);

    P4Info aggregate = compiled("v1model/aggregate");
    assertDescribes(AggregateProgram.DESCRIPTOR, aggregate);
    assertThat(V1ModelPipeline.withAggregates().p4Info()).isEqualTo(aggregate);

    P4Info tna = compiled("tna/tofino");
    assertDescribes(TnaProgram.DESCRIPTOR, tna);
    assertThat(TnaDeviceConfig.pipeline().p4Info()).isEqualTo(tna);
  }

  /** P4Info as compiled, without what readers of P4Runtime 1.3 cannot read. */
  private static P4Info compiled(String program) throws IOException {
    Path file = REPOSITORY.resolve("p4/p4c-out/" + program + "/sluice.p4info.txtpb");
    P4Info.Builder info = P4Info.newBuilder();
    TextFormat.Parser.newBuilder()
        .setAllowUnknownFields(true)
        .build()
        .merge(Files.readString(file), info);
    info.getTablesBuilderList()
        .forEach(table -> table.clearInitialDefaultAction().clearHasInitialEntries());
    return info.clearExterns().build();
  }

  private static void assertDescribes(ProgramDescriptor program, P4Info info) {
    List<String> expected = new ArrayList<>();
    Map<Integer, Action> actions = new HashMap<>();
    info.getActionsList().forEach(action -> actions.put(action.getPreamble().getId(), action));
    for (Table table : info.getTablesList()) {
      if (!table.getIsConstTable()) {
        expected.add(table(table, actions));
      }
    }
    assertThat(program.tables().stream().map(DescriptorsTest::text))
        .containsExactlyInAnyOrderElementsOf(expected);
    assertThat(program.counters())
        .containsExactlyInAnyOrderElementsOf(
            info.getCountersList().stream()
                .map(
                    counter ->
                        new CounterDescriptor(
                            counter.getPreamble().getId(),
                            counter.getPreamble().getName(),
                            (int) counter.getSize()))
                .toList());
    assertThat(program.architecture()).isEqualTo(info.getPkgInfo().getArch());
  }

  private static String table(Table table, Map<Integer, Action> actions) {
    return line(table.getPreamble(), table.getSize())
        + table.getMatchFieldsList().stream()
            .map(f -> line(f.getMatchType(), f.getId(), f.getName(), f.getBitwidth()))
            .collect(Collectors.joining())
        + table.getActionRefsList().stream()
            .filter(ref -> ref.getScope() != ActionRef.Scope.DEFAULT_ONLY)
            .map(ref -> action(actions.get(ref.getId())))
            .collect(Collectors.joining());
  }

  private static String action(Action action) {
    return line(action.getPreamble(), "action")
        + action.getParamsList().stream()
            .map(param -> line("param", param.getId(), param.getName(), param.getBitwidth()))
            .collect(Collectors.joining());
  }

  private static String line(Preamble preamble, Object more) {
    return line(preamble.getId(), preamble.getName(), more);
  }

  private static String text(TableDescriptor table) {
    return line(table.id(), table.name(), table.size())
        + table.matchFields().stream()
            .map(f -> line(matchType(f), f.id(), f.name(), f.bits()))
            .collect(Collectors.joining())
        + table.actions().stream().map(DescriptorsTest::text).collect(Collectors.joining());
  }

  private static String text(ActionDescriptor action) {
    return line(action.id(), action.name(), "action")
        + action.params().stream()
            .map(param -> line("param", param.id(), param.name(), param.bits()))
            .collect(Collectors.joining());
  }

  private static String matchType(MatchField field) {
    return field.getClass().getSimpleName().toUpperCase(Locale.ROOT);
  }

  private static String line(Object... parts) {
    return Arrays.stream(parts).map(String::valueOf).collect(Collectors.joining(" ", "", "\n"));
  }

  @Test
  void componentsBearTheNamesOfWhatTheyHold() throws ReflectiveOperationException {
    assertNamed(V1ModelProgram.DESCRIPTOR);
    assertNamed(TnaProgram.DESCRIPTOR);
  }

  private static void assertNamed(ProgramDescriptor program) throws ReflectiveOperationException {
    for (TableDescriptor table : program.tables()) {
      assertNamed(table.getClass(), table, List.of("id", "name", "size"));
      for (ActionDescriptor action : table.actions()) {
        assertNamed(action.getClass(), action, List.of("id", "name"));
      }
    }
    assertNamed(program.getClass(), program, List.of("architecture", "sourcesSha256"));
  }

  /** {@code ingressPort} holds {@code ingress_port}, and {@code setRole} {@code a.b.set_role}. */
  private static void assertNamed(Class<?> type, Object descriptor, List<String> others)
      throws ReflectiveOperationException {
    for (RecordComponent component : type.getRecordComponents()) {
      if (!others.contains(component.getName())) {
        Object held = component.getAccessor().invoke(descriptor);
        for (Object each : held instanceof List<?> list ? list : List.of(held)) {
          String name = (String) each.getClass().getMethod("name").invoke(each);
          assertThat(name.substring(name.lastIndexOf('.') + 1).replace("_", ""))
              .matches("(?i)" + component.getName() + (held instanceof List<?> ? "\\d*" : ""));
        }
      }
    }
  }

  @Test
  void enumerationsAreThoseOfP4Info() throws IllegalAccessException {
    Map<String, Object> expected = new TreeMap<>();
    V1ModelPipeline.load()
        .p4Info()
        .getTypeInfo()
        .getSerializableEnumsMap()
        .forEach(
            (type, spec) ->
                spec.getMembersList()
                    .forEach(
                        member ->
                            expected.put(
                                constant(type.substring(0, type.length() - 2))
                                    + "_"
                                    + member.getName(),
                                number(member.getValue()))));
    Map<String, Object> actual = constants();
    // Those that no table uses; P4Info leaves them out. The second is of a Tofino's wires.
    actual
        .keySet()
        .removeIf(name -> name.startsWith("DROP_REASON_") || name.startsWith("CONTROL_KIND_"));

    assertThat(actual).containsExactlyInAnyOrderEntriesOf(expected);
  }

  @Test
  void everyDropReasonOfTheProgramHasAName() throws IllegalAccessException {
    Map<String, Object> declared = constants();
    declared.keySet().removeIf(name -> !name.startsWith("DROP_REASON_"));
    declared.remove("DROP_REASON_NONE");

    Map<String, Object> named = new TreeMap<>();
    for (DropReason reason : DropReason.values()) {
      named.put("DROP_REASON_" + reason.name(), reason.code());
      assertThat(reason.text()).isNotBlank();
    }
    // Only the v1model program has these, as constants of its own.
    for (DropReason reason :
        List.of(
            DropReason.SUSPENDED,
            DropReason.NO_SUBSCRIBER,
            DropReason.SPOOFED_SOURCE,
            DropReason.LIMIT_CODEL,
            DropReason.LIMIT_WAIT)) {
      named.remove("DROP_REASON_" + reason.name());
      assertThat(named).doesNotContainValue(reason.code());
    }
    assertThat(named).isEqualTo(declared);
    assertThat(SerializableEnums.DROP_REASON_NONE).isZero();
    assertThat(DropReason.BELOW_THRESHOLD.code()).isEqualTo(7);
  }

  @Test
  void noOtherCodeSpellsANameOfTheProgram() throws IOException {
    List<String> names = new ArrayList<>();
    for (P4Info info :
        List.of(V1ModelPipeline.load().p4Info(), TnaDeviceConfig.pipeline().p4Info())) {
      for (Table table : info.getTablesList()) {
        names.add(table.getPreamble().getName());
        names.add(table.getPreamble().getAlias());
      }
      info.getActionsList().forEach(action -> names.add(action.getPreamble().getName()));
      info.getCountersList().forEach(counter -> names.add(counter.getPreamble().getName()));
      info.getRegistersList().forEach(register -> names.add(register.getPreamble().getName()));
    }
    names.removeIf(name -> name.equals("NoAction"));

    List<String> found = new ArrayList<>();
    for (Path source : mainSources()) {
      String text = Files.readString(source);
      for (String name : names) {
        if (text.contains('"' + name + '"')) {
          found.add(REPOSITORY.relativize(source) + " spells " + name);
        }
      }
    }
    assertThat(found).isEmpty();
  }

  private static List<Path> mainSources() throws IOException {
    List<Path> sources = new ArrayList<>();
    try (Stream<Path> modules = Files.walk(REPOSITORY, 2)) {
      for (Path main : modules.map(m -> m.resolve("src/main/java")).collect(Collectors.toList())) {
        if (Files.isDirectory(main)) {
          try (Stream<Path> files = Files.walk(main)) {
            files.filter(f -> f.toString().endsWith(".java")).forEach(sources::add);
          }
        }
      }
    }
    assertThat(sources).isNotEmpty();
    return sources;
  }

  private static Map<String, Object> constants() throws IllegalAccessException {
    Map<String, Object> constants = new TreeMap<>();
    for (Field field : SerializableEnums.class.getFields()) {
      constants.put(field.getName(), field.get(null));
    }
    return constants;
  }

  private static int number(ByteString value) {
    return new BigInteger(1, value.toByteArray()).intValueExact();
  }

  /** Words begin at capitals and after underscores. */
  private static String constant(String name) {
    return Arrays.stream(name.split("(?=[A-Z])|_"))
        .map(word -> word.toUpperCase(Locale.ROOT))
        .collect(Collectors.joining("_"));
  }
}
