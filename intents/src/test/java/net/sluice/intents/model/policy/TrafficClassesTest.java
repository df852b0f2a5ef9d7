package net.sluice.intents.model.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.OptionalInt;
import java.util.stream.IntStream;
import net.sluice.intents.limit.fpga.ClassNumbers;
import org.junit.jupiter.api.Test;

class TrafficClassesTest {
  private static final OptionalInt NONE = OptionalInt.empty();

  private static TrafficClass first(String name, int priority, Integer... dscp) {
    return new TrafficClass(name, List.of(dscp), OptionalInt.of(priority), NONE);
  }

  private static TrafficClass shared(String name, int share, Integer... dscp) {
    return new TrafficClass(name, List.of(dscp), NONE, OptionalInt.of(share));
  }

  private static ClassNumbers numbers(TrafficClass... classes) {
    return ClassNumbers.of(new TrafficClasses(List.of(classes)));
  }

  private static void refused(String message, TrafficClass... classes) {
    assertThatThrownBy(() -> new TrafficClasses(List.of(classes))).hasMessage(message);
  }

  @Test
  void theClassOfAllOthersIsTheFpgasClass0AndTheFirstPriorityItsHighest() {
    ClassNumbers numbers =
        numbers(
            first("voice", 1, 46, 44),
            shared("video", 3, 34),
            first("control", 5, 48),
            shared("rest", 1));
    assertThat(numbers.byNumber())
        .extracting(TrafficClass::name)
        .containsExactly("rest", "video", "control", "voice");
    assertThat(numbers.word()).isEqualTo(0xff31);
    assertThat(numbers.byDscp()).hasToString("{34=1, 44=3, 46=3, 48=2}");
  }

  @Test
  void whereAllOthersGoBeforeAClassEveryCodepointNeedsAnEntry() {
    ClassNumbers numbers = numbers(first("rest", 1), shared("bulk", 2, 8, 10));
    assertThat(numbers.word()).isEqualTo(0xf2);
    assertThat(numbers.byDscp()).hasSize(62).doesNotContainKeys(8, 10).containsEntry(0, 1);
  }

  @Test
  void eightClassesFillTheWord() {
    TrafficClass[] all =
        IntStream.rangeClosed(1, 8)
            .mapToObj(i -> i == 8 ? first("c8", 8) : first("c" + i, i, i))
            .toArray(TrafficClass[]::new);
    assertThat(numbers(all).word()).isEqualTo(0xffff_ffff);
    assertThat(ClassNumbers.of(TrafficClasses.NONE).word()).isZero();
    assertThat(ClassNumbers.of(TrafficClasses.NONE).byDscp()).isEmpty();
  }

  @Test
  void whatContradictsItselfIsRefused() {
    String one = "exactly one, which takes the packets that no other class names";
    refused("classes is 0 classes without dscp; allowed: " + one, shared("a", 1, 3));
    refused("classes is 2 classes without dscp; allowed: " + one, shared("a", 1), shared("b", 1));
    refused(
        "classes[1].name is a; allowed: a name that no other class of the policy has",
        shared("a", 1),
        shared("a", 1, 3));
    refused(
        "classes[2].dscp is 3; allowed: codepoints named once, by one class of the policy",
        shared("a", 1),
        shared("b", 1, 3),
        shared("c", 1, 2, 3));
    refused(
        "classes[1].priority is 2; allowed: a priority that no other class of the policy has",
        first("a", 2),
        first("b", 2, 3));
    assertThatThrownBy(() -> new TrafficClass("a", List.of(), NONE, NONE))
        .hasMessage("share is absent; allowed: priority or share");
    assertThatThrownBy(() -> new TrafficClass("a", List.of(), OptionalInt.of(1), OptionalInt.of(1)))
        .hasMessage("share is given beside priority; allowed: priority or share");
    assertThatThrownBy(() -> shared("a", 15)).hasMessage("share is 15; allowed: 1 to 14");
    assertThatThrownBy(() -> first("a", 9)).hasMessage("priority is 9; allowed: 1 to 8");
    assertThatThrownBy(() -> shared("a", 1, 64)).hasMessage("dscp is 64; allowed: 0 to 63");
  }
}
