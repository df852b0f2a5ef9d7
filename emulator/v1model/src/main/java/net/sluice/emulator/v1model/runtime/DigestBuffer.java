package net.sluice.emulator.v1model.runtime;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Collects the messages that one digest of a program sends to the controller, by the rules of
 * section "DigestEntry" of the P4Runtime specification: distinct messages make a list, which is
 * sent when it is long or old enough; a message is not sent again until the controller acknowledges
 * its list, or the list is forgotten. Off until it is configured. Callers hold the lock of the
 * switch.
 */
public final class DigestBuffer {

  /** Messages in a list when the configuration sets no limit. */
  public static final int DEFAULT_LIST_SIZE = 1_024;

  /** Most messages waiting for an acknowledgement; beyond these, new ones are lost. */
  public static final int MAX_UNACKNOWLEDGED = 1 << 20;

  private static final int BITS_PER_BYTE = 8;

  /**
   * The digest's configuration.
   *
   * @param maxTimeoutNanos how long a message waits at most; 0 not to wait
   * @param maxListSize messages in a list at most; 0 for {@value #DEFAULT_LIST_SIZE}
   * @param ackTimeoutNanos the controller's time for an acknowledgement. Without one a list is
   *     forgotten when it is twice as old; 0 to forget it at once
   */
  public record Config(long maxTimeoutNanos, int maxListSize, long ackTimeoutNanos) {}

  /**
   * Messages to the controller.
   *
   * @param id number of the list, from 1
   * @param messages by message, its fields one after the other, each of whole bytes
   * @param nanos time at which it was sent, nanoseconds
   */
  public record DigestList(long id, List<byte[]> messages, long nanos) {}

  /** The receiver of lists. */
  public interface Sink {
    /**
     * Takes a list.
     *
     * @return whether there is a controller to send it to
     */
    boolean send(DigestBuffer from, DigestList list);

    /** Identity of the current receivers; it changes when the controllers do. */
    Object audience();

    /** Notified when {@link #dueNanos} has become earlier. */
    void dueChanged();
  }

  /** A message as a key. */
  private static final class Message {
    private byte[] bytes;

    Message(byte[] bytes) {
      this.bytes = bytes;
    }

    @Override
    public int hashCode() {
      return Arrays.hashCode(bytes);
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof Message message && Arrays.equals(bytes, message.bytes);
    }
  }

  /** A list that has been sent. */
  private record Sent(long id, long nanos, List<Message> messages) {}

  private final String name;
  private final List<Integer> widthsBits;
  private final Message next;
  private int at;
  private Config config;
  private Sink sink;
  private final LinkedHashSet<Message> waiting = new LinkedHashSet<>();
  private long firstNanos;
  private final Set<Message> unacknowledged = new HashSet<>();
  private final ArrayDeque<Sent> sent = new ArrayDeque<>();
  private long lastListId;
  private long lost;
  private Object audience;

  /**
   * @param name of the digest
   * @param widthsBits widths of its fields, bits
   */
  public DigestBuffer(String name, List<Integer> widthsBits) {
    this.name = name;
    this.widthsBits = List.copyOf(widthsBits);
    int bytes = 0;
    for (int width : widthsBits) {
      bytes += (width + BITS_PER_BYTE - 1) / BITS_PER_BYTE;
    }
    this.next = new Message(new byte[bytes]);
  }

  /** Name of the digest in the program. */
  public String name() {
    return name;
  }

  /** Widths of its fields, bits. */
  public List<Integer> widthsBits() {
    return widthsBits;
  }

  /** Sets the receiver of lists; null for none. */
  public void connect(Sink to) {
    sink = to;
  }

  /** The configuration, or null if the digest is off. */
  public Config config() {
    return config;
  }

  /**
   * Sets the configuration.
   *
   * @param changed null to turn the digest off, which discards collected messages
   */
  public void configure(Config changed) {
    config = changed;
    if (changed == null) {
      waiting.clear();
      forgetSent();
    } else if (changed.ackTimeoutNanos() == 0) {
      forgetSent();
    }
    if (!waiting.isEmpty() && sink != null) {
      sink.dueChanged();
    }
  }

  /** Whether messages are collected. */
  public boolean isOn() {
    return config != null;
  }

