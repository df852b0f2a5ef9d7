package net.sluice.emulator.v1model.program;

import java.util.List;

/**
 * A stack of headers of one type. The number of elements that the parser has filled, {@code
 * nextIndex}, is part of a packet's state.
 *
 * @param name P4 name
 * @param index position among the program's stacks
 * @param headers the elements, at least one
 */
public record HeaderStack(String name, int index, List<Header> headers) {

  /** Elements. */
  public int size() {
    return headers.size();
  }
}
