package net.sluice.emulator.v1model.prefetch;

import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import net.sluice.emulator.v1model.program.Expr;
import net.sluice.emulator.v1model.program.Header;
import net.sluice.emulator.v1model.program.Program;

/**
 * The offsets of headers on the shortest path through the parser, such as IPv4 right behind
 * Ethernet. For guesses only: other packets have them at other offsets, or not at all.
 */
final class HeaderOffsets {

  private record Visit(int state, int offsetBits) {}

  private final Map<Header, Integer> places = new HashMap<>();

  private HeaderOffsets() {}

  /** By header, bits from the start of the packet; without headers at varying offsets. */
  static Map<Header, Integer> of(Program program) {
    HeaderOffsets found = new HeaderOffsets();
    Set<Integer> seen = new HashSet<>();
    ArrayDeque<Visit> open = new ArrayDeque<>();
    open.add(new Visit(0, 0));
    while (!open.isEmpty()) {
      Visit visit = open.poll();
      if (visit.state() == Program.END || !seen.add(visit.state())) {
        continue;
      }
      Program.ParserState state = program.parser().get(visit.state());
      int end = found.through(state, visit.offsetBits());
      if (end >= 0) {
        state.transitions().forEach(transition -> open.add(new Visit(transition.next(), end)));
        open.add(new Visit(state.otherwise(), end));
      }
    }
    return found.places;
  }

  /** The parser's offset after a state, or -1 if it varies. */
  private int through(Program.ParserState state, int offsetBits) {
    int at = offsetBits;
    for (Program.ParserOp op : state.ops()) {
      if (op instanceof Program.Extract extract) {
        Header header = extract.header();
        places.putIfAbsent(header, at);
        at += header.widthBits();
      } else if (op instanceof Program.Advance advance) {
        Expr bits = advance.bits();
        if (!(bits instanceof Expr.Constant)) {
          return -1;
        }
        at += ((Expr.Constant) bits).value().intValue();
      } else if (!(op instanceof Program.SetLookahead
          || op instanceof Program.Verify
          || op instanceof Program.Do)) {
        return -1;
      }
    }
    return at;
  }
}
