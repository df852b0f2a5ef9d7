package net.sluice.emulator.v1model.prefetch;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import net.sluice.emulator.v1model.program.Expr;
import net.sluice.emulator.v1model.program.Header;
import net.sluice.emulator.v1model.program.Primitive;
import net.sluice.emulator.v1model.program.Program;
import net.sluice.emulator.v1model.program.SingleAssignments;

/**
 * The header fields that metadata may be a copy of: those copied as a whole, directly or through
 * other metadata, anywhere in the program.
 */
final class CopiedFields {

  private final Map<String, List<Header.Ref>> sources = new HashMap<>();

  CopiedFields(Program program) {
    for (Primitive step : program.steps()) {
      if (step instanceof Primitive.Assign assign) {
        collect(assign.target(), assign.value());
      }
    }
  }

  private void collect(Header.Ref target, Expr value) {
    if (value instanceof Expr.FieldValue fieldValue) {
      Header.Ref source = fieldValue.ref();
      if (source.field().widthBits() == target.field().widthBits()) {
        sources.computeIfAbsent(target.name(), name -> new ArrayList<>()).add(source);
      }
    } else if (value instanceof Expr.Choice choice) {
      collect(target, choice.left());
      collect(target, choice.right());
    }
  }

  /** The header fields that a field may be a copy of; a header's field of itself. */
  List<Header.Ref> of(Header.Ref field) {
    List<Header.Ref> found = new ArrayList<>();
    collect(field, found, new HashSet<>());
    return found;
  }

  private void collect(Header.Ref field, List<Header.Ref> into, Set<String> seen) {
    if (seen.size() == SingleAssignments.MOST_FOLLOWED || !seen.add(field.name())) {
      return;
    }
    if (!field.header().metadata()) {
      into.add(field);
      return;
    }
    sources.getOrDefault(field.name(), List.of()).forEach(source -> collect(source, into, seen));
  }
}
