package net.sluice.fpga;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.IntFunction;
import net.sluice.intents.plan.FpgaLevel;
import net.sluice.intents.plan.FpgaSetting;
import net.sluice.intents.plan.FpgaSetting.BucketSize;
import net.sluice.intents.plan.FpgaSetting.ClassShares;
import net.sluice.intents.plan.FpgaSetting.CustomerBurst;
import net.sluice.intents.plan.FpgaSetting.CustomerCodel;
import net.sluice.intents.plan.FpgaSetting.CustomerDepth;
import net.sluice.intents.plan.FpgaSetting.QueueDepth;
import net.sluice.intents.plan.FpgaSetting.RateWord;
import net.sluice.intents.plan.FpgaSetting.StoreWord;
import net.sluice.intents.value.Direction;
import org.junit.jupiter.api.Test;

/** The driver's addresses and widths against {@code rtl/registers.csv}, which the core follows. */
class RegisterMapTest {
  private record Register(int address, int count, int bits) {}

  /** The map by register name; the columns read here come before any with a comma inside. */
  private static Map<String, Register> map() throws IOException {
    Map<String, Register> map = new TreeMap<>();
    for (String line : Files.readAllLines(Path.of("rtl", "registers.csv"))) {
      String[] columns = line.split(",", 5);
      if (!columns[0].equals("name")) {
        map.put(
            columns[0],
            new Register(
                Integer.decode(columns[1]),
                Integer.parseInt(columns[2]),
                Integer.parseInt(columns[3])));
      }
    }
    return map;
  }

  private static int address(FpgaSetting setting) {
    return RegisterLayout.address(setting);
  }

  private static void assertOfCustomers(Register array, IntFunction<FpgaSetting> setting) {
    assertThat(array.count).isEqualTo(RegisterLayout.buckets(FpgaLevel.CUSTOMER));
    for (int i : new int[] {0, 1, array.count - 1}) {
      assertThat(address(setting.apply(i))).isEqualTo(array.address + 4 * i);
    }
  }

  @Test
  void theDriverHasTheAddressesOfTheMap() throws IOException {
    Map<String, Register> map = map();

    for (FpgaLevel level : FpgaLevel.values()) {
      Register rates = map.get(level + "_RATE");
      assertThat(rates.count).as("%s", level).isEqualTo(RegisterLayout.buckets(level));
      for (int i : new int[] {0, 1, rates.count - 1}) {
        assertThat(address(new RateWord(Direction.UP, level, i, 0)))
            .isEqualTo(rates.address + 4 * i);
      }
      assertThat(address(new BucketSize(Direction.UP, level, 0)))
          .isEqualTo(map.get(level + "_BUCKET").address);
    }
    assertOfCustomers(map.get("CUSTOMER_CLASSES"), i -> new ClassShares(Direction.UP, i, 0));
    assertOfCustomers(map.get("CUSTOMER_BURST"), i -> new CustomerBurst(Direction.UP, i, 0));
    assertOfCustomers(map.get("CUSTOMER_CODEL"), i -> new CustomerCodel(Direction.UP, i, 0));
    assertOfCustomers(map.get("CUSTOMER_DEPTH"), i -> new CustomerDepth(Direction.UP, i, 0));
    for (int i = 0; i < map.get("DEPTH_LIMIT").count; i++) {
      assertThat(address(new QueueDepth(Direction.UP, i, 0)))
          .isEqualTo(map.get("DEPTH_LIMIT").address + 4 * i);
    }
    assertThat(RegisterLayout.STORE_WORDS).isEqualTo(map.get("STORE_WORD").count);
    for (int i = 0; i < RegisterLayout.STORE_WORDS; i++) {
      assertThat(address(new StoreWord(Direction.UP, i, 0)))
          .isEqualTo(map.get("STORE_WORD").address + 4 * i);
    }
    assertThat(RegisterLayout.CORE_ID).isEqualTo(map.get("CORE_ID").address);
    assertThat(RegisterLayout.CORE_GEOMETRY).isEqualTo(map.get("CORE_GEOMETRY").address);
    assertThat(RegisterLayout.CORE_TICK).isEqualTo(map.get("CORE_TICK").address);
    assertThat(RegisterLayout.CORE_CLOCK).isEqualTo(map.get("CORE_CLOCK").address);
    assertThat(RegisterLayout.COUNTER_SELECT).isEqualTo(map.get("COUNTER_SELECT").address);
    assertThat(RegisterLayout.COUNTER_LOW).isEqualTo(map.get("COUNTER_LOW").address);
    assertThat(RegisterLayout.COUNTER_HIGH).isEqualTo(map.get("COUNTER_HIGH").address);
  }

  @Test
  void theDriverHasTheWidthsOfTheMap() throws IOException {
    Map<String, Register> map = map();

    assertThat(RegisterLayout.MAX_RATE_WORD)
        .isEqualTo((1 << map.get("CUSTOMER_RATE").bits) - 1)
        .isEqualTo((1 << map.get("TREE_RATE").bits) - 1)
        .isEqualTo((1 << map.get("PORT_RATE").bits) - 1);
    assertThat(RegisterLayout.MAX_BUCKET_BYTES)
        .isEqualTo((1 << map.get("CUSTOMER_BUCKET").bits) - 1)
        .isEqualTo((1 << map.get("CUSTOMER_BURST").bits) - 1);
    assertThat(RegisterLayout.MAX_DEPTH_BYTES + RegisterLayout.DEPTH_STEP_BYTES)
        .isEqualTo(1 << map.get("DEPTH_LIMIT").bits)
        .isEqualTo(1 << map.get("CUSTOMER_DEPTH").bits);
    assertThat(RegisterLayout.QUEUES).isEqualTo(1 << map.get("COUNTER_SELECT").bits);
  }

  @Test
  void everyRegisterIsInTheWindowAndHasItsAddressAlone() throws IOException {
    Map<Integer, Integer> ends = new TreeMap<>();
    map().values().forEach(r -> ends.put(r.address, r.address + 4 * r.count));

    int free = 0;
    for (Map.Entry<Integer, Integer> register : ends.entrySet()) {
      assertThat(register.getKey()).isGreaterThanOrEqualTo(free);
      free = register.getValue();
    }
    assertThat(free).isLessThanOrEqualTo(RegisterLayout.WINDOW_BYTES);
    assertThat(ends).hasSameSizeAs(map().keySet());
  }
}