  /**
   * The next field, or part of a field, of the message that {@link #add} will add.
   *
   * @param value its low bits count
   * @param bits 1 to 64; all parts of a field but the first have 64
   */
  public void put(long value, int bits) {
    long masked = bits == 64 ? value : value & (1L << bits) - 1;
    for (int byteIndex = (bits + BITS_PER_BYTE - 1) / BITS_PER_BYTE - 1;
        byteIndex >= 0;
        byteIndex--) {
      next.bytes[at++] = (byte) (masked >>> BITS_PER_BYTE * byteIndex);
    }
  }

  /**
   * Adds the message that {@link #put} has put together.
   *
   * @param nowMicros time, microseconds
   */
  public void add(long nowMicros) {
    at = 0;
    long now = nowMicros * 1_000;
    forgetOld(now);
    if (waiting.contains(next) || unacknowledged.contains(next)) {
      return;
    }
    if (unacknowledged.size() >= MAX_UNACKNOWLEDGED) {
      lost++;
      return;
    }
    boolean first = waiting.isEmpty();
    if (first) {
      firstNanos = now;
    }
    waiting.add(new Message(next.bytes.clone()));
    int limit = config.maxListSize() == 0 ? DEFAULT_LIST_SIZE : config.maxListSize();
    if (config.maxTimeoutNanos() == 0 || waiting.size() >= limit) {
      send(now);
    } else if (first && sink != null) {
      sink.dueChanged();
    }
  }

  /** When {@link #run} is due, nanoseconds, or Long.MAX_VALUE for never. */
  public long dueNanos() {
    if (waiting.isEmpty()) {
      return Long.MAX_VALUE;
    }
    if (config.maxListSize() != 0 && waiting.size() >= config.maxListSize()) {
      // The new limit is below the number of waiting messages.
      return firstNanos;
    }
    long due = firstNanos + config.maxTimeoutNanos();
    return due < firstNanos ? Long.MAX_VALUE : due;
  }

  /** Sends what is due. */
  public void run(long nowNanos) {
    if (dueNanos() <= nowNanos
        || config != null && config.maxListSize() != 0 && waiting.size() >= config.maxListSize()) {
      send(nowNanos);
    }
  }

  private void send(long nowNanos) {
    List<Message> messages = List.copyOf(waiting);
    waiting.clear();
    List<byte[]> bytes = new ArrayList<>(messages.size());
    for (Message message : messages) {
      bytes.add(message.bytes);
    }
    DigestList list = new DigestList(lastListId + 1, bytes, nowNanos);
    if (sink == null || !sink.send(this, list)) {
      lost += messages.size();
      return;
    }
    lastListId++;
    if (config.ackTimeoutNanos() != 0) {
      sent.addLast(new Sent(list.id(), nowNanos, messages));
      unacknowledged.addAll(messages);
    }
  }

  /**
   * The controller has acted on a list; its messages may be sent again.
   *
   * @return whether it was waiting for its acknowledgement
   */
  public boolean acknowledge(long listId) {
    for (Iterator<Sent> all = sent.iterator(); all.hasNext(); ) {
      Sent one = all.next();
      if (one.id() == listId) {
        all.remove();
        one.messages().forEach(unacknowledged::remove);
        return true;
      }
    }
    return false;
  }

  /** Whether a list of this number has ever been sent. */
  public boolean hasSent(long listId) {
    return listId >= 1 && listId <= lastListId;
  }

  /** Discards what is known as sent, so that a new controller gets everything. */
  public void forgetSent() {
    sent.clear();
    unacknowledged.clear();
  }

  /**
   * The specification wants lists deleted that are at least a timeout old, and leaves open how
   * often a server looks. bmv2's looks once a timeout, which makes it between one and two; test
   * suites count on silence for more than one, and on a new message after two.
   */
  private void forgetOld(long nowNanos) {
    if (sink != null && sink.audience() != audience) {
      audience = sink.audience();
      forgetSent();
    }
    while (!sent.isEmpty()
        && nowNanos - sent.peekFirst().nanos() - config.ackTimeoutNanos()
            >= config.ackTimeoutNanos()) {
      sent.pollFirst().messages().forEach(unacknowledged::remove);
    }
  }

  /** Messages lost because there was no controller, or too many were unacknowledged. */
  public long lost() {
    return lost;
  }
}
