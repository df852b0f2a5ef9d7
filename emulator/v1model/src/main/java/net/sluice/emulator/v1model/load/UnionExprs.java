package net.sluice.emulator.v1model.load;

import java.math.BigInteger;
import java.util.List;
import net.sluice.emulator.v1model.program.Expr;
import net.sluice.emulator.v1model.program.Header;
import net.sluice.emulator.v1model.program.HeaderUnion;

/**
 * Rewrites expressions over header unions as expressions over their headers. A union may be a
 * choice among the elements of a stack of unions.
 */
final class UnionExprs {

  private UnionExprs() {}

  /** An element of a stack at an index computed at run time; the last one if it is beyond. */
  static Expr element(List<HeaderUnion> stack, Expr index) {
    Expr chosen = new Expr.UnionValue(stack.get(stack.size() - 1));
    for (int i = stack.size() - 2; i >= 0; i--) {
      Expr here = new Expr.Operation(Expr.Op.EQ, index, new Expr.Constant(BigInteger.valueOf(i)));
      chosen = new Expr.Choice(here, new Expr.UnionValue(stack.get(i)), chosen);
    }
    return chosen;
  }

  /** The header at {@code index} among a union's members. */
  static Expr member(Expr union, LocatedJson index) {
    if (union instanceof Expr.Choice choice) {
      return new Expr.Choice(
          choice.condition(), member(choice.left(), index), member(choice.right(), index));
    }
    if (!(union instanceof Expr.UnionValue)) {
      throw index.invalid("expected a header union but found a " + union.type());
    }
    List<Header> headers = ((Expr.UnionValue) union).union().headers();
    int i = index.integer();
    if (i < 0 || i >= headers.size()) {
      throw index.invalid(
          "header union '" + ((Expr.UnionValue) union).union().name() + "' has no header " + i);
    }
    return new Expr.HeaderValue(headers.get(i));
  }

  /** Whether one of the headers of a union is valid. */
  static Expr valid(Expr union) {
    if (union instanceof Expr.Choice choice) {
      return new Expr.Choice(choice.condition(), valid(choice.left()), valid(choice.right()));
    }
    Expr any = new Expr.Truth(false);
    for (Header member : ((Expr.UnionValue) union).union().headers()) {
      any = new Expr.Operation(Expr.Op.OR, any, new Expr.Valid(member));
    }
    return any;
  }

  /** Whether two unions have the same valid header with the same fields; not if none is valid. */
  static Expr same(Expr left, Expr right, LocatedJson node) {
    if (left instanceof Expr.Choice choice) {
      return new Expr.Choice(
          choice.condition(), same(choice.left(), right, node), same(choice.right(), right, node));
    }
    if (right instanceof Expr.Choice) {
      return same(right, left, node);
    }
    HeaderUnion a = ((Expr.UnionValue) left).union();
    HeaderUnion b = ((Expr.UnionValue) right).union();
    sameMembers(a, b, node);
    Expr any = new Expr.Truth(false);
    for (int i = 0; i < a.headers().size(); i++) {
      Expr here =
          new Expr.Operation(
              Expr.Op.EQ,
              new Expr.HeaderValue(a.headers().get(i)),
              new Expr.HeaderValue(b.headers().get(i)));
      any = new Expr.Operation(Expr.Op.OR, any, here);
    }
    return any;
  }

  /** Refuses to pair two unions that do not have the same members. */
  static void sameMembers(HeaderUnion a, HeaderUnion b, LocatedJson node) {
    if (a.headers().size() != b.headers().size()) {
      throw node.invalid(
          "unions '" + a.name() + "' and '" + b.name() + "' do not have the same type");
    }
    for (int i = 0; i < a.headers().size(); i++) {
      ExprLoader.sameShape(a.headers().get(i), b.headers().get(i), node);
    }
  }
}
