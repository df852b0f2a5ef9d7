package net.sluice.emulator.v1model.prefetch;

import static net.sluice.emulator.v1model.prefetch.ProgramFragments.field;
import static net.sluice.emulator.v1model.prefetch.ProgramFragments.number;
import static net.sluice.emulator.v1model.prefetch.ProgramFragments.of;
import static net.sluice.emulator.v1model.prefetch.ProgramFragments.value;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.IntStream;
import net.sluice.emulator.v1model.program.Expr;
import net.sluice.emulator.v1model.program.Header;
import net.sluice.emulator.v1model.program.Primitive;
import net.sluice.emulator.v1model.program.Program;
import net.sluice.emulator.v1model.program.SingleAssignments;
import org.junit.jupiter.api.Test;

class CellIndexTest {
  private static final Header MD = ProgramFragments.header("md", true, 32, 32, 32, 32);
  private static final Header.Ref SUBSCRIBER = field(MD, 0);
  private static final Header.Ref DIRECTION = field(MD, 1);
  private static final Header.Ref INDEX = field(MD, 2);
  private static final Header.Ref OTHER = field(MD, 3);

  /** The action of an entry: its parameters 0 and 1 are the subscriber and something else. */
  private static final Program.Action FOUND =
      ProgramFragments.action(
          new Primitive.Assign(SUBSCRIBER, new Expr.Parameter(0, 32)),
          new Primitive.Assign(OTHER, new Expr.Parameter(1, 32)));

  /** The index as a function of parameter 0, in a program with these further steps. */
  private static CellIndex.Line line(Expr index, Primitive... besides) {
    Program program = ProgramFragments.program(List.of(), FOUND, ProgramFragments.action(besides));
    return new CellIndex(new SingleAssignments(program), FOUND, 0).line(index);
  }

  private static Expr pair() {
    return of(
        Expr.Op.BIT_OR,
        of(Expr.Op.SHL, of(Expr.Op.BIT_AND, value(SUBSCRIBER), number(0xfffff)), number(1)),
        value(DIRECTION));
  }

  @Test
  void indexesThatGrowEvenlyAreKnown() {
    assertThat(line(value(SUBSCRIBER))).isEqualTo(new CellIndex.Line(0, 1));
    assertThat(line(pair())).isEqualTo(new CellIndex.Line(0, 2));
    assertThat(line(of(Expr.Op.ADD, of(Expr.Op.MUL, number(3), value(SUBSCRIBER)), number(5))))
        .isEqualTo(new CellIndex.Line(5, 3));
    assertThat(line(of(Expr.Op.SUB, number(9_000), value(SUBSCRIBER))))
        .isEqualTo(new CellIndex.Line(9_000, -1));
  }

  @Test
  void variablesAreFollowedToWhatTheyAreComputedFrom() {
    Primitive compute = new Primitive.Assign(INDEX, pair());
    assertThat(line(value(INDEX), compute)).isEqualTo(new CellIndex.Line(0, 2));
    // The 0 that variables begin with does not count.
    assertThat(line(value(INDEX), compute, new Primitive.Assign(INDEX, number(0))))
        .isEqualTo(new CellIndex.Line(0, 2));
    // Computed in two ways, one of which has nothing to do with the parameter.
    assertThat(line(value(INDEX), compute, new Primitive.Assign(INDEX, value(DIRECTION))))
        .isEqualTo(new CellIndex.Line(0, 2));
    // From itself.
    assertThat(
            line(
                value(INDEX),
                new Primitive.Assign(INDEX, of(Expr.Op.ADD, value(INDEX), value(DIRECTION)))))
        .isNull();
  }

  @Test
  void aVariableIsComputedOnceHoweverOftenItIsUsed() {
    Header many =
        ProgramFragments.header("many", true, IntStream.range(0, 64).map(i -> 32).toArray());
    Primitive[] sums = new Primitive[64];
    sums[0] = new Primitive.Assign(field(many, 0), value(SUBSCRIBER));
    for (int i = 1; i < sums.length; i++) {
      Expr previous = value(field(many, i - 1));
      sums[i] =
          new Primitive.Assign(
              field(many, i), of(Expr.Op.SUB, of(Expr.Op.ADD, previous, previous), previous));
    }
    assertThat(line(value(field(many, 63)), sums)).isEqualTo(new CellIndex.Line(0, 1));
  }

  /** Too long for recursion on a thread's stack. */
  @Test
  void aLongWayFromVariableToVariableIsFollowedOnlySoFar() {
    Header many =
        ProgramFragments.header("many", true, IntStream.range(0, 100_000).map(i -> 32).toArray());
    Primitive[] copies = new Primitive[100_000];
    copies[0] = new Primitive.Assign(field(many, 0), value(SUBSCRIBER));
    for (int i = 1; i < copies.length; i++) {
      copies[i] = new Primitive.Assign(field(many, i), value(field(many, i - 1)));
    }
    assertThat(line(value(field(many, 200)), copies)).isEqualTo(new CellIndex.Line(0, 1));
    assertThat(line(value(field(many, copies.length - 1)), copies)).isNull();
  }

  @Test
  void othersAreNot() {
    assertThat(line(number(7))).isNull();
    assertThat(line(value(DIRECTION))).isNull();
    // Of another parameter.
    assertThat(line(value(OTHER))).isNull();
    // Not evenly.
    assertThat(line(of(Expr.Op.BIT_AND, value(SUBSCRIBER), number(0xff)))).isNull();
    assertThat(line(of(Expr.Op.SHR, value(SUBSCRIBER), number(1)))).isNull();
    assertThat(line(of(Expr.Op.MUL, value(SUBSCRIBER), value(SUBSCRIBER)))).isNull();
    assertThat(line(of(Expr.Op.BIT_XOR, value(SUBSCRIBER), number(1)))).isNull();
  }
}
