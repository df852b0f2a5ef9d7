package net.sluice.emulator.v1model.runtime;

/**
 * Receives the steps of one packet through a traced pipeline, a call per step. Arguments are
 * indexes into the program. The untraced pipeline calls none of these.
 */
public abstract class PacketTrace {

  // ---- called by generated code ----

  /** A parser state begins. */
  public abstract void state(int index);

  /** The parser extracted a header. */
  public abstract void extracted(int header, int bytes);

  /** The parser skipped bits. */
  public abstract void advanced(long bits);

  /** A parser state selects by these limbs: those of each part of its key, lowest first. */
  public abstract void selecting(long[] limbs);

  /** The parser goes on in a state, or ends. */
  public abstract void next(int state);

  /** A checksum was computed to be verified. */
  public abstract void verified(int checksum, long computed);

  /** A checksum field was updated. */
  public abstract void updated(int checksum);

  /** A control begins: 0 ingress, 1 egress. */
  public abstract void control(int which);

  /** A control ends. */
  public abstract void controlEnded();

  /** A condition of a control was evaluated; returns {@code holds}. */
  public abstract boolean condition(int control, int node, boolean holds);

  /** A table is about to be looked up. */
  public abstract void applying(int table);

  /**
   * A table was looked up, and its direct counter and meter updated; its action has not run yet.
   *
   * @param table position among all tables of the program
   * @param slot of the entry, 0 on a miss
   * @param words of the key
   */
  public abstract void applied(int table, int slot, long[] words);

  /**
   * A member of the table's action profile was chosen.
   *
   * @param ofGroup whether from a group
   * @param member its number, negative if the group has none
   */
  public abstract void member(int table, boolean ofGroup, int member);

  /** An action with a body begins. */
  public abstract void action(int index);

  /** A step of the action begins. */
  public abstract void step(int index);

  /** A condition of an action was evaluated; returns {@code holds}. */
  public abstract boolean branch(boolean holds);

  /** An element of a counter array has counted the packet. */
  public abstract void counted(int counter, int index);

  /** An element of a meter array has metered the packet. */
  public abstract void metered(int meter, int index, long colour);

  /** An element of a register array was read. */
  public abstract void registerRead(int register, int index);

  /** An element of a register array was written. */
  public abstract void registerWritten(int register, int index);

  /** An element beyond an array was asked for: of a "counter", "meter" or "register". */
  public abstract void beyond(String kind, int array, long index);

  /** A random number was drawn and stored. */
  public abstract void randomDrawn(int header, int field, long low, long high);

  /** A hash was computed and stored. */
  public abstract void hashed(int header, int field, int calculation);

  /** The packet is to be dropped at the end of the control. */
  public abstract void markedToDrop();

  /** The control is to be left after this action. */
  public abstract void exited();

  /** A request to be carried out at the end of the control; a negative number is none. */
  public abstract void requested(String kind, long number);

  /** {@code log_msg} wrote a message. */
  public abstract void message(String text);

  /** The deparser wrote a header. */
  public abstract void emitted(int header, int bytes);

  // ---- called around it ----

  /** Ingress has ended. */
  protected abstract void ingressEnded(ParsedPacket packet);

  /** The trace of a copy of the packet. */
  protected abstract PacketTrace copied(ParsedPacket copy, String kind);

  /** The packet enters ingress again. */
  protected abstract void reentered(String kind);

  /** The program failed where bmv2 would abort. */
  protected abstract void failed(String text);

  /** Egress is about to begin. */
  protected abstract void egressBegins(ParsedPacket packet);

  /** Egress has ended. */
  protected abstract void egressEnded(ParsedPacket packet);

  /** The packet is returned to its pool. */
  protected abstract void released(ParsedPacket packet);
}
