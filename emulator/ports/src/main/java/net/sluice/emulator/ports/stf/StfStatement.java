package net.sluice.emulator.ports.stf;

import java.util.List;

/** A command of a test in STF, with the line it stands on. Numbers are as written. */
public sealed interface StfStatement {

  /** Line of the test, from 1. */
  int line();

  /**
   * A name and a number as written, such as {@code 0x25**}, {@code 0b1*} or {@code 0x0a000000/8}.
   */
  record Named(String name, String value) {}

  /**
   * Adds an entry to a table.
   *
   * @param priority higher wins; null if none is given
   * @param label name of the entry in later commands, or null
   */
  record Add(
      int line,
      String table,
      Integer priority,
      List<Named> match,
      String action,
      List<Named> arguments,
      String label)
      implements StfStatement {}

  /** Removes all entries that commands added. */
  record RemoveAll(int line) implements StfStatement {}

  /** Sets the default entry of a table. */
  record SetDefault(int line, String table, String action, List<Named> arguments)
      implements StfStatement {}

  /** Sends a packet into a port. */
  record Packet(int line, int port, byte[] bytes) implements StfStatement {}

  /**
   * Expects a packet out of a port.
   *
   * @param digits hexadecimal digits and {@code *} for any; empty for any packet
   * @param wholePacket whether nothing may follow
   */
  record Expect(int line, int port, String digits, boolean wholePacket) implements StfStatement {}

  /** {@code wait}: lets a second pass. */
  record Wait(int line) implements StfStatement {}

  /**
   * Checks a cell of a counter.
   *
   * @param cell an index, or the label of an entry, perhaps behind {@code $}
   * @param comparison {@code ==}, {@code !=}, {@code <}, {@code <=}, {@code >} or {@code >=}; null
   *     if the cell only has to exist
   */
  record CheckCounter(
      int line, String counter, String cell, boolean bytes, String comparison, long value)
      implements StfStatement {}

  /** A command of bmv2's simple_switch_CLI: a name and its arguments. */
  record Direct(int line, String name, List<String> arguments) implements StfStatement {}
}
