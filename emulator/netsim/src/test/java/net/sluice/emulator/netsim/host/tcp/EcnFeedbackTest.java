package net.sluice.emulator.netsim.host.tcp;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class EcnFeedbackTest {

  /** AE, CWR and ECE as RFC 9768 writes them. */
  private static int flags(String bits) {
    return AceField.flags(Integer.parseInt(bits, 2));
  }

  /** Table 2 and section 3.1.3, from the side whose SYN it was. */
  @ParameterizedTest
  @CsvSource({
    "ACCURATE,111,010,ACCURATE",
    "ACCURATE,111,011,ACCURATE",
    "ACCURATE,111,100,ACCURATE",
    "ACCURATE,111,110,ACCURATE",
    "ACCURATE,111,101,ACCURATE",
    "ACCURATE,111,001,CLASSIC",
    "ACCURATE,111,000,NONE",
    "ACCURATE,111,111,NONE",
    "CLASSIC,011,001,CLASSIC",
    "CLASSIC,011,000,NONE",
    "CLASSIC,011,011,NONE",
    "NONE,000,001,NONE",
    "NONE,000,010,NONE"
  })
  void anAnswerDecides(EcnFeedback asked, String syn, String synAck, EcnFeedback agreed) {
    assertThat(asked.synFlags()).isEqualTo(flags(syn));
    assertThat(asked.agreed(flags(synAck))).isEqualTo(agreed);
  }

  @ParameterizedTest
  @CsvSource({
    "000,NONE",
    "011,CLASSIC",
    "111,ACCURATE",
    "001,ACCURATE",
    "010,ACCURATE",
    "100,ACCURATE",
    "101,ACCURATE",
    "110,ACCURATE"
  })
  void aSynAsks(String syn, EcnFeedback asked) {
    assertThat(EcnFeedback.asked(flags(syn))).isEqualTo(asked);
  }

  /** Table 2 for the side that answers: what the SYN asks for, at most what it has. */
  @ParameterizedTest
  @CsvSource({
    "ACCURATE,ACCURATE,0,010", "ACCURATE,ACCURATE,1,011", "ACCURATE,ACCURATE,2,100",
    "ACCURATE,ACCURATE,3,110", "CLASSIC,ACCURATE,0,001", "ACCURATE,CLASSIC,0,001",
    "NONE,ACCURATE,0,000", "ACCURATE,NONE,0,000"
  })
  void anAnswerSaysWhatIsAgreed(EcnFeedback asked, EcnFeedback most, int ecnBits, String synAck) {
    EcnFeedback agreed = asked.atMost(most);
    assertThat(agreed.synAckFlags(ecnBits)).isEqualTo(flags(synAck));
    assertThat(asked.agreed(flags(synAck))).isEqualTo(agreed);
  }
}
