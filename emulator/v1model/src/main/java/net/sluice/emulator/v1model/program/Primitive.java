package net.sluice.emulator.v1model.program;

import java.math.BigInteger;
import java.util.List;

/** One step of an action. Jump targets are indexes into the action's steps. */
public sealed interface Primitive {

  /** Stores a number, truncated to the field. */
  record Assign(Header.Ref target, Expr value) implements Primitive {}

  /** Stores a number in a field, truncated to it or, if the field saturates, clamped. */
  static Assign assign(Header.Ref target, Expr value) {
    Header.Field field = target.field();
    if (!field.saturating()) {
      return new Assign(target, value);
    }
    return new Assign(
        target,
        new Expr.Operation(
            field.signed() ? Expr.Op.SAT_CAST : Expr.Op.USAT_CAST,
            value,
            new Expr.Constant(BigInteger.valueOf(field.widthBits()))));
  }

  /** Makes a header valid, all zero if it was not; the packet's length grows with it. */
  record SetValid(Header header) implements Primitive {}

  /** Makes a header invalid; the packet's length shrinks with it. */
  record SetInvalid(Header header) implements Primitive {}

  /**
   * Copies a header with its validity; the packet's length metadata does not follow, as in bmv2.
   */
  record AssignHeader(Header target, Header source) implements Primitive {}

  /**
   * Moves a stack's elements {@code count} up, those at the end falling out; the first ones become
   * invalid.
   */
  record Push(HeaderStack stack, int count) implements Primitive {}

  /** The same for a stack of unions; {@code stack} tells how far it is filled. */
  record PushUnions(HeaderStack stack, List<HeaderUnion> unions, int count) implements Primitive {}

  /**
   * Moves a stack's elements {@code count} down, those at the start falling out; the last ones
   * become invalid.
   */
  record Pop(HeaderStack stack, int count) implements Primitive {}

  /** The same for a stack of unions; {@code stack} tells how far it is filled. */
  record PopUnions(HeaderStack stack, List<HeaderUnion> unions, int count) implements Primitive {}

  /**
   * Moves a stack's elements up or down by a number of which the low 64 bits count, unsigned; a
   * negative one ends the switch's work.
   *
   * @param up whether as {@link Push}, or else as {@link Pop}
   * @param unions what is moved if it is a stack of unions, or else null
   */
  record Shift(boolean up, HeaderStack stack, List<HeaderUnion> unions, Expr by)
      implements Primitive {}

  /** Copies all elements of a stack and how many are filled. */
  record AssignStack(HeaderStack target, HeaderStack source) implements Primitive {}

  /**
   * Does the first of {@code choices} whose condition holds, or nothing; the lists are parallel.
   */
  record FirstOf(List<Expr> conditions, List<Primitive> choices) implements Primitive {}

  /** Copies the variable-length field of a header to that of another. */
  record AssignVariable(Header target, Header source) implements Primitive {}

  /** Copies all headers of a union, with their validity; the lists are parallel. */
  record AssignUnion(List<Header> targets, List<Header> sources) implements Primitive {}

  /** Copies all elements of a stack of unions and how many are filled. */
  record AssignUnionStack(HeaderStack target, HeaderStack source, List<AssignUnion> unions)
      implements Primitive {}

  /** Makes a header valid without touching its fields or the packet's length. */
  record MarkValid(Header header) implements Primitive {}

  /**
   * Ends the switch's work with an error unless the condition holds.
   *
   * @param failure what is reported then, with the place in the P4 source
   */
  record Check(Expr condition, String failure) implements Primitive {}

  /**
   * Writes a message to the switch's log.
   *
   * @param texts what stands in front of, between and behind the values: one more than those
   * @param values numbers
   */
  record LogMessage(List<String> texts, List<Expr> values) implements Primitive {}

  /**
   * Asks for the packet to be dropped at the end of the control, by way of the standard metadata or
   * a copy of it.
   *
   * @param egressSpec set to the drop port
   * @param multicastGroup set to 0, or null if there is none
   */
  record MarkToDrop(Header.Ref egressSpec, Header.Ref multicastGroup) implements Primitive {}

  /**
   * Asks for a clone at the end of the control; of several, the last counts.
   *
   * @param list number of the field list that it keeps, of which the low 16 bits count
   */
  record Clone(Expr session, Expr list) implements Primitive {}

  /** Asks for the packet to start again at the end of ingress; with list 0, that it does not. */
  record Resubmit(Expr list) implements Primitive {}

  /** Asks for the packet to start again at the end of egress; with list 0, that it does not. */
  record Recirculate(Expr list) implements Primitive {}

  /** Cuts the packet to a number of bytes when it leaves; of several, the smallest counts. */
  record Truncate(Expr bytes) implements Primitive {}

  /**
   * Asks for a message to the controller at the end of ingress; of several, the last counts.
   *
   * @param number of the digest, of which the low 16 bits count; none is sent if there is none
   * @param name its name, or null if only the packet knows which it is
   */
  record SendDigest(Expr number, String name) implements Primitive {}

  /** Leaves the control after this action. */
  record Exit() implements Primitive {}

  /** Nothing. */
  record NoOp() implements Primitive {}

  /** Adds the packet to an element of a counter array. */
  record Count(CounterDef counter, Expr index) implements Primitive {}

  /** Meters the packet and stores the colour: 0 green, 1 yellow, 2 red. */
  record Meter(MeterDef meter, Expr index, Header.Ref target) implements Primitive {}

  /** Reads an element of a register array. */
  record RegisterRead(Header.Ref target, RegisterDef register, Expr index) implements Primitive {}

  /** Writes an element of a register array, truncated to its width. */
  record RegisterWrite(RegisterDef register, Expr index, Expr value) implements Primitive {}

  /**
   * A uniform number from {@code low} to {@code high}, both included; nothing if low is above high.
   */
  record RandomNumber(Header.Ref target, Expr low, Expr high) implements Primitive {}

  /** {@code base} plus a hash modulo {@code modulus}; a modulus of 0 counts as 1. */
  record Hash(Header.Ref target, Expr base, Calculation calculation, Expr modulus)
      implements Primitive {}

  /** Goes on at another step. */
  record Jump(int to) implements Primitive {}

  /** Goes on at another step if the number is 0 or the condition is false. */
  record JumpIfZero(Expr condition, int to) implements Primitive {}

  /**
   * Goes on at a step that only the packet knows, if the number is 0 or the condition is false or
   * null. A step beyond the last one ends the action, and so does one below the first if the
   * condition is null; if it is not, the next step is taken then.
   */
  record ComputedJump(Expr condition, Expr to) implements Primitive {}

  /**
   * Does itself again and again if {@code to} is 0 and the condition is null, false or 0, and else
   * nothing.
   */
  record Again(Expr condition, Expr to) implements Primitive {}

  /**
   * An indirect counter array.
   *
   * @param index position among the program's indirect counter arrays
   */
  record CounterDef(String name, int index, int size) {}

  /**
   * An indirect meter array.
   *
   * @param index position among the program's indirect meter arrays
   * @param bytes whether it counts bytes, or else packets
   * @param rates how many rates an element has
   */
  record MeterDef(String name, int index, int size, boolean bytes, int rates) {}

  /**
   * A register array.
   *
   * @param index position among the program's register arrays
   */
  record RegisterDef(String name, int index, int size, int widthBits) {}
}
