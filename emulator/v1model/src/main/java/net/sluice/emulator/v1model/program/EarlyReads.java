package net.sluice.emulator.v1model.program;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.RecordComponent;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/**
 * The metadata fields that a control may read before it has assigned them. All others, most of them
 * p4c's temporary variables, can have any value when a packet comes. Where this class does not know
 * what a step does, it takes all fields that the step names for read.
 */
public final class EarlyReads {
  private static final Set<String> OF_THE_SWITCH =
      Set.of("standard_metadata", "intrinsic_metadata", "queueing_metadata");

  private final Map<String, Integer> numbers = new HashMap<>();
  private final Set<String> read = new HashSet<>();

  /** Those of a program. */
  public EarlyReads(Program program) {
    for (Header header : program.headers()) {
      if (header.metadata()) {
        header.fields().forEach(field -> numbers.put(name(header, field), numbers.size()));
      }
    }
    // What is outside the controls, and what the traffic manager looks at.
    readAll(program.aliases().values());
    readAll(program.parser());
    readAll(program.deparserCalls());
    readAll(program.checksums());
    readAll(program.copies());
    control(program.ingress());
    // A clone begins there.
    control(program.egress());
  }

  /** Whether a metadata field may be read before it is assigned. */
  public boolean contains(Header header, Header.Field field) {
    return OF_THE_SWITCH.contains(header.name()) || read.contains(name(header, field));
  }

  private static String name(Header header, Header.Field field) {
    return new Header.Ref(header, field).name();
  }

  // ---------------------------------------------------------------- controls

  private void control(Program.Control control) {
    List<Program.ControlNode> nodes = control.nodes();
    BitSet[] assigned = new BitSet[nodes.size()];
    if (nodes.isEmpty()) {
      return;
    }
    assigned[0] = new BitSet();
    for (int i = 0; i < nodes.size(); i++) {
      int at = i;
      BitSet before = assigned[i];
      if (before == null) {
        continue;
      }
      Flow flow = (to, after) -> flow(assigned, at, to, after, nodes);
      if (nodes.get(i) instanceof Program.Conditional conditional) {
        reads(conditional.condition(), before);
        flow.to(conditional.ifTrue(), before);
        flow.to(conditional.ifFalse(), before);
      } else {
        table((Program.Table) nodes.get(i), before, flow);
      }
    }
  }

  private interface Flow {
    void to(int node, BitSet assigned);
  }

  private void flow(
      BitSet[] assigned, int from, int to, BitSet after, List<Program.ControlNode> nodes) {
    if (to == Program.END) {
      return;
    }
    if (to <= from) {
      // A loop: its nodes have been gone through with more than they can count on.
      readAll(nodes);
    } else if (assigned[to] == null) {
      assigned[to] = (BitSet) after.clone();
    } else {
      assigned[to].and(after);
    }
  }

  private void table(Program.Table table, BitSet before, Flow flow) {
    table.key().forEach(field -> reads(field.source(), before));
    reads(table.profile(), before);
    flow.to(table.nextOnNothing(), before);
    if (table.nextOnMiss() != null) {
      flow.to(table.nextOnMiss(), before);
    }
    for (int i = 0; i < table.actions().size(); i++) {
      BitSet after = action(table.actions().get(i).body(), before);
      if (after == null) {
        continue;
      }
      flow.to(table.next().get(i), after);
      if (table.nextOnHit() != null) {
        flow.to(table.nextOnHit(), after);
      }
      if (table.nextOnMiss() != null) {
        flow.to(table.nextOnMiss(), after);
      }
    }
  }

  // ---------------------------------------------------------------- actions

  /** The fields assigned after an action; null if it ends the control. */
  private BitSet action(List<Primitive> steps, BitSet before) {
    BitSet[] assigned = new BitSet[steps.size() + 1];
    assigned[0] = (BitSet) before.clone();
    for (int i = 0; i < steps.size(); i++) {
      BitSet here = assigned[i];
      if (here == null) {
        continue;
      }
      Primitive step = steps.get(i);
      if (step instanceof Primitive.Jump jump && jump.to() > i) {
        join(assigned, jump.to(), here);
      } else if (step instanceof Primitive.JumpIfZero jump && jump.to() > i) {
        reads(jump.condition(), here);
        join(assigned, jump.to(), here);
        join(assigned, i + 1, here);
      } else if (step instanceof Primitive.Jump
          || step instanceof Primitive.JumpIfZero
          || step instanceof Primitive.ComputedJump
          || step instanceof Primitive.Again) {
        readAll(steps);
        return before;
      } else if (!(step instanceof Primitive.Exit)) {
        step(step, here);
        join(assigned, i + 1, here);
      }
    }
    return assigned[steps.size()];
  }

  private static void join(BitSet[] assigned, int at, BitSet with) {
    int to = Math.min(at, assigned.length - 1);
    if (assigned[to] == null) {
      assigned[to] = (BitSet) with.clone();
    } else {
      assigned[to].and(with);
    }
  }

  /** Notes what a step reads, and what it assigns in any case. */
  private void step(Primitive step, BitSet assigned) {
    if (step instanceof Primitive.Assign assign) {
      reads(assign.value(), assigned);
      assigned(assign.target(), assigned);
    } else if (step instanceof Primitive.Hash hash) {
      reads(hash.base(), assigned);
      reads(hash.calculation(), assigned);
      reads(hash.modulus(), assigned);
      assigned(hash.target(), assigned);
    } else if (step instanceof Primitive.RegisterRead registerRead) {
      // Beyond the array nothing is assigned.
      reads(registerRead.index(), assigned);
    } else if (step instanceof Primitive.RandomNumber random) {
      reads(random.low(), assigned);
      reads(random.high(), assigned);
    } else {
      reads(step, assigned);
    }
  }

  private void assigned(Header.Ref target, BitSet assigned) {
    Integer number = numbers.get(target.name());
    if (number != null) {
      assigned.set(number);
    }
  }

  // ---------------------------------------------------------------- reads

  private void reads(Object what, BitSet assigned) {
    fields(
        what,
        field -> {
          Integer number = numbers.get(field);
          if (number != null && !assigned.get(number)) {
            read.add(field);
          }
        });
  }

  private void readAll(Object what) {
    fields(what, read::add);
  }

  /** Tells all fields that a part of a program names; of headers as a whole all of theirs. */
  private static void fields(Object part, Consumer<String> out) {
    if (part instanceof Header.Ref ref) {
      out.accept(ref.name());
    } else if (part instanceof Header header) {
      header.fields().forEach(field -> out.accept(name(header, field)));
    } else if (part instanceof Iterable<?> parts) {
      parts.forEach(each -> fields(each, out));
    } else if (part instanceof Record) {
      for (RecordComponent component : part.getClass().getRecordComponents()) {
        try {
          component.getAccessor().setAccessible(true);
          fields(component.getAccessor().invoke(part), out);
        } catch (IllegalAccessException | InvocationTargetException e) {
          throw new IllegalStateException("cannot look into " + part, e);
        }
      }
    }
  }
}
