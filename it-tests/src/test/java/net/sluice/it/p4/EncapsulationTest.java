package net.sluice.it.p4;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import net.sluice.pipeconf.V1ModelPipeline;
import org.junit.jupiter.api.Test;
import p4.config.v1.P4InfoOuterClass.P4Info;
import p4.config.v1.P4InfoOuterClass.Preamble;

/** Only pipeconf knows the P4 program's names, only the FPGA's driver and model its addresses. */
class EncapsulationTest {
  /**
   * The upper byte of an address selects scheduler or counters; compared or less one it is a bound.
   */
  private static final Pattern SLAVE_SELECT =
      Pattern.compile("(?<![<>]=? )\\b[12]L?\\s*<<\\s*24\\b(?!\\s*\\)?\\s*-)");

  @Test
  void onlyPipeconfNamesTablesActionsAndCounters() {
    Set<String> names = p4Names();
    List<String> found = new ArrayList<>();
    for (JavaSource source : JavaSource.ofProduct()) {
      if (!source.isBelow("pipeconf")) {
        for (String literal : source.strings()) {
          if (isP4Name(literal, names)) {
            found.add(source.file() + ": \"" + literal + "\"");
          }
        }
      }
    }
    assertThat(found).isEmpty();
  }

  @Test
  void onlyTheFpgasDriverAndModelKnowItsAddresses() {
    List<String> found = new ArrayList<>();
    for (JavaSource source : JavaSource.ofProduct()) {
      if (!source.isBelow("fpga-driver")
          && !source.isBelow("emulator/netsim/src/main/java/net/sluice/emulator/netsim/fpga")) {
        Matcher shift = SLAVE_SELECT.matcher(source.code());
        while (shift.find()) {
          found.add(source.file() + ": " + shift.group());
        }
        for (long value : source.integers()) {
          if (isRegisterAddress(value)) {
            found.add(source.file() + ": 0x" + Long.toHexString(value));
          }
        }
      }
    }
    assertThat(found).isEmpty();
  }

  @Test
  void scanSeesLiteralsAndNoComments() {
    JavaSource source =
        JavaSource.of(
            Path.of("Sample.java"),
            """
            // "PortRole" 0x01000000
            /* "set_role"
               0x02000004 */
            class Sample {
              char quote = '"';
              char escaped = '\\'';
              String table = "RateIndex" + "a \\"subscriber_in\\" b";
              long port = 0x0100_0000L, id = 0x02000008;
              int select = 2 << 24, max = (1 << 24) - 1; // 1 << 24
              boolean fits = port < 1 << 24 && id >= 1 << 24;
              long mac = 0x02_00_00_00_00_01L;
            }
            """);
    assertThat(source.strings()).containsExactly("RateIndex", "a \\\"subscriber_in\\\" b");
    assertThat(source.integers()).containsExactly(0x01000000L, 0x02000008L, 0x020000000001L);
    assertThat(source.integers().stream().filter(EncapsulationTest::isRegisterAddress))
        .containsExactly(0x01000000L, 0x02000008L);
    assertThat(source.code()).contains("long port = 0x0100_0000L").doesNotContain("RateIndex");
    assertThat(SLAVE_SELECT.matcher(source.code()).results().map(MatchResult::group))
        .containsExactly("2 << 24");
    assertThat(source.strings().stream().filter(text -> isP4Name(text, p4Names())))
        .containsExactly("RateIndex", "a \\\"subscriber_in\\\" b");
  }

  @Test
  void scanCoversEveryModule() {
    List<JavaSource> product = JavaSource.ofProduct();
    for (String module :
        List.of(
            "intents",
            "pipeconf",
            "fpga-driver",
            "emulator",
            "controller-app/core",
            "controller-app/rest",
            "controller-app/standalone",
            "lab")) {
      assertThat(product).as(module).anyMatch(source -> source.isBelow(module));
    }
    assertThat(p4Names())
        .contains("PortRole", "set_role", "subscriber_in", "CongestionThreshold", "RateIndex");
  }

  /** Names in full and their last parts; words that are plain English are in everybody's mouth. */
  private static Set<String> p4Names() {
    P4Info p4Info = V1ModelPipeline.load().p4Info();
    Set<String> names = new HashSet<>();
    Stream.of(
            p4Info.getTablesList().stream().map(table -> table.getPreamble()),
            p4Info.getActionsList().stream().map(action -> action.getPreamble()),
            p4Info.getCountersList().stream().map(counter -> counter.getPreamble()))
        .flatMap(preambles -> preambles)
        .filter(preamble -> !preamble.getName().equals("NoAction"))
        .forEach(preamble -> addNames(preamble, names));
    return names;
  }

  private static void addNames(Preamble preamble, Set<String> names) {
    String full = preamble.getName();
    String last = full.substring(full.lastIndexOf('.') + 1);
    names.add(full);
    if (!last.matches("[a-z]+")) {
      names.add(last);
    }
  }

  private static boolean isP4Name(String literal, Set<String> names) {
    for (String name : names) {
      int at = literal.indexOf(name);
      while (at >= 0) {
        int end = at + name.length();
        boolean begins = at == 0 || !Character.isJavaIdentifierPart(literal.charAt(at - 1));
        boolean ends =
            end == literal.length() || !Character.isJavaIdentifierPart(literal.charAt(end));
        if (begins && ends) {
          return true;
        }
        at = literal.indexOf(name, at + 1);
      }
    }
    return false;
  }

  /** A word of the rate registers, or one of the three of the counters. */
  private static boolean isRegisterAddress(long value) {
    boolean rates = value >>> 24 == 1 && (value & 3) == 0;
    return rates || value == 0x02000000L || value == 0x02000004L || value == 0x02000008L;
  }
}
