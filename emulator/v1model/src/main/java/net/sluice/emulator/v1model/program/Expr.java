package net.sluice.emulator.v1model.program;

import java.math.BigInteger;

/**
 * An expression over the parsed state of a packet. Numbers are integers of any size, as in bmv2;
 * only storing one truncates it.
 */
public sealed interface Expr {

  /** The type of an expression's value. */
  enum Type {
    NUMBER,
    BOOL,
    HEADER,
    UNION
  }

  /** The type of the expression's value. */
  Type type();

  /** The value of a field. */
  record FieldValue(Header.Ref ref) implements Expr {
    @Override
    public Type type() {
      return Type.NUMBER;
    }
  }

  /** A number. */
  record Constant(BigInteger value) implements Expr {
    @Override
    public Type type() {
      return Type.NUMBER;
    }
  }

  /** True or false. */
  record Truth(boolean value) implements Expr {
    @Override
    public Type type() {
      return Type.BOOL;
    }
  }

  /** A parameter of the action that the expression stands in: unsigned, {@code widthBits} wide. */
  record Parameter(int index, int widthBits) implements Expr {
    @Override
    public Type type() {
      return Type.NUMBER;
    }
  }

  /** A header as a whole, for comparison. */
  record HeaderValue(Header header) implements Expr {
    @Override
    public Type type() {
      return Type.HEADER;
    }
  }

  /** The value of a header's variable-length field, unsigned; 0 if it is empty. */
  record VariableValue(Header header) implements Expr {
    @Override
    public Type type() {
      return Type.NUMBER;
    }
  }

  /** The value of a field of any kind. */
  static Expr valueOf(Header.Ref ref) {
    return ref.field().widthBits() == 0 ? new VariableValue(ref.header()) : new FieldValue(ref);
  }

  /** A header union as a whole; used during loading only, until {@code UnionExprs} replaces it. */
  record UnionValue(HeaderUnion union) implements Expr {
    @Override
    public Type type() {
      return Type.UNION;
    }
  }

  /** A stack's {@code nextIndex}, 0 up to its size. */
  record StackNext(HeaderStack stack) implements Expr {
    @Override
    public Type type() {
      return Type.NUMBER;
    }
  }

  /** An element of a register array; 0 beyond it. */
  record Cell(Primitive.RegisterDef register, Expr index) implements Expr {
    @Override
    public Type type() {
      return Type.NUMBER;
    }
  }

  /** Whether a header is valid; always true of metadata. */
  record Valid(Header header) implements Expr {
    @Override
    public Type type() {
      return Type.BOOL;
    }
  }

  /** An operator with one operand, which is {@code right}, or two. */
  record Operation(Op op, Expr left, Expr right) implements Expr {
    @Override
    public Type type() {
      return op.result;
    }
  }

  /** {@code left} if the condition holds, else {@code right}. */
  record Choice(Expr condition, Expr left, Expr right) implements Expr {
    @Override
    public Type type() {
      return left.type();
    }
  }

  /** The operators. */
  enum Op {
    ADD("+", Type.NUMBER),
    SUB("-", Type.NUMBER),
    MUL("*", Type.NUMBER),
    DIV("/", Type.NUMBER),
    MOD("%", Type.NUMBER),
    SHL("<<", Type.NUMBER),
    SHR(">>", Type.NUMBER),
    BIT_AND("&", Type.NUMBER),
    BIT_OR("|", Type.NUMBER),
    BIT_XOR("^", Type.NUMBER),
    BIT_NOT("~", Type.NUMBER),
    EQ("==", Type.BOOL),
    NE("!=", Type.BOOL),
    GT(">", Type.BOOL),
    LT("<", Type.BOOL),
    GE(">=", Type.BOOL),
    LE("<=", Type.BOOL),
    AND("and", Type.BOOL),
    OR("or", Type.BOOL),
    NOT("not", Type.BOOL),
    /** Two's complement of a width: {@code left} modulo, {@code right} the width. */
    TWO_COMP_MOD("two_comp_mod", Type.NUMBER),
    /** Clamped to the unsigned numbers of a width. */
    USAT_CAST("usat_cast", Type.NUMBER),
    /** Clamped to the signed numbers of a width. */
    SAT_CAST("sat_cast", Type.NUMBER),
    DATA_TO_BOOL("d2b", Type.BOOL),
    BOOL_TO_DATA("b2d", Type.NUMBER);

    private final String symbol;
    private final Type result;

    Op(String symbol, Type result) {
      this.symbol = symbol;
      this.result = result;
    }

    /** The operator's name in the JSON. */
    public String symbol() {
      return symbol;
    }

    /** Whether it has one operand. */
    public boolean isUnary() {
      return this == BIT_NOT || this == NOT || this == DATA_TO_BOOL || this == BOOL_TO_DATA;
    }
  }
}
