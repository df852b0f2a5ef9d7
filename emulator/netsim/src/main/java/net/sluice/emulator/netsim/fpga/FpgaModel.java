package net.sluice.emulator.netsim.fpga;

import net.sluice.emulator.netsim.EventHandler;
import net.sluice.emulator.netsim.FrameReceiver;
import net.sluice.emulator.netsim.FrameStore;
import net.sluice.emulator.netsim.LineClock;
import net.sluice.emulator.netsim.Simulation;

/**
 * An FPGA that queues and shapes packets beside a switch ("Massive QoS-aware Packet Queueing and
 * Traffic Shaping at the Access Edge using FPGAs", section III). A packet arrives with its queue id
 * as a 32-bit big-endian prefix, loses the prefix, waits in its queue until its customer, its tree
 * and its port each have the tokens of one MTU (1600 bytes), and leaves on the line it came by.
 * Leaving takes the packet's own length out of all three buckets. Registers: {@link RegisterMap};
 * buckets: a rate word of w lets w * 8 * f / 1248 bit/s pass, f being the clock frequency.
 *
 * <p>The scan. One cycle looks at one window of 32 queues, from the scan's position to the window's
 * end, and serves the first of them that holds a packet and may send. The scan stays at a customer
 * it has served, and serves its next class in the next cycle if it still may; when it finds nothing
 * it goes on to the next window, 8192 windows a round of a full build (52.4 us at 156.25 MHz). When
 * what it has served takes the last tokens of a customer, tree or port, it goes on behind that one;
 * a tree or port that gains the tokens for a packet while the scan is in its midst waits for the
 * next round, which is what keeps the round robin below it fair. The scan stands still while two
 * packets are on their way out. Only the cycles in which something happens are computed.
 *
 * <p>What follows for rates: a bucket is used up to its size in one visit, gains for a round, 6.6
 * ticks, and what it cannot hold is lost. So a rate is kept exactly only when the bucket size is at
 * least 1599 + 8 * word, and no customer, tree or port passes much more than one bucket size a
 * round: 2000 bytes keep rates up to 50 Mbit/s and pass at most one full-size frame a round, 229
 * Mbit/s, whatever the word; 32,767 bytes keep rates up to 3.9 Gbit/s and pass about 5 Gbit/s.
 *
 * <p>Choices where the sources are silent:
 *
 * <ul>
 *   <li>Rate word 0 closes the gate at once: no packet passes on tokens that are left. They are
 *       still there when it opens.
 *   <li>A queue that holds more bytes than its customer's limit, or without one its class's,
 *       refuses a packet; the check comes before the packet is added, so a queue ends up over its
 *       limit by at most one packet.
 *   <li>A packet longer than the tokens leaves a debt. A level whose bucket size is below the MTU
 *       passes nothing.
 *   <li>The tick of 1248 cycles is common to all buckets. Idle time is told in 21 bits: see {@link
 *       TokenBuckets}.
 *   <li>A bucket that runs out remembers which child it served, and its next round starts behind
 *       that one: see {@link ScanOrder}.
 *   <li>Packets and bytes are counted when the packet leaves its queue, without prefix. Dropped
 *       packets are counted apart.
 *   <li>Queue ids that the build has not, packets with nothing behind the prefix and packets longer
 *       than a large buffer are dropped and counted.
 *   <li>A packet has a buffer until it has left on the line: see {@link PacketBuffers}. CoDel
 *       judges it when it is taken out of its queue: see {@link CodelQueues}; all that is dropped
 *       then is dropped in the same cycle.
 * </ul>
 *
 * <p>Beside the core in {@code fpga-driver/rtl}: the same packets are dropped and sent in the same
 * tick as long as the order of events within a tick makes no difference; within it a cycle of the
 * scan here is not a clock of the core's search.
 *
 * <p>Threads: {@link #receive} belongs to the thread that runs the simulation. Everything else may
 * be called by any thread; it takes {@link Simulation#lock()}, the one lock around registers,
 * queues and buckets.
 *
 * <p>More than 500 lines, because the scan, the buckets and the line are one automaton: their order
 * within a cycle is the model.
 */
