package net.sluice.pipeconf;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import com.google.protobuf.TextFormat;
import java.io.IOException;
import java.lang.reflect.Field;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import p4.config.v1.P4InfoOuterClass.Action;
import p4.config.v1.P4InfoOuterClass.MatchField;
import p4.config.v1.P4InfoOuterClass.P4Info;
import p4.config.v1.P4InfoOuterClass.Table;

/** The generated constants against P4Info as protobuf reads it. */
class PipelineConstantsTest {
  private static final Path REPOSITORY = Path.of("").toAbsolutePath().getParent();

  @Test
  void constantsAreExactlyWhatP4InfoSays() throws IOException, IllegalAccessException {
    Path file = REPOSITORY.resolve("p4/p4c-out/v1model/sluice.p4info.txtpb");
    P4Info.Builder info = P4Info.newBuilder();
    TextFormat.Parser.newBuilder()
        .setAllowUnknownFields(true)
        .build()
        .merge(Files.readString(file), info);

    // The packaged P4Info lacks only what protobuf's classes do not know either.
    assertThat(V1ModelPipeline.load().p4Info()).isEqualTo(info.build());

    Map<String, Object> expected = expected(info.build());
    Map<String, Object> actual = constants();
    // The one enumeration that no table uses; P4Info leaves it out.
    actual.keySet().removeIf(name -> name.startsWith("ENUM_DROP_REASON_"));
    actual.remove("SOURCES_SHA256");

    assertThat(actual).containsExactlyInAnyOrderEntriesOf(expected);
  }

  @Test
  void everyDropReasonOfTheProgramHasAName() throws IllegalAccessException {
    Map<String, Object> declared = constants();
    declared.keySet().removeIf(name -> !name.startsWith("ENUM_DROP_REASON_"));
    declared.remove("ENUM_DROP_REASON_NONE");

    Map<String, Object> named = new TreeMap<>();
    for (DropReason reason : DropReason.values()) {
      named.put("ENUM_DROP_REASON_" + reason.name(), reason.code());
      assertThat(reason.text()).isNotBlank();
    }
    assertThat(named).isEqualTo(declared);
    assertThat(SluicePipeline.ENUM_DROP_REASON_NONE).isZero();
    assertThat(DropReason.BELOW_THRESHOLD.code()).isEqualTo(7);
  }

  @Test
  void noOtherCodeSpellsANameOfTheProgram() throws IOException {
    List<String> names = new ArrayList<>();
    P4Info info = V1ModelPipeline.load().p4Info();
    for (Table table : info.getTablesList()) {
      names.add(table.getPreamble().getName());
      names.add(table.getPreamble().getAlias());
    }
    info.getActionsList().forEach(action -> names.add(action.getPreamble().getName()));
    info.getCountersList().forEach(counter -> names.add(counter.getPreamble().getName()));
    info.getRegistersList().forEach(register -> names.add(register.getPreamble().getName()));
    names.remove("NoAction");

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
    for (Field field : SluicePipeline.class.getFields()) {
      constants.put(field.getName(), field.get(null));
    }
    return constants;
  }

  private static Map<String, Object> expected(P4Info info) {
    Map<String, Object> expected = new TreeMap<>();
    expected.put("ARCH", info.getPkgInfo().getArch());
    for (Table table : info.getTablesList()) {
      String name = "TABLE_" + constant(table.getPreamble().getAlias());
      expected.put(name, table.getPreamble().getId());
      expected.put(name + "_NAME", table.getPreamble().getName());
      expected.put(name + "_SIZE", (int) table.getSize());
      for (MatchField field : table.getMatchFieldsList()) {
        String match = name.replace("TABLE_", "MATCH_") + "_" + constant(field.getName());
        expected.put(match, field.getId());
        expected.put(match + "_BITS", field.getBitwidth());
      }
    }
    for (Action action : info.getActionsList()) {
      String name = constant(action.getPreamble().getAlias());
      expected.put("ACTION_" + name, action.getPreamble().getId());
      for (Action.Param param : action.getParamsList()) {
        expected.put("PARAM_" + name + "_" + constant(param.getName()), param.getId());
        expected.put(
            "PARAM_" + name + "_" + constant(param.getName()) + "_BITS", param.getBitwidth());
      }
    }
    info.getCountersList()
        .forEach(
            counter -> {
              String name = "COUNTER_" + constant(counter.getPreamble().getAlias());
              expected.put(name, counter.getPreamble().getId());
              expected.put(name + "_SIZE", (int) counter.getSize());
            });
    info.getRegistersList()
        .forEach(
            register -> {
              String name = "REGISTER_" + constant(register.getPreamble().getAlias());
              expected.put(name, register.getPreamble().getId());
              expected.put(name + "_SIZE", register.getSize());
            });
    info.getTypeInfo()
        .getSerializableEnumsMap()
        .forEach(
            (type, spec) ->
                spec.getMembersList()
                    .forEach(
                        member ->
                            expected.put(
                                "ENUM_"
                                    + constant(type.substring(0, type.length() - 2))
                                    + "_"
                                    + member.getName(),
                                number(member.getValue()))));
    return expected;
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
