package net.sluice.endpoints.cells;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnknownFieldSet;
import io.grpc.StatusRuntimeException;
import java.io.ByteArrayInputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import p4.v1.P4RuntimeOuterClass.CounterData;
import p4.v1.P4RuntimeOuterClass.CounterEntry;
import p4.v1.P4RuntimeOuterClass.Entity;
import p4.v1.P4RuntimeOuterClass.Index;
import p4.v1.P4RuntimeOuterClass.ReadResponse;
import p4.v1.P4RuntimeOuterClass.TableEntry;

class CounterChunkTest {
  private static List<List<Long>> decoded(byte[] message) {
    List<List<Long>> cells = new ArrayList<>();
    CounterChunk.read()
        .getResponseMarshaller()
        .parse(new ByteArrayInputStream(message))
        .visit((id, index, packets, bytes) -> cells.add(List.of((long) id, index, packets, bytes)));
    return cells;
  }

  private static UnknownFieldSet strange() {
    return UnknownFieldSet.newBuilder()
        .addField(
            99,
            UnknownFieldSet.Field.newBuilder()
                .addFixed32(1)
                .addFixed64(2)
                .addVarint(-1)
                .addLengthDelimited(ByteString.copyFromUtf8("later"))
                .build())
        .build();
  }

  @Test
  void cellsAreThoseOfTheMessageWhateverElseIsInIt() {
    Random random = new Random(3);
    ReadResponse.Builder message = ReadResponse.newBuilder().setUnknownFields(strange());
    List<List<Long>> expected = new ArrayList<>();
    for (int i = 0; i < 2_000; i++) {
      long packets = random.nextInt(3) == 0 ? 0 : random.nextLong();
      long bytes = random.nextInt(3) == 0 ? 0 : random.nextLong();
      CounterEntry.Builder entry =
          CounterEntry.newBuilder().setCounterId(i).setIndex(Index.newBuilder().setIndex(7L * i));
      if (packets != 0 || bytes != 0) {
        entry.setData(CounterData.newBuilder().setPacketCount(packets).setByteCount(bytes));
      }
      if (i % 7 == 0) {
        entry.setUnknownFields(strange());
        message.addEntities(
            Entity.newBuilder().setTableEntry(TableEntry.newBuilder().setTableId(3)));
      }
      message.addEntities(Entity.newBuilder().setCounterEntry(entry));
      expected.add(List.of((long) i, 7L * i, packets, bytes));
    }
    assertThat(decoded(message.build().toByteArray())).isEqualTo(expected);
  }

  @Test
  void whatIsCutOffIsNotTakenForAMessage() {
    byte[] message =
        ReadResponse.newBuilder()
            .addEntities(
                Entity.newBuilder()
                    .setCounterEntry(
                        CounterEntry.newBuilder()
                            .setCounterId(300)
                            .setIndex(Index.newBuilder().setIndex(1))
                            .setData(CounterData.newBuilder().setByteCount(1 << 20))))
            .build()
            .toByteArray();
    for (int length = 1; length < message.length; length++) {
      byte[] part = Arrays.copyOf(message, length);
      assertThatThrownBy(() -> decoded(part))
          .isInstanceOf(StatusRuntimeException.class)
          .hasMessageContaining("an answer cannot be read");
    }
  }
}