public final class FpgaModel implements FrameReceiver {

  /** Default clock frequency, Hz. */
  public static final long DEFAULT_CLOCK_HZ = 156_250_000L;

  /** Default rate of the line back to the switch, bit/s. */
  public static final long DEFAULT_LINE_BPS = 100_000_000_000L;

  private static final int WINDOW_SHIFT = 5;
  private static final int BITS_PER_BYTE = 8;
  private static final int MAX_LEAVING = 2;
  private static final int FIRST_TREE_NODE = QueueNumbers.CUSTOMERS;
  private static final int FIRST_PORT_NODE = QueueNumbers.CUSTOMERS + QueueNumbers.TREES;
  private static final long NEVER = TokenBuckets.NEVER;

  private final Simulation simulation;
  private final FpgaBuild build;
  private final int windowsOfRound;
  private final FpgaClock clock;
  private final FrameReceiver output;
  private final LineClock line;

  private final FrameStore frames = new FrameStore();
  private final PacketQueues queues = new PacketQueues(frames);
  private final PacketBuffers buffers;
  private final CodelQueues codel = new CodelQueues();
  private final TokenBuckets customers;
  private final TokenBuckets trees;
  private final TokenBuckets ports;
  private final RegisterMap registers;
  private final int[] waitingCustomers = new int[QueueNumbers.TREES];
  private final int[] waitingTrees = new int[QueueNumbers.PORTS];
  private final ScanOrder order;
  private final TimingWheel wakes = new TimingWheel(FIRST_PORT_NODE + QueueNumbers.PORTS);

  // The scan is at scanPosition in cycle scanCycle and has found nothing since.
  private long scanCycle;
  private int scanPosition;
  // Before these cycles it is in the midst of a tree, or port, that it passes by.
  private long passTreeUntil;
  private long passPortUntil;
  // When and where the scan will next find a queue, given the present state; NEVER while it stands
  // still or no queue may send.
  private long hitCycle = NEVER;
  private int hitPosition;

  private int firstLeaving = FrameStore.NONE;
  private int leaving;

  private final EventHandler engineHandler = this::onEngine;
  private final EventHandler lineHandler = this::onSent;
  // Events that were scheduled before the current one have another number and are void.
  private long armedNanos = NEVER;
  private long engineEvent;
  private long lineEvent;

  private long receivedPackets;
  private long sentPackets;
  private long droppedPackets;
  private long noBufferPackets;
  private long codelPackets;
  private long malformedPackets;

  /** A full build with the default clock and line. */
  public FpgaModel(Simulation simulation, FrameReceiver output) {
    this(simulation, output, DEFAULT_CLOCK_HZ, DEFAULT_LINE_BPS);
  }

  /** A full build. */
  public FpgaModel(Simulation simulation, FrameReceiver output, long clockHz, long lineBps) {
    this(simulation, output, FpgaBuild.FULL, clockHz, lineBps);
  }

  /**
   * An FPGA as it is after power-on: every rate word 1, so next to nothing passes until registers
   * are written.
   *
   * @param output where packets go: the switch port they came from
   * @param clockHz clock frequency, 1 MHz to 1 GHz
   * @param lineBps rate of the line to the output, bit/s, 1..{@link LineClock#MAX_RATE_BPS}
   */
  public FpgaModel(
      Simulation simulation, FrameReceiver output, FpgaBuild build, long clockHz, long lineBps) {
    this.simulation = simulation;
    this.output = output;
    this.build = build;
    this.windowsOfRound = build.queues() >> WINDOW_SHIFT;
    this.buffers = new PacketBuffers(build);
    this.customers = new TokenBuckets(build.customers());
    this.trees = new TokenBuckets(build.trees());
    this.ports = new TokenBuckets(build.ports());
    this.order = new ScanOrder(build);
    this.clock = new FpgaClock(clockHz);
    this.line = new LineClock(lineBps);
    this.registers =
        new RegisterMap(
            build,
            queues,
            codel,
            (int) Math.round(clockHz / 1e3),
            this::statistic,
            order.turns(),
            customers,
            trees,
            ports);
    reset();
  }

