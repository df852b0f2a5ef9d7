package net.sluice.emulator.v1model.trace;

import net.sluice.emulator.trace.v1.CounterAccess;
import net.sluice.emulator.trace.v1.Event;
import net.sluice.emulator.trace.v1.HashComputed;
import net.sluice.emulator.trace.v1.MeterAccess;
import net.sluice.emulator.trace.v1.RandomDrawn;
import net.sluice.emulator.trace.v1.RegisterAccess;
import net.sluice.emulator.trace.v1.Value;
import net.sluice.emulator.v1model.runtime.CounterCells;
import net.sluice.emulator.v1model.runtime.RegisterArray;
import net.sluice.emulator.v1model.table.MeterCells;

/** Events of counters, meters, registers, random numbers and hashes. Under the device's lock. */
record ExternEvents(ProgramTracer tracer) {

  private static final String[] COLOURS = {"green", "yellow", "red"};

  Event.Builder counted(int counter, int index) {
    CounterCells cells = tracer.state().counters().get(counter);
    return Event.newBuilder()
        .setCounter(
            CounterAccess.newBuilder()
                .setCounter(tracer.program().counters().get(counter).name())
                .setIndex(index)
                .setPackets(cells.packets(index))
                .setBytes(cells.bytes(index)));
  }

  Event.Builder metered(int meter, int index, long colour) {
    MeterCells cells = tracer.state().meters().get(meter);
    return Event.newBuilder()
        .setMeter(
            MeterAccess.newBuilder()
                .setMeter(cells.name())
                .setIndex(index)
                .setColour(colour(colour)));
  }

  /** The name of a colour; those of meters with more than two rates are numbers. */
  static String colour(long colour) {
    return colour < COLOURS.length ? COLOURS[(int) colour] : "colour " + colour;
  }

  Event.Builder register(int register, String operation, int index) {
    RegisterArray array = tracer.state().registers().get(register);
    return Event.newBuilder()
        .setRegister(
            RegisterAccess.newBuilder()
                .setRegister(array.name())
                .setOperation(operation)
                .setIndex(index)
                .setValue(Hex.number(array.getBig(index), array.widthBits())));
  }

  /** An index beyond an array: nothing was accessed. */
  Event.Builder beyond(String kind, int array, long index) {
    Event.Builder event = Event.newBuilder();
    switch (kind) {
      case "counter" ->
          event
              .getCounterBuilder()
              .setCounter(tracer.program().counters().get(array).name())
              .setIndex(index);
      case "meter" ->
          event
              .getMeterBuilder()
              .setMeter(tracer.program().meters().get(array).name())
              .setIndex(index);
      default ->
          event
              .getRegisterBuilder()
              .setRegister(tracer.program().registers().get(array).name())
              .setIndex(index);
    }
    return event;
  }

  /**
   * A random number.
   *
   * @param drawn the field that stores it
   */
  Event.Builder randomDrawn(Value drawn, int widthBits, long low, long high) {
    return Event.newBuilder()
        .setRandom(
            RandomDrawn.newBuilder()
                .setField(drawn.getName())
                .setLow(Hex.number(low, widthBits))
                .setHigh(Hex.number(high, widthBits))
                .setValue(drawn.getValue()));
  }

  /**
   * A hash.
   *
   * @param hash the field that stores it
   */
  Event.Builder hashed(Value hash, int calculation) {
    return Event.newBuilder()
        .setHash(
            HashComputed.newBuilder()
                .setField(hash.getName())
                .setAlgorithm(tracer.program().calculations().get(calculation).algorithm().symbol())
                .setValue(hash.getValue()));
  }
}
