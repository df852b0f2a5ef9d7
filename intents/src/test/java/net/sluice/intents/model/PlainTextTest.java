package net.sluice.intents.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import net.sluice.intents.value.InvalidValueException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PlainTextTest {
  @ParameterizedTest
  @ValueSource(strings = {"x", " ", "Café Zoë, Straße 7", "日本語", "😀😀😀", "a\u200db"})
  void aLineInAnyScriptIsValid(String text) {
    assertThat(PlainText.isValid(text, PlainText.MAX_NAME)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "a\nb", "\t", "\u0000", "a\u007f", "\u0085", "\ud83d", "a\ude00b"})
  void controlCharactersAndHalvesAreNot(String text) {
    assertThat(PlainText.isValid(text, PlainText.MAX_NAME)).isFalse();
  }

  @Test
  void charactersAreCountedAndNotTheirHalves() {
    assertThat(PlainText.isValid("😀".repeat(120), 120)).isTrue();
    assertThat(PlainText.isValid("😀".repeat(121), 120)).isFalse();
    assertThatThrownBy(() -> PlainText.require("name", "a\nb", 7))
        .isInstanceOf(InvalidValueException.class)
        .hasMessage("name is a\nb; allowed: 1 to 7 characters, no control characters");
  }
}
