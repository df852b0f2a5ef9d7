package net.sluice.lab.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import net.sluice.intents.model.IpPrefix;
import org.junit.jupiter.api.Test;

class PopulationTest {
  private static final DemoNetwork ONE = DemoNetwork.single(1_000_000_000L);

  private static final Pattern SUBSCRIBER =
      Pattern.compile(
          ".*\"kind\":\"subscriber\",\"id\":\"([^\"]+)\".*\"prefixes\":\\[\"([^\"]+)\"\\]"
              + ".*\"port\":(\\d+),\"tree\":(\\d+).*");

  private static Population population(boolean withV6, String... groups) {
    return new Population(List.of(groups).stream().map(GroupSpec::parse).toList(), 7, withV6);
  }

  @Test
  void declaresEverySubscriberOnceWithAPrefixThatHoldsItsAddress() throws Exception {
    Population population = population(true, "a:gold:300:1M", "b:silver:70000:1M");
    Set<String> ids = new HashSet<>();
    Set<String> prefixes = new HashSet<>();
    int subscriber = 0;
    int v6 = 0;
    for (String line : population.declarations(ONE)) {
      Matcher matcher = SUBSCRIBER.matcher(line);
      assertThat(matcher.matches()).as(line).isTrue();
      ids.add(matcher.group(1));
      prefixes.add(matcher.group(2));
      String address = InetAddress.getByAddress(population.address(subscriber)).getHostAddress();
      IpPrefix host = IpPrefix.parse(address + (population.isV6(subscriber) ? "/128" : "/32"));
      assertThat(IpPrefix.parse(matcher.group(2)).overlaps(host)).as(line).isTrue();
      v6 += population.isV6(subscriber) ? 1 : 0;
      subscriber++;
    }
    assertThat(subscriber).isEqualTo(70_300);
    assertThat(ids).hasSize(70_300).contains("a-0", "a-299", "b-69999");
    assertThat(prefixes).hasSize(70_300);
    assertThat(v6).isBetween(13_000, 15_000);
  }

  @Test
  void sameSeedSamePopulation() {
    List<GroupSpec> groups = List.of(GroupSpec.parse("a:gold:500:1M"));
    List<String> first = new Population(groups, 3, true).declarations(ONE);
    assertThat(new Population(groups, 3, true).declarations(ONE)).isEqualTo(first);
    assertThat(new Population(groups, 4, true).declarations(ONE)).isNotEqualTo(first);
    assertThat(new Population(groups, 3, false).declarations(ONE))
        .noneMatch(line -> line.contains("2001:db8"));
  }

  @Test
  void limitedSubscribersFillEveryTreeEvenly() {
    Population population = population(false, "free:gold:5:1M", "capped:gold:32768:1M:1M");
    Map<String, Integer> trees = new HashMap<>();
    for (String line : population.declarations(ONE)) {
      Matcher matcher = SUBSCRIBER.matcher(line);
      if (matcher.matches() && matcher.group(1).startsWith("capped")) {
        trees.merge(matcher.group(3) + "/" + matcher.group(4), 1, Integer::sum);
      }
    }
    assertThat(trees).hasSize(512).allSatisfy((tree, count) -> assertThat(count).isEqualTo(64));
  }

  @Test
  void limitsComeAfterTheSubscribersTheyAreFor() {
    List<String> lines = population(false, "a:gold:1:5M:2M", "b:gold:1:5M").declarations(ONE);
    assertThat(lines).hasSize(3);
    assertThat(lines.get(0)).contains("\"id\":\"a-0\"").contains("\"port\":7");
    assertThat(lines.get(1)).contains("\"id\":\"b-0\"").contains("\"port\":0");
    assertThat(lines.get(2))
        .isEqualTo(
            "{\"op\":\"put\",\"kind\":\"rate-limit\",\"id\":\"a-0\",\"value\":"
                + "{\"scope\":{\"subscriber\":\"a-0\"},\"downBps\":2000000}}");
  }
}
