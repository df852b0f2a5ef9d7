package net.sluice.fpga;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Registers mapped from a file that is as large as the window. */
class MappedRegistersTest {
  @TempDir Path directory;
  private Path resource;

  @BeforeEach
  void createResource() throws IOException {
    resource = directory.resolve("resource0");
    try (RandomAccessFile file = new RandomAccessFile(resource.toFile(), "rw")) {
      file.setLength(64 << 20);
    }
  }

  @Test
  void wordsAreLittleEndianAtTheirAddress() throws IOException {
    MappedRegisters registers = MappedRegisters.map(resource);
    registers.writeWord(0x0120_0008, 0x0a0b_0c0d);
    registers.writeWord(0x03ff_fffc, -2);

    assertThat(registers.readWord(0x0120_0008)).isEqualTo(0x0a0b_0c0d);
    try (RandomAccessFile file = new RandomAccessFile(resource.toFile(), "r")) {
      file.seek(0x0120_0008);
      assertThat(file.readInt()).isEqualTo(0x0d0c_0b0a);
      file.seek(0x03ff_fffc);
      assertThat(file.readInt()).isEqualTo(0xfeff_ffff);
    }
  }

  @Test
  void whatTheDeviceChangesIsRead() throws IOException {
    MappedRegisters registers = MappedRegisters.map(resource);
    assertThat(registers.readWord(4)).isZero();
    try (RandomAccessFile file = new RandomAccessFile(resource.toFile(), "rw")) {
      file.seek(4);
      file.writeInt(0x0100_0000);
    }
    assertThat(registers.readWord(4)).isEqualTo(1);
  }

  @Test
  void servesABus() throws IOException {
    try (RegisterBus bus = new LocalRegisterBus(MappedRegisters.map(resource), Runnable::run)) {
      BatchResult result =
          bus.execute(RegisterBatch.builder().write(0x1c, 4096).read(0x1c).build())
              .toCompletableFuture()
              .join();
      assertThat(result.word(0)).isEqualTo(4096);
    }
  }

  @Test
  void aCardThatDoesNotAnswerReadsAsOnes() throws IOException {
    MappedRegisters registers = MappedRegisters.map(resource);
    registers.writeWord(0x0200_0004, -1);
    assertThat(registers.readWord(0x0200_0004)).isEqualTo(-1);
    registers.flush();

    registers.writeWord(0x0300_0100, -1);
    String told = "the card does not answer: its identification reads 0xffffffff";
    assertThatThrownBy(() -> registers.readWord(0x0200_0004)).hasMessage(told);
    assertThatThrownBy(registers::flush).hasMessage(told);
    try (RegisterBus bus = new LocalRegisterBus(registers, Runnable::run)) {
      assertThatThrownBy(
              () ->
                  bus.execute(RegisterBatch.builder().write(0x1c, 4096).build())
                      .toCompletableFuture()
                      .join())
          .hasCauseInstanceOf(RegisterBusException.class)
          .hasMessageContaining("it is unknown whether the batch's writes have arrived: " + told);
    }
  }

  @Test
  void controllersTakeTurns() throws IOException {
    MappedRegisters first = MappedRegisters.map(resource);
    assertThatThrownBy(() -> MappedRegisters.map(resource))
        .isInstanceOf(IOException.class)
        .hasMessage(resource + " is in use by another controller, which has to be stopped first");
    new LocalRegisterBus(first, Runnable::run).close();
    MappedRegisters.map(resource).close();
  }

  @Test
  void aSmallerResourceIsNotTheFpgaAndStaysAsItIs() throws IOException {
    Path small = Files.write(directory.resolve("resource2"), new byte[4096]);

    assertThatThrownBy(() -> MappedRegisters.map(small))
        .isInstanceOf(IOException.class)
        .hasMessage(small + " has 4096 bytes; the FPGA's register window has 67108864");
    assertThat(Files.size(small)).isEqualTo(4096);
  }

  @Test
  void aMissingResourceIsNamed() {
    assertThatThrownBy(() -> MappedRegisters.map(directory.resolve("none")))
        .isInstanceOf(NoSuchFileException.class)
        .hasMessageContaining("none");
  }
}