  /** Clock frequency, Hz. */
  public long clockHz() {
    return clock.hz();
  }

  /**
   * Reads a register.
   *
   * @param address byte address, a multiple of 4
   * @return the word; 0xcafebabe where there is no register
   * @throws IllegalArgumentException when the address is not a multiple of 4
   */
  public int readRegister(int address) {
    return simulation.query(() -> registers.read(address));
  }

  /**
   * Writes a register; packets that may leave because of it do so at once.
   *
   * @param address byte address, a multiple of 4
   * @throws IllegalArgumentException when the address is not a multiple of 4
   */
  public void writeRegister(int address, int value) {
    simulation.execute(
        () -> {
          long cycle = clock.ceil(simulation.nowNanos());
          long tick = tick(cycle);
          registers.write(
              address,
              value,
              tick,
              new RegisterMap.Changes() {
                @Override
                public void rateChanged(int level, int index) {
                  refresh(level, index, tick);
                }

                @Override
                public void bucketSizeChanged(int level) {
                  refreshLevel(level, tick);
                }
              });
          plan(cycle);
        });
  }

  /** Packets refused by a full queue since the FPGA was made or reset. */
  public long droppedPackets(int queueId) {
    checkQueue(queueId);
    return simulation.query(() -> queues.droppedPackets(queueId));
  }

  /** Bytes waiting in a queue. */
  public long waitingBytes(int queueId) {
    checkQueue(queueId);
    return simulation.query(() -> queues.bytes(queueId));
  }

  /** Packets waiting in a queue. */
  public int waitingPackets(int queueId) {
    checkQueue(queueId);
    return simulation.query(() -> queues.packets(queueId));
  }

  /** The FPGA's statistics since it was made or reset. */
  public FpgaStatistics statistics() {
    return simulation.query(
        () ->
            new FpgaStatistics(
                receivedPackets,
                sentPackets,
                droppedPackets,
                noBufferPackets,
                codelPackets,
                malformedPackets,
                queues.waitingPackets(),
                queues.waitingBytes(),
                registers.strayAccesses()));
  }

  /** The statistics that registers show, in their order. */
  private int statistic(int register) {
    return (int)
        switch (register) {
          case 0 -> receivedPackets - malformedPackets;
          case 1 -> malformedPackets;
          case 2 -> noBufferPackets;
          case 3 -> droppedPackets;
          case 4 -> codelPackets;
          case 5 -> sentPackets + leaving;
          default -> 0L;
        };
  }

  /**
   * Turns the power off and on: registers have their power-on values, packets that waited are lost.
   */
  public void reset() {
    simulation.execute(
        () -> {
          long cycle = clock.ceil(simulation.nowNanos());
          queues.clear();
          while (firstLeaving != FrameStore.NONE) {
            int slot = firstLeaving;
            firstLeaving = frames.next(slot);
            frames.release(slot);
          }
          leaving = 0;
          lineEvent++;
          registers.reset();
          buffers.clear();
          codel.clear();
          customers.reset(tick(cycle));
          trees.reset(tick(cycle));
          ports.reset(tick(cycle));
          for (int i = 0; i < waitingCustomers.length; i++) {
            waitingCustomers[i] = 0;
          }
          for (int i = 0; i < waitingTrees.length; i++) {
            waitingTrees[i] = 0;
          }
          order.clear();
          wakes.clear();
          scanCycle = cycle;
          scanPosition = 0;
          passTreeUntil = 0;
          passPortUntil = 0;
          receivedPackets = 0;
          sentPackets = 0;
          droppedPackets = 0;
          noBufferPackets = 0;
          codelPackets = 0;
          malformedPackets = 0;
          plan(cycle);
        });
  }

