package net.sluice.emulator.v1model.prefetch;

import static net.sluice.emulator.v1model.prefetch.ProgramFragments.field;
import static net.sluice.emulator.v1model.prefetch.ProgramFragments.number;
import static net.sluice.emulator.v1model.prefetch.ProgramFragments.of;
import static net.sluice.emulator.v1model.prefetch.ProgramFragments.value;
import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import net.sluice.emulator.v1model.program.Expr;
import net.sluice.emulator.v1model.program.Header;
import net.sluice.emulator.v1model.program.Primitive;
import net.sluice.emulator.v1model.program.Program;
import net.sluice.emulator.v1model.table.MatchKind;
import net.sluice.emulator.v1model.table.WordLayout;
import org.junit.jupiter.api.Test;

class CopiedFieldsTest {
  private static final Header IP =
      ProgramFragments.header("ip", false, IntStream.range(0, 6).map(i -> 32).toArray());
  private static final Header SHORT = ProgramFragments.header("short", false, 16);
  private static final Header MD = ProgramFragments.header("md", true, 32, 32, 16);
  private static final Header.Ref ADDRESS = field(MD, 0);
  private static final Header.Ref TEMPORARY = field(MD, 1);

  private static List<Header.Ref> sources(Header.Ref field, Primitive... steps) {
    return new CopiedFields(ProgramFragments.program(List.of(), ProgramFragments.action(steps)))
        .of(field);
  }

  private static Primitive copy(Header.Ref to, Header.Ref from) {
    return new Primitive.Assign(to, value(from));
  }

  @Test
  void aHeadersFieldIsFoundInItself() {
    assertThat(sources(field(IP, 0), copy(field(IP, 0), field(IP, 1))))
        .containsExactly(field(IP, 0));
  }

  @Test
  void metadataHasWhatIsCopiedToItAnywhere() {
    assertThat(
            sources(
                ADDRESS,
                copy(TEMPORARY, field(IP, 0)),
                copy(ADDRESS, field(IP, 1)),
                copy(ADDRESS, TEMPORARY),
                copy(TEMPORARY, ADDRESS)))
        .containsExactly(field(IP, 1), field(IP, 0));
    Expr choice = new Expr.Choice(new Expr.Truth(true), value(field(IP, 2)), value(field(IP, 3)));
    assertThat(sources(ADDRESS, new Primitive.Assign(ADDRESS, choice)))
        .containsExactly(field(IP, 2), field(IP, 3));
    Primitive either =
        new Primitive.FirstOf(List.of(new Expr.Truth(true)), List.of(copy(ADDRESS, field(IP, 4))));
    assertThat(sources(ADDRESS, either)).containsExactly(field(IP, 4));
  }

  @Test
  void whatIsComputedOrCutIsNotCopied() {
    assertThat(
            sources(
                ADDRESS,
                new Primitive.Assign(ADDRESS, number(1)),
                new Primitive.Assign(ADDRESS, of(Expr.Op.ADD, value(field(IP, 0)), number(1))),
                copy(ADDRESS, field(SHORT, 0))))
        .isEmpty();
  }

  /** Too long for recursion on a thread's stack. */
  @Test
  void aLongWayIsFollowedOnlySoFar() {
    Header many =
        ProgramFragments.header("many", true, IntStream.range(0, 100_000).map(i -> 32).toArray());
    Primitive[] copies = new Primitive[100_000];
    copies[0] = copy(field(many, 0), field(IP, 0));
    for (int i = 1; i < copies.length; i++) {
      copies[i] = copy(field(many, i), field(many, i - 1));
    }
    assertThat(sources(field(many, 200), copies)).containsExactly(field(IP, 0));
    assertThat(sources(field(many, copies.length - 1), copies)).isEmpty();
  }

  /** Number of guesses for a key that may come from so many fields. */
  private static int guesses(int sources) {
    List<Primitive> steps = new ArrayList<>();
    for (int i = 0; i < sources; i++) {
      steps.add(copy(ADDRESS, field(IP, i)));
    }
    Program program =
        ProgramFragments.program(
            List.of(), ProgramFragments.action(steps.toArray(new Primitive[0])));
    Program.KeyField key =
        new Program.KeyField(
            "k", MatchKind.EXACT, value(ADDRESS), 32, BigInteger.valueOf(-1L >>> 32));
    Map<Header, Integer> places = new HashMap<>(Map.of(IP, 112));
    return KeyGuess.of(
            List.of(key),
            WordLayout.of(List.of(new WordLayout.FieldSpec("k", MatchKind.EXACT, 32))),
            new CopiedFields(program),
            places)
        .size();
  }

  @Test
  void aKeyOfTooManySourcesIsNotGuessed() {
    assertThat(IntStream.rangeClosed(0, 6).map(CopiedFieldsTest::guesses))
        .containsExactly(0, 1, 2, 3, 4, 0, 0);
  }
}
