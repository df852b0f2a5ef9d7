package net.sluice.lab.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import net.sluice.intents.model.policy.BuiltInFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PredictionTest {
  private static final Map<String, PolicySpec> POLICIES =
      Map.of(
          "gold",
          PolicySpec.builtIn(BuiltInFunction.GOLD),
          "silver",
          PolicySpec.builtIn(BuiltInFunction.SILVER));

  private static List<Double> rates(double capacityBps, String... groups) {
    return rates(POLICIES, capacityBps, groups);
  }

  private static List<Double> rates(
      Map<String, PolicySpec> policies, double capacityBps, String... texts) {
    List<GroupSpec> groups = new ArrayList<>();
    List<OptionalLong> granted = new ArrayList<>();
    for (String text : texts) {
      groups.add(GroupSpec.parse(text));
      granted.add(groups.get(groups.size() - 1).limitBps());
    }
    DemoNetwork one = DemoNetwork.single((long) capacityBps);
    return Prediction.of(
            groups, policies, granted, one.ways(new Population(groups, 1, false)), 1500, 0)
        .ratesBps();
  }

  @Test
  void reproducesTheSharesTheGoldCurveIsMadeFrom() {
    // 2,000 * 21.8 + 8,000 * 6.4 = 94,800 Mbit/s (paper 000, V.A).
    List<Double> shares = rates(94.8e9, "g:gold:2000:100M", "s:silver:8000:12M");
    assertThat(shares.get(0)).isCloseTo(21.8e6, within(1e3));
    assertThat(shares.get(1)).isCloseTo(6.4e6, within(1e3));
    // 39,000 * 488 + 156,000 * 400 = 81,432 Mbit/s (V.C).
    shares = rates(81.432e9, "g:gold:39000:1M", "s:silver:156000:1M");
    assertThat(shares.get(0)).isCloseTo(488e3, within(100.0));
    assertThat(shares.get(1)).isCloseTo(400e3, within(100.0));
  }

  @Test
  void alikeSubscribersShareEvenly() {
    assertThat(rates(100e6, "a:silver:30:10M", "b:silver:20:50M"))
        .allSatisfy(rate -> assertThat(rate).isCloseTo(2e6, within(10.0)));
  }

  @Test
  void whatALightOrLimitedGroupLeavesGoesToTheOthers() {
    // 1 * 2 + 1 * 3 (limit) + 10 * x = 100 Mbit/s
    List<Double> shares =
        rates(100e6, "light:silver:1:2M", "limited:silver:1:50M:3M", "x:silver:10:50M");
    assertThat(shares.get(0)).isEqualTo(2e6);
    assertThat(shares.get(1)).isEqualTo(3e6);
    assertThat(shares.get(2)).isCloseTo(9.5e6, within(10.0));
  }

  @Test
  void aLimitAboveTheShareChangesNothing() {
    assertThat(rates(100e6, "a:silver:5:50M:30M", "b:silver:5:50M"))
        .allSatisfy(rate -> assertThat(rate).isCloseTo(10e6, within(10.0)));
  }

  @Test
  void withoutCongestionEveryoneGetsEverything() {
    assertThat(rates(1e9, "a:gold:5:50M", "b:silver:5:50M")).containsExactly(50e6, 50e6);
  }

  @Test
  void goldAndSilverStayInTheConfiguredRatioAtHighRates() {
    List<Double> shares = rates(1e9, "g:gold:10:900M", "s:silver:10:900M");
    // 10 s (1 + 21.8/6.4) = 1,000 Mbit/s
    assertThat(shares.get(1)).isCloseTo(1e8 / (1 + 21.8 / 6.4), within(100.0));
    assertThat(shares.get(0) / shares.get(1)).isCloseTo(21.8 / 6.4, within(1e-6));
  }

  @Test
  void aPolicyOfItsOwnIsReadFromItsFile(@TempDir Path folder) throws Exception {
    // Twice silver's rate at every value: V(x) = 2 * 10^12 / x.
    Path file = folder.resolve("double.json");
    Files.writeString(
        file,
        "{\"throughputValue\":{\"points\":[{\"rateBps\":20000,\"value\":1e8},"
            + "{\"rateBps\":200000000000,\"value\":10.0}]}}");
    Map<String, PolicySpec> policies = new HashMap<>(POLICIES);
    policies.put("double", PolicySpec.parse("double=" + file));
    List<Double> shares = rates(policies, 90e6, "d:double:1:80M", "s:silver:1:80M");
    assertThat(shares.get(0)).isCloseTo(60e6, within(100.0));
    assertThat(shares.get(1)).isCloseTo(30e6, within(100.0));
  }

  @Test
  void aLineWithOverheadCarriesLessOfShortFrames() {
    assertThat(Prediction.capacityBps(100_000_000_000L, 1500, 24)).isCloseTo(98.425e9, within(1e6));
    assertThat(Prediction.capacityBps(1_000_000_000L, 64, 0)).isEqualTo(1e9);
  }
}
