package net.sluice.it.corpus;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import net.sluice.emulator.v1model.LoadedProgram;
import net.sluice.emulator.v1model.program.Primitive;
import net.sluice.emulator.v1model.runtime.CounterCells;
import net.sluice.emulator.v1model.runtime.RegisterArray;
import p4.config.v1.P4InfoOuterClass.Counter;
import p4.config.v1.P4InfoOuterClass.DirectCounter;
import p4.config.v1.P4InfoOuterClass.P4Info;
import p4.config.v1.P4InfoOuterClass.Register;
import p4.v1.P4RuntimeOuterClass.CounterEntry;
import p4.v1.P4RuntimeOuterClass.DirectCounterEntry;
import p4.v1.P4RuntimeOuterClass.Entity;
import p4.v1.P4RuntimeOuterClass.Index;
import p4.v1.P4RuntimeOuterClass.TableEntry;

/** What the packets have left behind in two switches: counters, and registers. */
final class SwitchState {

  /** Larger arrays are compared where the emulated switch has something, and at their start. */
  private static final int ALL_CELLS = 1_024;

  private static final int FIRST_CELLS = 16;

  private final P4Info info;
  private final AnySwitch.Emulated emulated;
  private final AnySwitch bmv2;
  private final List<String> differences = new ArrayList<>();
  private int cells;

  SwitchState(P4Info info, AnySwitch.Emulated emulated, AnySwitch bmv2) {
    this.info = info;
    this.emulated = emulated;
    this.bmv2 = bmv2;
  }

  /** How many counters and registers were compared and not 0 in either switch. */
  int cells() {
    return cells;
  }

  /** Compares all there is; what differs, with both values. */
  List<String> differences() {
    info.getCountersList().forEach(this::counter);
    info.getDirectCountersList().forEach(this::directCounter);
    info.getRegistersList().forEach(this::register);
    return differences;
  }

  private void counter(Counter counter) {
    Map<Object, Object> mine = new TreeMap<>();
    Map<Object, Object> theirs = new TreeMap<>();
    if (counter.getSize() <= ALL_CELLS) {
      mine.putAll(counters(emulated, counter, -1));
      theirs.putAll(counters(bmv2, counter, -1));
    } else {
      for (int cell : cells(filled(counter.getPreamble().getName()), counter.getSize())) {
        mine.putAll(counters(emulated, counter, cell));
        theirs.putAll(counters(bmv2, counter, cell));
      }
    }
    compare(counter.getPreamble().getName(), mine, theirs);
  }

  /** Cells of a large counter of the emulated switch that are not 0. */
  private Set<Integer> filled(String name) {
    List<Primitive.CounterDef> counters = program().program().counters();
    Set<Integer> filled = new TreeSet<>();
    for (int i = 0; i < counters.size(); i++) {
      CounterCells cells = program().state().counters().get(i);
      for (int cell = 0; counters.get(i).name().equals(name) && cell < cells.size(); cell++) {
        if (cells.packets(cell) != 0) {
          filled.add(cell);
        }
      }
    }
    return filled;
  }

  private LoadedProgram program() {
    return emulated.device.loaded().orElseThrow();
  }

  /** Cells that are not 0. */
  private static Map<Object, Object> counters(AnySwitch from, Counter counter, int cell) {
    CounterEntry.Builder wanted =
        CounterEntry.newBuilder().setCounterId(counter.getPreamble().getId());
    if (cell >= 0) {
      wanted.setIndex(Index.newBuilder().setIndex(cell));
    }
    Map<Object, Object> cells = new TreeMap<>();
    for (Entity entity : from.control().read(Entity.newBuilder().setCounterEntry(wanted).build())) {
      CounterEntry entry = entity.getCounterEntry();
      if (entry.getData().getPacketCount() != 0 || entry.getData().getByteCount() != 0) {
        cells.put((int) entry.getIndex().getIndex(), Messages.line(entry.getData()));
      }
    }
    return cells;
  }

  private void directCounter(DirectCounter counter) {
    compare(
        counter.getPreamble().getName(),
        directCounters(emulated, counter),
        directCounters(bmv2, counter));
  }

  /** By entry; bmv2 has none for default entries. */
  private static Map<Object, Object> directCounters(AnySwitch from, DirectCounter counter) {
    Map<Object, Object> entries = new TreeMap<>();
    Entity wanted =
        Entity.newBuilder()
            .setDirectCounterEntry(
                DirectCounterEntry.newBuilder()
                    .setTableEntry(TableEntry.newBuilder().setTableId(counter.getDirectTableId())))
            .build();
    for (Entity entity : from.control().read(wanted)) {
      DirectCounterEntry entry = entity.getDirectCounterEntry();
      if (!entry.getTableEntry().getIsDefaultAction()
          && (entry.getData().getPacketCount() != 0 || entry.getData().getByteCount() != 0)) {
        // Entries that the program declares have other priorities in bmv2.
        entries.merge(
            entry.getTableEntry().getMatchList().stream().map(Messages::line).toList().toString(),
            new TreeSet<>(Set.of(Messages.line(entry.getData()))),
            SwitchState::both);
      }
    }
    return entries;
  }

  private static Object both(Object some, Object others) {
    TreeSet<Object> all = new TreeSet<>();
    all.addAll((Set<?>) some);
    all.addAll((Set<?>) others);
    return all;
  }

  private void register(Register register) {
    String name = register.getPreamble().getName();
    Map<Object, Object> mine = new TreeMap<>();
    Set<Integer> filled = new TreeSet<>();
    for (RegisterArray array : program().state().registers()) {
      for (int cell = 0; array.name().equals(name) && cell < array.size(); cell++) {
        BigInteger value =
            array.widthBits() > 64
                ? array.getBig(cell)
                : new BigInteger(Long.toUnsignedString(array.get(cell)));
        if (value.signum() != 0) {
          mine.put(cell, value);
          filled.add(cell);
        }
      }
    }
    List<Integer> asked = cells(filled, register.getSize());
    List<BigInteger> values = RegisterProbe.read(bmv2, name, asked);
    Map<Object, Object> theirs = new TreeMap<>();
    for (int i = 0; i < asked.size(); i++) {
      if (values.get(i).signum() != 0) {
        theirs.put(asked.get(i), values.get(i));
      }
    }
    compare(name, mine, theirs);
  }

  /** The cells to ask for: all of a small array. */
  private static List<Integer> cells(Set<Integer> filled, long size) {
    TreeSet<Integer> cells = new TreeSet<>();
    for (int cell = 0; cell < Math.min(size, size <= ALL_CELLS ? size : FIRST_CELLS); cell++) {
      cells.add(cell);
    }
    cells.addAll(filled);
    return List.copyOf(cells);
  }

  private void compare(String name, Map<Object, Object> mine, Map<Object, Object> theirs) {
    TreeSet<Object> all = new TreeSet<>(mine.keySet());
    all.addAll(theirs.keySet());
    cells += all.size();
    for (Object cell : all) {
      if (!String.valueOf(mine.get(cell)).equals(String.valueOf(theirs.get(cell)))) {
        differences.add(
            name + "[" + cell + "] is " + mine.get(cell) + ", in bmv2 " + theirs.get(cell));
      }
    }
  }
}
