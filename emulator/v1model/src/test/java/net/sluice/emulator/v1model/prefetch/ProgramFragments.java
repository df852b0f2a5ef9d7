package net.sluice.emulator.v1model.prefetch;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import net.sluice.emulator.v1model.program.Expr;
import net.sluice.emulator.v1model.program.Header;
import net.sluice.emulator.v1model.program.Primitive;
import net.sluice.emulator.v1model.program.Program;
import net.sluice.emulator.v1model.program.Replication;

/** Minimal programs: only the parts under test. */
public final class ProgramFragments {

  private ProgramFragments() {}

  static Header header(String name, boolean metadata, int... widthsBits) {
    List<Header.Field> fields = new ArrayList<>();
    int at = 0;
    for (int width : widthsBits) {
      fields.add(new Header.Field("f" + fields.size(), fields.size(), width, false, false, at));
      at += width;
    }
    return new Header(name, 0, metadata, fields);
  }

  static Header.Ref field(Header header, int index) {
    return new Header.Ref(header, header.fields().get(index));
  }

  static Expr value(Header.Ref ref) {
    return new Expr.FieldValue(ref);
  }

  static Expr number(long value) {
    return new Expr.Constant(BigInteger.valueOf(value));
  }

  static Expr of(Expr.Op op, Expr left, Expr right) {
    return new Expr.Operation(op, left, right);
  }

  static Program.Action action(Primitive... body) {
    return new Program.Action("a", 0, 0, List.of(), List.of(body));
  }

  static Program program(List<Program.ParserState> parser, Program.Action... actions) {
    return program(List.of(), parser, List.of(actions), null, null, null);
  }

  public static Program program(
      List<Header> headers,
      List<Program.ParserState> parser,
      List<Program.Action> actions,
      Program.Control ingress,
      Program.Control egress,
      Replication copies) {
    return new Program(
        headers, List.of(), List.of(), Map.of(), Map.of(), parser, List.of(), List.of(), List.of(),
        List.of(), List.of(), List.of(), List.of(), List.of(), actions, List.of(), ingress, egress,
        copies);
  }
}
