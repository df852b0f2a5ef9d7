package net.sluice.it.corpus;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import net.sluice.emulator.v1model.program.Expr;
import net.sluice.emulator.v1model.program.Primitive;
import net.sluice.emulator.v1model.program.Program;
import p4.config.v1.P4InfoOuterClass;
import p4.config.v1.P4InfoOuterClass.MeterSpec;
import p4.config.v1.P4InfoOuterClass.P4Info;
import p4.v1.P4RuntimeOuterClass.CloneSessionEntry;
import p4.v1.P4RuntimeOuterClass.DigestEntry;
import p4.v1.P4RuntimeOuterClass.Entity;
import p4.v1.P4RuntimeOuterClass.Index;
import p4.v1.P4RuntimeOuterClass.MeterConfig;
import p4.v1.P4RuntimeOuterClass.MeterEntry;
import p4.v1.P4RuntimeOuterClass.MulticastGroupEntry;
import p4.v1.P4RuntimeOuterClass.PacketReplicationEngineEntry;
import p4.v1.P4RuntimeOuterClass.Replica;
import p4.v1.P4RuntimeOuterClass.Update;

/**
 * Random writes to what is no table: multicast groups and clone sessions with the numbers that the
 * program or an entry may name, cells of meters, and every digest.
 */
final class RandomResources {

  private static final int NUMBERS = 8;

  /** From 1: in the messages in use bmv2 takes 0 for none. */
  private static final int PORTS = 7;

  private static final int REPLICAS = 4;
  private static final int CELLS = 8;

  /** Above this bmv2 has no clone sessions. */
  private static final int MOST_SESSION = 32_767;

  private static final int MOST_GROUP = 65_535;

  /** Tokens a second: any bucket is full again after a microsecond. */
  private static final long AT_ONCE = 10_000_000_000L;

  private final Program program;
  private final P4Info info;
  private final Random random;

  RandomResources(Program program, P4Info info, Random random) {
    this.program = program;
    this.info = info;
    this.random = random;
  }

  List<Update> next() {
    List<Update> updates = new ArrayList<>();
    for (long session : numbers(Primitive.Clone.class, MOST_SESSION)) {
      updates.add(
          replication(
              PacketReplicationEngineEntry.newBuilder()
                  .setCloneSessionEntry(
                      CloneSessionEntry.newBuilder()
                          .setSessionId((int) session)
                          .addAllReplicas(replicas()))));
    }
    for (long group : numbers(Primitive.Assign.class, MOST_GROUP)) {
      updates.add(
          replication(
              PacketReplicationEngineEntry.newBuilder()
                  .setMulticastGroupEntry(
                      MulticastGroupEntry.newBuilder()
                          .setMulticastGroupId((int) group)
                          .addAllReplicas(replicas()))));
    }
    for (P4InfoOuterClass.Digest digest : info.getDigestsList()) {
      updates.add(
          RandomEntries.update(
              Update.Type.INSERT,
              Entity.newBuilder()
                  .setDigestEntry(
                      DigestEntry.newBuilder()
                          .setDigestId(digest.getPreamble().getId())
                          // Each message at once, alone, and again when it comes again.
                          .setConfig(DigestEntry.Config.newBuilder().setMaxListSize(1)))
                  .build()));
    }
    for (P4InfoOuterClass.Meter meter : info.getMetersList()) {
      meter(meter, updates);
    }
    return updates;
  }

  private static Update replication(PacketReplicationEngineEntry.Builder entry) {
    return RandomEntries.update(
        Update.Type.INSERT, Entity.newBuilder().setPacketReplicationEngineEntry(entry).build());
  }

  /** Small numbers, and those that are constants of the program. */
  private Collection<Long> numbers(Class<? extends Primitive> where, long most) {
    TreeSet<Long> numbers = new TreeSet<>();
    for (Program.Action action : program.actions()) {
      for (Primitive primitive : action.body()) {
        Expr number = where.isInstance(primitive) ? number(primitive) : null;
        if (number instanceof Expr.Constant) {
          numbers.add(((Expr.Constant) number).value().longValue());
        }
      }
    }
    for (long number = 1; number < NUMBERS; number++) {
      numbers.add(number);
    }
    numbers.removeIf(number -> number < 1 || number > most);
    return numbers;
  }

  private static Expr number(Primitive primitive) {
    if (primitive instanceof Primitive.Clone) {
      return ((Primitive.Clone) primitive).session();
    }
    Primitive.Assign assign = (Primitive.Assign) primitive;
    return assign.target().field().name().equals("mcast_grp") ? assign.value() : null;
  }

  private List<Replica> replicas() {
    List<Replica> replicas = new ArrayList<>();
    int first = random.nextInt(PORTS);
    int count = random.nextInt(REPLICAS);
    for (int i = 0; i < count; i++) {
      replicas.add(
          Replica.newBuilder()
              .setEgressPort(1 + (first + i) % PORTS)
              .setInstance(random.nextInt(3))
              .build());
    }
    return replicas;
  }

  private void meter(P4InfoOuterClass.Meter meter, List<Update> updates) {
    for (int cell = 0; cell < Math.min(CELLS, meter.getSize()); cell++) {
      if (random.nextInt(4) > 0) {
        updates.add(
            RandomEntries.update(
                Update.Type.MODIFY,
                Entity.newBuilder()
                    .setMeterEntry(
                        MeterEntry.newBuilder()
                            .setMeterId(meter.getPreamble().getId())
                            .setIndex(Index.newBuilder().setIndex(cell))
                            .setConfig(config(meter.getSpec(), random)))
                    .build()));
      }
    }
  }

  /**
   * A configuration whose colours do not depend on when packets come: buckets are never filled
   * again, or at once.
   */
  static MeterConfig config(MeterSpec spec, Random random) {
    boolean peak = random.nextBoolean();
    boolean committed = peak && random.nextBoolean();
    return MeterConfig.newBuilder()
        .setCir(committed ? AT_ONCE : 0)
        .setCburst(burst(spec, committed, random))
        .setPir(peak ? AT_ONCE : 0)
        .setPburst(burst(spec, peak, random))
        .build();
  }

  private static int burst(MeterSpec spec, boolean atOnce, Random random) {
    if (spec.getUnit() == MeterSpec.Unit.BYTES) {
      return random.nextInt(atOnce ? 100 : 1_000);
    }
    return atOnce ? random.nextInt(2) : random.nextInt(20);
  }
}
