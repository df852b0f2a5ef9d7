package net.sluice.emulator.v1model;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import net.sluice.emulator.switching.SwitchPacket;
import net.sluice.emulator.v1model.codegen.PipelineCompiler;
import net.sluice.emulator.v1model.program.Program;
import net.sluice.emulator.v1model.table.MatchKey;
import net.sluice.emulator.v1model.table.MatchKind;
import net.sluice.emulator.v1model.table.MatchTable;
import net.sluice.emulator.v1model.table.WordLayout;

/**
 * A program from the test resources with fresh state, entries by name, and packets through it one
 * at a time.
 */
public final class TestProgram {

  /** A match on one field: a value, and a mask, prefix length or high end. */
  public record Match(BigInteger value, BigInteger second) {}

  public final LoadedProgram loaded;

  private TestProgram(LoadedProgram loaded) {
    this.loaded = loaded;
  }

  public static TestProgram load(String name) {
    return new TestProgram(LoadedProgram.load(resource(name + ".json"), 42));
  }

  /** A program outside the test resources. */
  public static TestProgram load(Path json) {
    try {
      return new TestProgram(LoadedProgram.load(Files.readAllBytes(json), 42));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** A file beside the test programs. */
  public static byte[] resource(String name) {
    try (InputStream in = TestProgram.class.getResourceAsStream("/programs/" + name)) {
      return in.readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  public static Match exact(long value) {
    return new Match(BigInteger.valueOf(value), BigInteger.ONE.negate());
  }

  public static Match exact(String hex) {
    return new Match(new BigInteger(hex, 16), BigInteger.ONE.negate());
  }

  public static Match prefix(String hex, int length) {
    return new Match(new BigInteger(hex, 16), BigInteger.valueOf(length));
  }

  /** A ternary match, or a range. */
  public static Match pair(long value, long second) {
    return new Match(BigInteger.valueOf(value), BigInteger.valueOf(second));
  }

  public MatchTable table(String name) {
    return loaded.state().tables().get(tableIndex(name));
  }

  private int tableIndex(String name) {
    for (int i = 0; i < loaded.tables().size(); i++) {
      if (loaded.tables().get(i).name().equals(name)) {
        return i;
      }
    }
    throw new IllegalArgumentException("no table " + name);
  }

  /** Adds an entry and returns its slot. */
  public int insert(
      String table, List<Match> matches, int priority, String action, long... arguments) {
    MatchTable entries = table(table);
    MatchKey key = new MatchKey(entries.layout());
    for (int i = 0; i < matches.size(); i++) {
      WordLayout.Field field = entries.layout().fields().get(i);
      place(field, matches.get(i).value(), key.value);
      if (field.kind() == MatchKind.LPM) {
        key.prefixLength = matches.get(i).second().intValueExact();
        WordLayout.prefixMask(field, key.prefixLength, key.mask);
      } else {
        place(field, matches.get(i).second(), key.mask);
      }
    }
    key.priority = priority;
    return entries.insert(key, actionIndex(table, action), data(table, action, arguments), false);
  }

  /** Sets a default entry. */
  public void setDefault(String table, String action, long... arguments) {
    table(table)
        .modify(
            MatchTable.DEFAULT_SLOT, actionIndex(table, action), data(table, action, arguments));
  }

  private int actionIndex(String table, String action) {
    List<Program.Action> actions = loaded.tables().get(tableIndex(table)).actions();
    for (int i = 0; i < actions.size(); i++) {
      if (actions.get(i).name().equals(action)) {
        return i;
      }
    }
    throw new IllegalArgumentException("no action " + action);
  }

  private long[] data(String table, String action, long... arguments) {
    long[] data = new long[table(table).dataWords()];
    WordLayout layout =
        PipelineCompiler.parameters(
            loaded.tables().get(tableIndex(table)).actions().get(actionIndex(table, action)));
    for (int i = 0; i < arguments.length; i++) {
      place(layout.fields().get(i), BigInteger.valueOf(arguments[i]), data);
    }
    return data;
  }

  private static void place(WordLayout.Field field, BigInteger value, long[] words) {
    for (int limb = 0; limb < field.words(); limb++) {
      words[field.word() + limb] |=
          value.shiftRight(64 * limb).longValue() << field.shift() & field.maskOf(limb);
    }
  }

  /** Sends a packet through ingress; the caller releases it. */
  public SwitchPacket ingress(byte[] bytes, int port, long nowMicros) {
    SwitchPacket packet = loaded.pipeline().acquire();
    packet.setBytes(bytes, 0, bytes.length);
    loaded.pipeline().ingress(packet, port, nowMicros);
    return packet;
  }

  /** Sends a packet through ingress and egress; null if it is dropped. */
  public byte[] send(byte[] bytes) {
    SwitchPacket packet = ingress(bytes, 3, 1000);
    if (!packet.dropped) {
      loaded.pipeline().egress(packet, 1500);
    }
    byte[] sent = packet.dropped ? null : packet.toByteArray();
    loaded.pipeline().release(packet);
    return sent;
  }
}