  /** A packet arrives from the switch, prefix first. */
  @Override
  public void receive(byte[] bytes, int offset, int length, long tag, long nowNanos) {
    receivedPackets++;
    int packetBytes = length - QueueNumbers.PREFIX_BYTES;
    if (packetBytes <= 0 || packetBytes > FpgaBuild.LARGE_BYTES) {
      malformedPackets++;
      return;
    }
    int queueId =
        bytes[offset] << 24
            | (bytes[offset + 1] & 0xff) << 16
            | (bytes[offset + 2] & 0xff) << 8
            | bytes[offset + 3] & 0xff;
    if (queueId < 0 || queueId >= build.queues()) {
      malformedPackets++;
      return;
    }
    if (!buffers.hasRoom(packetBytes)) {
      noBufferPackets++;
      return;
    }
    if (queues.bytes(queueId) > registers.depthOf(queueId)) {
      droppedPackets++;
      queues.countDrop(queueId);
      return;
    }
    int slot = frames.put(bytes, offset + QueueNumbers.PREFIX_BYTES, packetBytes, tag);
    buffers.take(slot, packetBytes);
    boolean first = queues.packets(queueId) == 0;
    queues.append(queueId, slot);
    if (first) {
      long cycle = clock.ceil(nowNanos);
      activate(queueId, tick(cycle));
      plan(cycle);
    }
  }

  private void activate(int queueId, long tick) {
    int customer = QueueNumbers.customer(queueId);
    int tree = QueueNumbers.tree(queueId);
    int port = QueueNumbers.port(queueId);
    boolean newCustomer = !order.waits(customer);
    order.setWaiting(queueId, true);
    if (!newCustomer) {
      return;
    }
    customers.activate(customer, tick);
    if (waitingCustomers[tree]++ == 0) {
      trees.activate(tree, tick);
      if (waitingTrees[port]++ == 0) {
        ports.activate(port, tick);
        refreshPort(port, tick);
      }
      refreshTree(tree, tick);
    }
    refreshCustomer(customer, tick);
  }

  /** The last packet of a customer has left. */
  private void deactivate(int customer, long tick) {
    int tree = customer >> 6;
    int port = tree >> 6;
    customers.deactivate(customer, tick);
    order.setCustomerReady(customer, false);
    wakes.cancel(customer);
    if (--waitingCustomers[tree] == 0) {
      trees.deactivate(tree, tick);
      wakes.cancel(FIRST_TREE_NODE + tree);
      if (--waitingTrees[port] == 0) {
        ports.deactivate(port, tick);
        wakes.cancel(FIRST_PORT_NODE + port);
      }
    }
  }

  private void refresh(int level, int index, long tick) {
    if (level == 0 && customers.isLive(index)) {
      refreshCustomer(index, tick);
    } else if (level == 1 && trees.isLive(index)) {
      refreshTree(index, tick);
    } else if (level == 2 && ports.isLive(index)) {
      refreshPort(index, tick);
    }
  }

  private void refreshLevel(int level, long tick) {
    int entries = level == 0 ? build.customers() : level == 1 ? build.trees() : build.ports();
    for (int i = 0; i < entries; i++) {
      refresh(level, i, tick);
    }
  }

  private boolean refreshCustomer(int customer, long tick) {
    boolean ready = wakeWhenReady(customer, customers.readyTick(customer, tick), tick);
    order.setCustomerReady(customer, ready);
    return ready;
  }

  private boolean refreshTree(int tree, long tick) {
    boolean ready = wakeWhenReady(FIRST_TREE_NODE + tree, trees.readyTick(tree, tick), tick);
    order.setTreeOpen(tree, ready);
    return ready;
  }

