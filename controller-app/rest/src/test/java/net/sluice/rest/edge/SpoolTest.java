package net.sluice.rest.edge;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SpoolTest {
  private static byte[] rest(Spool spool) throws Exception {
    spool.endWriting();
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    for (ByteBuffer next = spool.next(); next.hasRemaining(); next = spool.next()) {
      assertThat(next.remaining()).isLessThanOrEqualTo(Spool.IN_MEMORY);
      all.write(next.array(), next.arrayOffset() + next.position(), next.remaining());
    }
    return all.toByteArray();
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, Spool.IN_MEMORY - 1, Spool.IN_MEMORY, Spool.IN_MEMORY + 1, 1_000_000})
  void whatIsWrittenIsReadInPiecesOfOneSizeAtMost(int size) throws Exception {
    Random random = new Random(size);
    byte[] bytes = new byte[size];
    random.nextBytes(bytes);
    try (Spool spool = new Spool()) {
      // What was written before it was cleared leaves nothing behind.
      spool.write(bytes, 0, size);
      spool.clear();
      for (int from = 0; from < size; ) {
        int length = Math.min(1 + random.nextInt(9_000), size - from);
        spool.write(bytes, from, length);
        from += length;
      }
      assertThat(spool.size()).isEqualTo(size);
      assertThat(rest(spool)).isEqualTo(bytes);
    }
  }
}
