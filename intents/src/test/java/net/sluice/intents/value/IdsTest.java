package net.sluice.intents.value;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class IdsTest {
  @Test
  void anIdHasAtMost64CharactersAndStartsWithALetterOrDigit() {
    assertThat(Ids.isValid("x".repeat(64))).isTrue();
    assertThat(Ids.isValid("x".repeat(65))).isFalse();
    assertThat(Ids.isValid("")).isFalse();
    assertThat(Ids.isValid("-a")).isFalse();
    assertThat(Ids.isValid("l l")).isFalse();
  }
}