  private boolean refreshPort(int port, long tick) {
    boolean ready = wakeWhenReady(FIRST_PORT_NODE + port, ports.readyTick(port, tick), tick);
    order.setPortOpen(port, ready);
    return ready;
  }

  private boolean wakeWhenReady(int node, long readyTick, long tick) {
    if (readyTick > tick && readyTick != NEVER) {
      wakes.set(node, readyTick);
    } else {
      wakes.cancel(node);
    }
    return readyTick == tick;
  }

  /** Finds the next thing to happen from a cycle on, after a change, and schedules it. */
  private void plan(long fromCycle) {
    findHit(fromCycle);
    arm(fromCycle);
  }

  /** Finds out when the scan will serve a queue next, if it looks on from a cycle. */
  private void findHit(long fromCycle) {
    hitCycle = NEVER;
    if (leaving == MAX_LEAVING) {
      return;
    }
    long cycle = Math.max(scanCycle, fromCycle);
    int position = positionAt(cycle);
    int from = position;
    if (cycle < passPortUntil) {
      from = order.nextPort(position);
    } else if (cycle < passTreeUntil) {
      from = order.nextTree(position);
    }
    int found = order.next(from);
    if (found != ScanOrder.NONE) {
      int windows = windows(from, found);
      // Behind where the search began, but in its window: the scan has to come round.
      hitCycle =
          cycle
              + windows(position, from)
              + (windows == 0 && found < from ? windowsOfRound : windows);
      hitPosition = found;
    }
  }

  private int windows(int from, int to) {
    return ((to >> WINDOW_SHIFT) - (from >> WINDOW_SHIFT)) & (windowsOfRound - 1);
  }

  /** Position of the scan in a cycle, if it has served no queue since it was last placed. */
  private int positionAt(long cycle) {
    return cycle == scanCycle
        ? scanPosition
        : (int) (((scanPosition >> WINDOW_SHIFT) + (cycle - scanCycle)) & (windowsOfRound - 1))
            << WINDOW_SHIFT;
  }

  /**
   * A tree has gained the tokens for a packet. If the scan is in the midst of it, it goes on to the
   * next: the tree's turns are only kept in order by passes from its beginning.
   */
  private void treeGained(int tree, long cycle) {
    if (leaving < MAX_LEAVING && cycle >= scanCycle) {
      int position = positionAt(cycle);
      if (order.treeAt(position) == tree && position != ScanOrder.treeStart(position)) {
        passTreeUntil = cycle + windows(position, order.nextTree(position));
      }
    }
  }

  /** As {@link #treeGained}, for a port. */
  private void portGained(int port, long cycle) {
    if (leaving < MAX_LEAVING && cycle >= scanCycle) {
      int position = positionAt(cycle);
      if (QueueNumbers.port(position) == port && position != ScanOrder.portStart(position)) {
        passPortUntil = cycle + windows(position, order.nextPort(position));
      }
    }
  }

  private void arm(long fromCycle) {
    long wakeTick = wakes.nextTick(tick(fromCycle));
    long cycle =
        wakeTick == NEVER ? hitCycle : Math.min(hitCycle, wakeTick * FpgaClock.CYCLES_PER_TICK);
    long atNanos = cycle == NEVER ? NEVER : Math.max(simulation.nowNanos(), clock.nanos(cycle));
    if (atNanos != armedNanos) {
      armedNanos = atNanos;
      engineEvent++;
      if (atNanos != NEVER) {
        simulation.schedule(atNanos, engineHandler, engineEvent);
      }
    }
  }

