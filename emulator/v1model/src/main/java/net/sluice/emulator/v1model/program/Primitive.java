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
   * {@code push_front}: moves a stack's elements {@code count} up; the last ones are lost, the
   * first ones become invalid.
   */
  record Push(HeaderStack stack, int count) implements Primitive {}

  /** The same for a stack of unions; {@code stack} has its {@code nextIndex}. */
  record PushUnions(HeaderStack stack, List<HeaderUnion> unions, int count) implements Primitive {}

  /**
   * {@code pop_front}: moves a stack's elements {@code count} down; the first ones are lost, the
   * last ones become invalid.
   */
  record Pop(HeaderStack stack, int count) implements Primitive {}

  /** The same for a stack of unions; {@code stack} has its {@code nextIndex}. */
  record PopUnions(HeaderStack stack, List<HeaderUnion> unions, int count) implements Primitive {}

  /**
   * Moves a stack's elements up or down by the low 64 bits, unsigned, of a number; a negative one
   * fails.
   *
   * @param up whether as {@link Push}, or else as {@link Pop}
   * @param unions the elements of a stack of unions, or null for one of headers
   */
  record Shift(boolean up, HeaderStack stack, List<HeaderUnion> unions, Expr by)
      implements Primitive {}

  /** Copies all elements of a stack and its {@code nextIndex}. */
  record AssignStack(HeaderStack target, HeaderStack source) implements Primitive {}

  /** Runs the first of {@code choices} whose condition holds, if any; the lists are parallel. */
  record FirstOf(List<Expr> conditions, List<Primitive> choices) implements Primitive {}

  /** Copies the variable-length field of a header to that of another. */
  record AssignVariable(Header target, Header source) implements Primitive {}

  /** Copies all headers of a union, with their validity; the lists are parallel. */
  record AssignUnion(List<Header> targets, List<Header> sources) implements Primitive {}

  /** Copies all elements of a stack of unions and its {@code nextIndex}. */
  record AssignUnionStack(HeaderStack target, HeaderStack source, List<AssignUnion> unions)
      implements Primitive {}

  /** Makes a header valid without touching its fields or the packet's length. */
  record MarkValid(Header header) implements Primitive {}

  /**
   * Fails unless the condition holds, where bmv2 aborts.
   *
   * @param failure the error message, with the position in the P4 source
   */
  record Check(Expr condition, String failure) implements Primitive {}

  /**
   * Writes a message to the switch's log.
   *
   * @param texts the texts around the values: one more than there are values
   * @param values numbers
   */
  record LogMessage(List<String> texts, List<Expr> values) implements Primitive {}

  /**
   * {@code mark_to_drop}: the packet is dropped at the end of the control, by way of the standard
   * metadata or a copy of it.
   *
   * @param egressSpec set to the drop port
   * @param multicastGroup set to 0, or null if there is none
   */
  record MarkToDrop(Header.Ref egressSpec, Header.Ref multicastGroup) implements Primitive {}

  /**
   * Requests a clone at the end of the control; of several requests the last counts.
   *
   * @param list id of its field list, of which the low 16 bits count
   */
  record Clone(Expr session, Expr list) implements Primitive {}

  /** Requests resubmission at the end of ingress; list 0 cancels it. */
  record Resubmit(Expr list) implements Primitive {}

  /** Requests recirculation at the end of egress; list 0 cancels it. */
  record Recirculate(Expr list) implements Primitive {}

  /** Truncates the packet to a number of bytes when it is sent; of several, the smallest counts. */
  record Truncate(Expr bytes) implements Primitive {}

  /**
   * Requests a digest at the end of ingress; of several requests the last counts.
   *
   * @param number of the digest, of which the low 16 bits count; an unknown one is ignored
   * @param name its name, or null if the number is computed at run time
   */
  record SendDigest(Expr number, String name) implements Primitive {}

  /** {@code exit}: leaves the control after this action. */
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
   * Goes on at a step computed at run time, if the number is 0 or the condition is false or null. A
   * step beyond the last one ends the action, and so does a negative one if the condition is null;
   * otherwise a negative one is ignored.
   */
  record ComputedJump(Expr condition, Expr to) implements Primitive {}

  /**
   * Repeats itself for ever if {@code to} is 0 and the condition is null, false or 0; otherwise
   * does nothing.
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
