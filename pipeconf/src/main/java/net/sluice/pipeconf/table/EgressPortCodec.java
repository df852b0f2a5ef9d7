package net.sluice.pipeconf.table;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import net.sluice.intents.plan.SwitchEntry.EgressPortEntry;
import net.sluice.pipeconf.p4info.ActionDescriptor;
import net.sluice.pipeconf.p4info.EgressPortTable;
import net.sluice.pipeconf.p4info.MatchField;
import net.sluice.pipeconf.p4info.ParamDescriptor;
import net.sluice.pipeconf.p4info.RewriteAction;
import net.sluice.pipeconf.p4info.TableDescriptor;
import net.sluice.pipeconf.p4info.TnaEgressPortTable;
import net.sluice.pipeconf.p4info.TnaRewriteAction;
import p4.v1.P4RuntimeOuterClass.Action;
import p4.v1.P4RuntimeOuterClass.TableEntry;

/**
 * {@code EgressPort}: addresses of frames leaving a port, and whether they keep value and priority.
 */
final class EgressPortCodec extends TableCodec<EgressPortEntry> {
  private final ExactField port;
  private final ActionDescriptor rewrite;
  private final ActionParam source;
  private final ActionParam destination;
  private final ActionParam keep;

  /** Empty where the program keeps no priorities. */
  private final Optional<ActionParam> priorityTag;

  private EgressPortCodec(
      TableDescriptor table,
      MatchField.Exact egressPort,
      ActionDescriptor rewrite,
      ParamDescriptor source,
      ParamDescriptor destination,
      ParamDescriptor keep,
      Optional<ParamDescriptor> priorityTag) {
    super(table, EgressPortEntry.class);
    this.port = new ExactField(egressPort, "port");
    this.rewrite = rewrite;
    this.source = new ActionParam(source, "sourceMac");
    this.destination = new ActionParam(destination, "destinationMac");
    this.keep = new ActionParam(keep, "keepPacketValue");
    this.priorityTag = priorityTag.map(param -> new ActionParam(param, "priorityTag"));
  }

  static EgressPortCodec of(EgressPortTable table) {
    RewriteAction rewrite = table.rewrite();
    return new EgressPortCodec(
        table,
        table.egressPort(),
        rewrite,
        rewrite.srcMac(),
        rewrite.dstMac(),
        rewrite.keepPv(),
        Optional.of(rewrite.priorityTag()));
  }

  static EgressPortCodec of(TnaEgressPortTable table) {
    TnaRewriteAction rewrite = table.rewrite();
    return new EgressPortCodec(
        table,
        table.egressPort(),
        rewrite,
        rewrite.srcMac(),
        rewrite.dstMac(),
        rewrite.keepPv(),
        Optional.empty());
  }

  @Override
  void match(EgressPortEntry entry, TableEntry.Builder into) {
    into.addMatch(port.of(entry.port()));
  }

  @Override
  Action action(EgressPortEntry entry) {
    List<Action.Param> params = new ArrayList<>();
    params.add(source.of(entry.sourceMac()));
    params.add(destination.of(entry.destinationMac()));
    params.add(keep.of(entry.keepPacketValue()));
    priorityTag.ifPresent(param -> params.add(param.of(entry.priorityTag())));
    return action(rewrite, params.toArray(Action.Param[]::new));
  }

  @Override
  EgressPortEntry read(TableEntry entry, Action action) {
    return new EgressPortEntry(
        port.readInt(entry),
        source.read(action),
        destination.read(action),
        keep.readBoolean(action),
        priorityTag.isPresent() && priorityTag.get().readBoolean(action));
  }
}
