package net.sluice.emulator.bmv2.program;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What fields are computed from that one place of the program computes, such as p4c's temporary
 * variables. Constants do not count, because p4c sets variables to 0 before.
 */
public final class SoleAssignments {

  private final Map<String, Expr> computed = new HashMap<>();

  /** Fields that are computed in several places, or get numbers from elsewhere. */
  private final Set<String> given = new HashSet<>();

  /** Those of a program. */
  public SoleAssignments(Program program) {
    for (Program.Action action : program.actions()) {
      collect(action.body());
    }
  }

  private void collect(List<Primitive> primitives) {
    for (Primitive primitive : primitives) {
      if (primitive instanceof Primitive.Assign) {
        Primitive.Assign assign = (Primitive.Assign) primitive;
        if (!(assign.value() instanceof Expr.Constant)
            && computed.put(assign.target().name(), assign.value()) != null) {
          given.add(assign.target().name());
        }
      } else if (primitive instanceof Primitive.FirstOf) {
        collect(((Primitive.FirstOf) primitive).choices());
      } else if (primitive instanceof Primitive.RegisterRead) {
        given.add(((Primitive.RegisterRead) primitive).target().name());
      } else if (primitive instanceof Primitive.Hash) {
        given.add(((Primitive.Hash) primitive).target().name());
      } else if (primitive instanceof Primitive.RandomNumber) {
        given.add(((Primitive.RandomNumber) primitive).target().name());
      } else if (primitive instanceof Primitive.Meter) {
        given.add(((Primitive.Meter) primitive).target().name());
      } else if (primitive instanceof Primitive.AssignHeader) {
        Header target = ((Primitive.AssignHeader) primitive).target();
        target.fields().forEach(field -> given.add(new Header.Ref(target, field).name()));
      }
    }
  }

  /** What metadata is computed from; null of other fields, and of what is not computed once. */
  public Expr of(Header.Ref field) {
    return field.header().metadata() && !given.contains(field.name())
        ? computed.get(field.name())
        : null;
  }
}
