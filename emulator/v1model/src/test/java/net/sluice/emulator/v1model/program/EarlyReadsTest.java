package net.sluice.emulator.v1model.program;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import net.sluice.emulator.v1model.prefetch.ProgramFragments;
import net.sluice.emulator.v1model.program.Program.ControlNode;
import net.sluice.emulator.v1model.table.MatchKind;
import org.junit.jupiter.api.Test;

/** Fields that are read before they are assigned, by the ways that a control can go. */
class EarlyReadsTest {
  private static final Header MD = header("md", "abcdefgh");
  private static final int END = Program.END;

  private final List<Program.Action> actions = new ArrayList<>();

  private static Header header(String name, String fields) {
    return new Header(
        name,
        0,
        true,
        fields
            .chars()
            .mapToObj(c -> String.valueOf((char) c))
            .map(field -> new Header.Field(field, fields.indexOf(field), 8, false, false, 0))
            .toList());
  }

  private static Header.Ref ref(char name) {
    return MD.find(String.valueOf(name));
  }

  private static Expr value(char name) {
    return new Expr.FieldValue(ref(name));
  }

  private static Primitive set(char target) {
    return new Primitive.Assign(ref(target), new Expr.Constant(BigInteger.ONE));
  }

  private static Primitive copy(char target, char source) {
    return new Primitive.Assign(ref(target), value(source));
  }

  private static Expr isSet(char name) {
    return new Expr.Operation(Expr.Op.NE, value(name), new Expr.Constant(BigInteger.ZERO));
  }

  private ControlNode always(int next, Primitive... steps) {
    Program.Action action =
        new Program.Action("a" + actions.size(), actions.size(), 0, List.of(), List.of(steps));
    actions.add(action);
    return new Program.Table(
        "t" + actions.size(),
        MatchKind.EXACT,
        List.of(),
        1,
        false,
        null,
        List.of(action),
        List.of(next),
        null,
        null,
        END,
        null,
        null,
        false,
        List.of(),
        false,
        false);
  }

  /** The fields that are read early, in the order of their names. */
  private String early(List<ControlNode> ingress, List<ControlNode> egress) {
    Program program =
        ProgramFragments.program(
            List.of(MD),
            List.of(),
            actions,
            new Program.Control("ingress", ingress),
            new Program.Control("egress", egress),
            new Replication(
                List.of(new Replication.FieldList(1, "kept", List.of(ref('h')))),
                List.of(),
                true,
                false,
                false,
                false,
                false,
                false));
    EarlyReads reads = new EarlyReads(program);
    return MD.fields().stream()
        .filter(field -> reads.contains(MD, field))
        .map(Header.Field::name)
        .collect(Collectors.joining());
  }

  private String early(ControlNode... ingress) {
    return early(List.of(ingress), List.of());
  }

  @Test
  void whatEachWayAssignsIsNotEarly() {
    ControlNode branch = new Program.Conditional("c", isSet('a'), 1, 2);
    assertThat(
            early(
                branch,
                always(3, set('b'), set('c')),
                always(3, set('c')),
                always(END, copy('d', 'b'), copy('e', 'c'))))
        // The condition, what one way leaves out, and what copies keep.
        .isEqualTo("abh");
  }

  @Test
  void aStepThatIsJumpedOverAssignsNothing() {
    assertThat(
            early(
                always(
                    END,
                    set('a'),
                    new Primitive.JumpIfZero(isSet('a'), 3),
                    set('b'),
                    copy('c', 'b'))))
        .isEqualTo("bh");
    assertThat(early(always(1, new Primitive.Exit(), copy('c', 'b')), always(END, copy('d', 'c'))))
        .isEqualTo("h");
  }

  @Test
  void aCloneBeginsAtEgress() {
    assertThat(early(List.of(always(END, set('a'))), List.of(always(END, copy('b', 'a')))))
        .isEqualTo("ah");
  }

  @Test
  void aRandomNumberMayBeNone() {
    assertThat(
            early(
                always(
                    END,
                    new Primitive.RandomNumber(ref('a'), value('b'), value('c')),
                    copy('d', 'a'))))
        .isEqualTo("abch");
  }

  @Test
  void ofLoopsEverythingIsEarly() {
    assertThat(early(always(1, set('a')), new Program.Conditional("again", isSet('a'), 0, END)))
        .isEqualTo("ah");
    assertThat(early(always(END, set('a'), copy('b', 'a'), new Primitive.Jump(0))))
        .isEqualTo("abh");
  }
}