  private void onEngine(long nowNanos, long event) {
    if (event != engineEvent) {
      return;
    }
    armedNanos = NEVER;
    long now = clock.floor(nowNanos);
    long tick = tick(now);
    // The tick begins before the cycle's look.
    for (int node = wakes.first(tick); node != TimingWheel.NONE; node = wakes.first(tick)) {
      if (node >= FIRST_PORT_NODE) {
        refreshPort(node - FIRST_PORT_NODE, tick);
        portGained(node - FIRST_PORT_NODE, now);
      } else if (node >= FIRST_TREE_NODE) {
        refreshTree(node - FIRST_TREE_NODE, tick);
        treeGained(node - FIRST_TREE_NODE, now);
      } else {
        refreshCustomer(node, tick);
      }
    }
    findHit(now);
    if (hitCycle == now) {
      serve(now, nowNanos);
      findHit(now + 1);
    }
    arm(now);
  }

  private void serve(long cycle, long nowNanos) {
    long tick = tick(cycle);
    int queueId = order.queueAt(hitPosition);
    int customer = QueueNumbers.customer(queueId);
    int tree = QueueNumbers.tree(queueId);
    int port = QueueNumbers.port(queueId);
    dropByCodel(queueId, customers.word(customer), tick);
    int slot = queues.take(queueId);
    int length = frames.length(slot);
    scanCycle = cycle + 1;
    order.spend(queueId, length);
    order.breakOffCustomer(queueId);
    scanPosition = ScanOrder.customerStart(hitPosition);
    customers.spend(customer, length, tick);
    trees.spend(tree, length, tick);
    ports.spend(port, length, tick);
    boolean customerReady = refreshCustomer(customer, tick);
    boolean treeReady = refreshTree(tree, tick);
    boolean portReady = refreshPort(port, tick);
    if (!portReady) {
      order.breakOffPort(queueId);
      scanPosition = order.nextPort(hitPosition);
    } else if (!treeReady) {
      order.breakOffTree(queueId);
      scanPosition = order.nextTree(hitPosition);
    } else if (!customerReady) {
      scanPosition = order.nextCustomer(hitPosition);
    }
    if (queues.packets(queueId) == 0) {
      order.setWaiting(queueId, false);
      if (!order.waits(customer)) {
        deactivate(customer, tick);
      }
    }
    send(slot, nowNanos);
  }

  /** CoDel leaves a packet to send: it drops none that leaves an MTU or less. */
  private void dropByCodel(int queueId, int word, long tick) {
    while (codel.drops(
        queueId, queues.bytes(queueId), frames.length(queues.first(queueId)), word, tick)) {
      int slot = queues.remove(queueId);
      codelPackets++;
      buffers.give(slot);
      frames.release(slot);
    }
  }

  private void send(int slot, long nowNanos) {
    if (leaving++ == 0) {
      firstLeaving = slot;
      startLine(nowNanos);
    } else {
      frames.setNext(firstLeaving, slot);
    }
  }

  private void startLine(long nowNanos) {
    long sentNanos = line.send(nowNanos, (long) frames.length(firstLeaving) * BITS_PER_BYTE);
    simulation.schedule(sentNanos, lineHandler, ++lineEvent);
  }

  private void onSent(long nowNanos, long event) {
    if (event != lineEvent) {
      return;
    }
    int slot = firstLeaving;
    firstLeaving = frames.next(slot);
    boolean stoodStill = leaving == MAX_LEAVING;
    leaving--;
    sentPackets++;
    buffers.give(slot);
    if (leaving > 0) {
      startLine(nowNanos);
    }
    if (stoodStill) {
      long cycle = clock.ceil(nowNanos);
      scanCycle = Math.max(scanCycle, cycle);
      plan(cycle);
    }
    output.receive(frames.bytes(slot), 0, frames.length(slot), frames.tag(slot), nowNanos);
    frames.release(slot);
  }

  private static long tick(long cycle) {
    return cycle / FpgaClock.CYCLES_PER_TICK;
  }

  private static void checkQueue(int queueId) {
    if (queueId < 0 || queueId >= QueueNumbers.QUEUES) {
      throw new IllegalArgumentException(
          "queueId " + queueId + ": must be 0.." + (QueueNumbers.QUEUES - 1));
    }
  }
}
