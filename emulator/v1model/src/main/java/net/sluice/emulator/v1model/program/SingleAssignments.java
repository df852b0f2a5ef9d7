package net.sluice.emulator.v1model.program;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Metadata fields that the program assigns in a single place, such as p4c's temporary variables,
 * and the expressions assigned. Constants do not count, because p4c initializes variables to 0.
 */
public final class SingleAssignments {

  /** Longest chain of variables followed; real programs stay far below. */
  public static final int MOST_FOLLOWED = 256;

  private final Map<String, List<Expr>> computed = new HashMap<>();

  /** Fields set by something other than an assignment. */
  private final Set<String> given = new HashSet<>();

  /** Those of a program. */
  public SingleAssignments(Program program) {
    for (Primitive step : program.steps()) {
      if (step instanceof Primitive.Assign assign) {
        if (!(assign.value() instanceof Expr.Constant)) {
          computed
              .computeIfAbsent(assign.target().name(), name -> new ArrayList<>())
              .add(assign.value());
        }
      } else if (step instanceof Primitive.RegisterRead registerRead) {
        given.add(registerRead.target().name());
      } else if (step instanceof Primitive.Hash hash) {
        given.add(hash.target().name());
      } else if (step instanceof Primitive.RandomNumber randomNumber) {
        given.add(randomNumber.target().name());
      } else if (step instanceof Primitive.Meter meter) {
        given.add(meter.target().name());
      } else if (step instanceof Primitive.AssignHeader assignHeader) {
        Header target = assignHeader.target();
        target.fields().forEach(field -> given.add(new Header.Ref(target, field).name()));
      }
    }
  }

  /** The expression assigned to a metadata field; null without a single assignment. */
  public Expr of(Header.Ref field) {
    List<Expr> all = all(field);
    return all.size() == 1 ? all.get(0) : null;
  }

  /**
   * The expressions that the program assigns to a metadata field in several places; none if it also
   * sets it otherwise.
   */
  public List<Expr> all(Header.Ref field) {
    return field.header().metadata() && !given.contains(field.name())
        ? computed.getOrDefault(field.name(), List.of())
        : List.of();
  }
}
