package net.sluice.emulator.netsim.fpga;

import java.util.Arrays;
import net.sluice.emulator.netsim.FrameStore;

/**
 * The 262,144 packet queues with their counters. Memory comes in pages of one tree, 512 queues,
 * when the first packet for the tree arrives. A queue has no counter of packets waiting other than
 * its chain in the {@link FrameStore}.
 */
final class PacketQueues {

  private static final int PAGE_BITS = 9;
  private static final int PAGE = 1 << PAGE_BITS;

  /** The state of one tree's queues. */
  private static final class Page {
    final int[] heads = new int[PAGE];
    final int[] tails = new int[PAGE];
    final int[] packets = new int[PAGE];
    final long[] bytes = new long[PAGE];
    final long[] sentPackets = new long[PAGE];
    final long[] sentBytes = new long[PAGE];
    final long[] droppedPackets = new long[PAGE];

    Page() {
      Arrays.fill(heads, FrameStore.NONE);
      Arrays.fill(tails, FrameStore.NONE);
    }
  }

  private final Page[] pages = new Page[QueueNumbers.TREES];
  private final FrameStore frames;
  private long waitingBytes;
  private int waitingPackets;

  PacketQueues(FrameStore frames) {
    this.frames = frames;
  }

  /** Empties the queues and sets every count to 0. */
  void clear() {
    for (int i = 0; i < pages.length; i++) {
      if (pages[i] != null) {
        for (int slot : pages[i].heads) {
          for (int at = slot; at != FrameStore.NONE; ) {
            int next = frames.next(at);
            frames.release(at);
            at = next;
          }
        }
        pages[i] = null;
      }
    }
    waitingBytes = 0;
    waitingPackets = 0;
  }

  void append(int queueId, int slot) {
    Page page = page(queueId);
    int i = queueId & PAGE - 1;
    if (page.tails[i] == FrameStore.NONE) {
      page.heads[i] = slot;
    } else {
      frames.setNext(page.tails[i], slot);
    }
    page.tails[i] = slot;
    page.packets[i]++;
    page.bytes[i] += frames.length(slot);
    waitingPackets++;
    waitingBytes += frames.length(slot);
  }

  /** The first packet of a queue, or {@link FrameStore#NONE}. */
  int first(int queueId) {
    Page page = pages[queueId >> PAGE_BITS];
    return page == null ? FrameStore.NONE : page.heads[queueId & PAGE - 1];
  }

  /** Removes and counts the first packet of a queue that is not empty. */
  int take(int queueId) {
    int slot = remove(queueId);
    Page page = page(queueId);
    page.sentPackets[queueId & PAGE - 1]++;
    page.sentBytes[queueId & PAGE - 1] += frames.length(slot);
    return slot;
  }

  /** Removes the first packet of a queue that is not empty. */
  int remove(int queueId) {
    Page page = page(queueId);
    int i = queueId & PAGE - 1;
    int slot = page.heads[i];
    int next = frames.next(slot);
    page.heads[i] = next;
    if (next == FrameStore.NONE) {
      page.tails[i] = FrameStore.NONE;
    }
    frames.setNext(slot, FrameStore.NONE);
    int length = frames.length(slot);
    page.packets[i]--;
    page.bytes[i] -= length;
    waitingPackets--;
    waitingBytes -= length;
    return slot;
  }

  void countDrop(int queueId) {
    page(queueId).droppedPackets[queueId & PAGE - 1]++;
  }

  /** Bytes waiting in a queue. */
  long bytes(int queueId) {
    Page page = pages[queueId >> PAGE_BITS];
    return page == null ? 0 : page.bytes[queueId & PAGE - 1];
  }

  /** Packets waiting in a queue. */
  int packets(int queueId) {
    Page page = pages[queueId >> PAGE_BITS];
    return page == null ? 0 : page.packets[queueId & PAGE - 1];
  }

  /** Packets a queue has sent. */
  long sentPackets(int queueId) {
    Page page = pages[queueId >> PAGE_BITS];
    return page == null ? 0 : page.sentPackets[queueId & PAGE - 1];
  }

  /** Bytes a queue has sent. */
  long sentBytes(int queueId) {
    Page page = pages[queueId >> PAGE_BITS];
    return page == null ? 0 : page.sentBytes[queueId & PAGE - 1];
  }

  /** Packets a queue has refused. */
  long droppedPackets(int queueId) {
    Page page = pages[queueId >> PAGE_BITS];
    return page == null ? 0 : page.droppedPackets[queueId & PAGE - 1];
  }

  /** Bytes waiting in all queues. */
  long waitingBytes() {
    return waitingBytes;
  }

  /** Packets waiting in all queues. */
  int waitingPackets() {
    return waitingPackets;
  }

  private Page page(int queueId) {
    int number = queueId >> PAGE_BITS;
    if (pages[number] == null) {
      pages[number] = new Page();
    }
    return pages[number];
  }
}
