package net.sluice.emulator.v1model.prefetch;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import net.sluice.emulator.v1model.program.Expr;
import net.sluice.emulator.v1model.program.Header;
import net.sluice.emulator.v1model.program.HeaderStack;
import net.sluice.emulator.v1model.program.Program;
import org.junit.jupiter.api.Test;

class HeaderOffsetsTest {
  private static final Header ETHERNET = ProgramFragments.header("ethernet", false, 48, 48, 16);
  private static final Header TAG = ProgramFragments.header("tag", false, 16, 16);
  private static final Header IP = ProgramFragments.header("ip", false, 160);
  private static final Header UDP = ProgramFragments.header("udp", false, 64);

  private static Program.ParserState state(List<Program.ParserOp> ops, int... next) {
    List<Program.Transition> transitions = new ArrayList<>();
    for (int i = 0; i < next.length - 1; i++) {
      transitions.add(
          new Program.Transition(List.of(BigInteger.ONE), List.of(BigInteger.ONE), null, next[i]));
    }
    return new Program.ParserState("s", ops, List.of(), transitions, next[next.length - 1]);
  }

  private static Map<Header, Integer> places(Program.ParserState... states) {
    return HeaderOffsets.of(ProgramFragments.program(List.of(states)));
  }

  @Test
  void headersLieWhereTheyAreReachedThroughTheFewestStates() {
    assertThat(
            places(
                state(List.of(new Program.Extract(ETHERNET)), 1, 2, Program.END),
                state(List.of(new Program.Extract(TAG)), 1, 2, Program.END),
                state(List.of(new Program.Extract(IP)), 3),
                state(List.of(new Program.Extract(UDP)), Program.END)))
        .isEqualTo(Map.of(ETHERNET, 0, TAG, 112, IP, 112, UDP, 272));
  }

  @Test
  void whatIsSkippedCountsAndWhatIsOnlyLookedAtDoesNot() {
    Header metadata = ProgramFragments.header("md", true, 8);
    assertThat(
            places(
                state(
                    List.of(
                        new Program.Advance(ProgramFragments.number(24)),
                        new Program.SetLookahead(
                            ProgramFragments.field(metadata, 0), new Program.Lookahead(0, 8)),
                        new Program.Verify(new Expr.Truth(true), ProgramFragments.number(0)),
                        new Program.Extract(TAG)),
                    Program.END)))
        .isEqualTo(Map.of(TAG, 24));
  }

  @Test
  void behindWhatHasNoCertainLengthNothingHasAPlace() {
    Program.ParserState rest = state(List.of(new Program.Extract(UDP)), Program.END);
    Expr length = ProgramFragments.value(ProgramFragments.field(TAG, 0));
    for (Program.ParserOp op :
        List.of(
            new Program.Advance(length),
            new Program.ExtractVariable(IP, length, 100),
            new Program.ExtractNext(new HeaderStack("stack", 0, List.of(IP))))) {
      assertThat(places(state(List.of(new Program.Extract(TAG), op), 1), rest))
          .isEqualTo(Map.of(TAG, 0));
    }
  }
}
