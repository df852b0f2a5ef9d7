package net.sluice.rest.request;

import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.nio.charset.StandardCharsets;
import net.sluice.intents.validate.Refusal;
import org.junit.jupiter.api.Test;

/** Bodies that do not come to their end. */
final class RequestBodyTest {
  @Test
  void aBodyThatIsCutOffIsTheClientsProblem() {
    InputStream cutOff =
        new SequenceInputStream(
            new ByteArrayInputStream("{\"through".getBytes(StandardCharsets.US_ASCII)),
            new InputStream() {
              @Override
              public int read() throws IOException {
                throw new IOException("connection reset");
              }
            });
    assertThatExceptionOfType(Refusal.class)
        .isThrownBy(() -> RequestBody.json(cutOff))
        .withMessage("MALFORMED: The body could not be read to its end.");
  }
}
