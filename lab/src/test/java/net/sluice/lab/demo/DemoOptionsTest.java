package net.sluice.lab.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import net.sluice.cli.OptionException;
import net.sluice.cli.StartFailure;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DemoOptionsTest {
  @TempDir private Path folder;
  private Path points;
  private Path broken;
  private Path noFunction;
  private Path rising;

  @BeforeEach
  void files() throws IOException {
    points =
        Files.writeString(
            folder.resolve("points.json"),
            "{\"throughputValue\":{\"points\":[{\"rateBps\":1000,\"value\":1000.0},"
                + "{\"rateBps\":1000000,\"value\":1}]}}");
    broken = Files.writeString(folder.resolve("broken.json"), "{\"throughputValue\":");
    noFunction = Files.writeString(folder.resolve("none.json"), "{}");
    rising =
        Files.writeString(
            folder.resolve("rising.json"),
            "{\"throughputValue\":{\"points\":[{\"rateBps\":1000,\"value\":10},"
                + "{\"rateBps\":2000,\"value\":11}]}}");
  }

  /** Options as on the command line: {@code --name value} pairs. */
  private DemoOptions parse(String... arguments) throws StartFailure {
    List<String> groups = new ArrayList<>();
    List<String> policies = new ArrayList<>();
    String bottleneck = null;
    String network = null;
    String enforcement = null;
    String seconds = null;
    String packet = "1500";
    String seed = "1";
    String report = null;
    boolean bloat = false;
    String page = folder.resolve("demo.html").toString();
    for (int i = 0; i < arguments.length; i += 2) {
      String value = arguments[i + 1];
      switch (arguments[i]) {
        case "--group" -> groups.add(value);
        case "--policy" -> policies.add(value);
        case "--bottleneck" -> bottleneck = value;
        case "--network" -> network = value;
        case "--enforcement" -> enforcement = value;
        case "--seconds" -> seconds = value;
        case "--packet" -> packet = value;
        case "--seed" -> seed = value;
        case "--report" -> report = value;
        case "--page" -> page = value;
        case "--bloat" -> bloat = Boolean.parseBoolean(value);
        default -> throw new IllegalArgumentException(arguments[i]);
      }
    }
    return DemoOptions.parse(
        new DemoOptions.Raw(
            groups,
            policies,
            bottleneck,
            seconds,
            packet,
            seed,
            report,
            page,
            network,
            enforcement,
            bloat));
  }

  @Test
  void withoutOptionsItOffersTwiceTheBottleneck() throws StartFailure {
    DemoOptions options = parse();
    assertThat(options.groups())
        .extracting(GroupSpec::name)
        .containsExactly("gold", "silver", "light", "capped");
    assertThat(options.offeredBps()).isEqualTo(2e9);
    assertThat(options.seconds()).isEmpty();
    assertThat(options.bloat()).isFalse();
    assertThat(parse("--bloat", "true").bloat()).isTrue();
    assertThat(options.maxSubscriberRateBps()).isEqualTo(1_000_000_000L);
  }

  @Test
  void readsEveryOption() throws StartFailure {
    DemoOptions options =
        parse(
            "--group", "a:gold:3:2.5M",
            "--group", "b:mine:4:400k:1M",
            "--policy", "mine=" + points,
            "--bottleneck", "10M",
            "--seconds", "2.5",
            "--packet", "64",
            "--seed", "-7",
            "--report", folder.resolve("r.json").toString());
    assertThat(options.groups())
        .containsExactly(
            new GroupSpec("a", "gold", 3, 2_500_000, OptionalLong.empty()),
            new GroupSpec("b", "mine", 4, 400_000, OptionalLong.of(1_000_000)));
    assertThat(options.policies()).containsOnlyKeys("gold", "silver", "mine");
    assertThat(options.policies().get("mine").policy().function().valueAt(1000)).isEqualTo(1000);
    assertThat(options.network()).isEqualTo(DemoNetwork.single(10_000_000));
    assertThat(options.seconds()).hasValue(2.5);
    assertThat(options.packetBytes()).isEqualTo(64);
    assertThat(options.seed()).isEqualTo(-7);
    assertThat(options.report()).hasValue(folder.resolve("r.json"));
  }

  @Test
  void theMarkersHighestRateCoversTheLargestOffer() throws StartFailure {
    assertThat(parse("--group", "a:gold:1:1G").maxSubscriberRateBps()).isEqualTo(1_000_000_000L);
    assertThat(parse("--group", "a:gold:1:1.1G").maxSubscriberRateBps()).isEqualTo(10_000_000_000L);
    assertThat(parse("--group", "a:gold:1:1k", "--group", "b:gold:1:100G").maxSubscriberRateBps())
        .isEqualTo(100_000_000_000L);
  }

  @Test
  void everyBadOptionIsOneClearLine() throws IOException {
    String[][] cases = {
      {"--group", "a"},
      {"--group", "a:gold:1:1M:1M:1M"},
      {"--group", ":gold:1:1M"},
      {"--group", "-a:gold:1:1M"},
      {"--group", "a b:gold:1:1M"},
      {"--group", "a".repeat(41) + ":gold:1:1M"},
      {"--group", "a:bronze:1:1M"},
      {"--group", "a::1:1M"},
      {"--group", "a:gold:0:1M"},
      {"--group", "a:gold:-1:1M"},
      {"--group", "a:gold:1.5:1M"},
      {"--group", "a:gold:1048576:1M"},
      {"--group", "a:gold:1:0"},
      {"--group", "a:gold:1:999"},
      {"--group", "a:gold:1:101G"},
      {"--group", "a:gold:1:fast"},
      {"--group", "a:gold:1:1M:0"},
      {"--group", "a:gold:1:1M:"},
      {"--group", "a:gold:1:1M", "--group", "a:silver:1:1M"},
      {"--group", "a:gold:1000000:1M", "--group", "b:gold:1000000:1M"},
      {"--policy", "mine"},
      {"--policy", "=file"},
      {"--policy", "gold=" + points},
      {"--policy", "mine=" + folder.resolve("absent.json")},
      {"--policy", "mine=" + folder},
      {"--policy", "mine=" + broken},
      {"--policy", "mine=" + noFunction},
      {"--policy", "mine=" + rising},
      {"--policy", "my policy=" + points},
      {"--policy", "mine=" + points, "--policy", "mine=" + points},
      {"--bottleneck", "1"},
      {"--bottleneck", "1000G"},
      {"--bottleneck", "ten"},
      {"--seconds", "0"},
      {"--seconds", "-1"},
      {"--seconds", "1h"},
      {"--seconds", "NaN"},
      {"--seconds", "3601"},
      {"--packet", "63"},
      {"--packet", "9001"},
      {"--packet", "1k"},
      {"--packet", "1601", "--group", "a:gold:1:1M:1M"},
      {"--seed", "1.5"},
      {"--seed", ""},
      {"--report", folder.toString()},
      {"--report", folder.resolve("absent/report.json").toString()},
      {"--page", ""},
      {"--enforcement", "hold"},
      {"--bloat", "true", "--network", "two-bng"},
      {"--bloat", "true", "--group", "a:gold:1:1M"},
    };
    StringBuilder texts = new StringBuilder();
    for (String[] arguments : cases) {
      Throwable refusal = catchThrowable(() -> parse(arguments));
      assertThat(refusal).as(String.join(" ", arguments)).isInstanceOf(OptionException.class);
      assertThat(refusal.getMessage()).doesNotContain("\n").contains(arguments[0]);
      texts.append(refusal.getMessage().replace(folder.toString(), "FOLDER")).append('\n');
    }
    assertGolden("demo-option-errors.txt", texts.toString());
  }

  private static void assertGolden(String name, String actual) throws IOException {
    String expected;
    try (var stream = DemoOptionsTest.class.getResourceAsStream("/golden/" + name)) {
      assertThat(stream).as("golden file %s; the texts are:%n%s", name, actual).isNotNull();
      expected = new String(stream.readAllBytes(), StandardCharsets.UTF_8);
    }
    assertThat(actual).isEqualTo(expected);
  }
}
