package net.sluice.lab.experiment;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;

/** Notes on the rows of an experiment, from the texts in {@code experiment/notes}. */
public final class Notes {
  private Notes() {}

  /**
   * The paragraphs of a text, each as one line.
   *
   * @param name of the text, without its end
   */
  public static List<String> of(String name) {
    String file = "notes/" + name + ".txt";
    try (InputStream text = Notes.class.getResourceAsStream(file)) {
      if (text == null) {
        throw new IllegalArgumentException("there are no notes " + file);
      }
      String all = new String(text.readAllBytes(), StandardCharsets.UTF_8);
      return Arrays.stream(all.strip().split("\n\n"))
          .map(paragraph -> paragraph.replace('\n', ' '))
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
