package net.sluice.it.onos;

import io.grpc.ManagedChannel;
import io.grpc.ManagedChannelBuilder;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import net.sluice.intents.plan.Table;
import net.sluice.intents.plan.entry.subscriber.SubscriberPrefixEntry;
import net.sluice.pipeconf.V1ModelPipeline;
import net.sluice.pipeconf.table.DecodedEntry;
import net.sluice.testing.Patience;
import p4.v1.P4RuntimeGrpc;
import p4.v1.P4RuntimeOuterClass.Entity;
import p4.v1.P4RuntimeOuterClass.ReadRequest;
import p4.v1.P4RuntimeOuterClass.TableEntry;

/** Entries that a switch itself says it has. */
final class SwitchContent {
  private static final V1ModelPipeline PIPELINE = V1ModelPipeline.load();

  private SwitchContent() {}

  /** All entries of a table of the switch that listens on a port of 127.0.0.1. */
  static List<Entity> read(int port, Table table) throws InterruptedException {
    return read(port, PIPELINE.entries().readAll(table));
  }

  /** All entries of all tables of that switch. */
  static Set<Entity> all(int port) throws InterruptedException {
    return Set.copyOf(
        read(
            port,
            List.of(Entity.newBuilder().setTableEntry(TableEntry.getDefaultInstance()).build())));
  }

  private static List<Entity> read(int port, Iterable<Entity> wanted) throws InterruptedException {
    ManagedChannel channel =
        ManagedChannelBuilder.forAddress("127.0.0.1", port).usePlaintext().build();
    try {
      List<Entity> entries = new ArrayList<>();
      P4RuntimeGrpc.newBlockingStub(channel)
          .withDeadlineAfter(Patience.SECONDS, TimeUnit.SECONDS)
          .read(ReadRequest.newBuilder().setDeviceId(1).addAllEntities(wanted).build())
          .forEachRemaining(part -> entries.addAll(part.getEntitiesList()));
      return entries;
    } finally {
      channel.shutdownNow().awaitTermination(10, TimeUnit.SECONDS);
    }
  }

  /** The IPv4 prefixes whose subscribers that switch serves. */
  static Set<String> prefixes(int port) throws InterruptedException {
    Set<String> prefixes = new TreeSet<>();
    for (Entity entity : read(port, Table.IPV4_PREFIX)) {
      if (PIPELINE.entries().decode(entity) instanceof DecodedEntry.Known known
          && known.entry() instanceof SubscriberPrefixEntry of) {
        prefixes.add(of.prefix().toString());
      } else {
        throw new AssertionError(
            "the switch at port " + port + " has an entry of no subscriber: " + entity);
      }
    }
    return prefixes;
  }
}
