package net.sluice.core.declaration;

import java.io.IOException;

/** Takes the fields of a record in their order, as the API has them. */
public interface RecordSink {
  /** An object, up to its {@link #endObject}. */
  void beginObject() throws IOException;

  void endObject() throws IOException;

  /** A list, up to its {@link #endList}. */
  void beginList() throws IOException;

  void endList() throws IOException;

  /**
   * The name of the value that comes next.
   *
   * @param place the field's, in {@code shape}
   */
  void field(Shape<?> shape, int place) throws IOException;

  /** The key of the text that comes next, in an object of texts. */
  void key(String key) throws IOException;

  void text(String text) throws IOException;

  void number(long number) throws IOException;

  void number(double number) throws IOException;

  void flag(boolean flag) throws IOException;
}
