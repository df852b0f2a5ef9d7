package net.sluice.rest.contract;

import io.swagger.v3.oas.annotations.media.ArraySchema;
import io.swagger.v3.oas.annotations.media.Schema;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import net.sluice.core.InstallSummary.SessionState;
import net.sluice.core.declaration.Bodies.AqmBody;
import net.sluice.core.declaration.Bodies.PolicyBody;
import net.sluice.core.declaration.Bodies.RateLimitBody;
import net.sluice.core.declaration.Bodies.RioBody;
import net.sluice.core.declaration.Bodies.SubscriberBody;
import net.sluice.core.declaration.Bodies.TariffBody;
import net.sluice.intents.model.Kind;
import net.sluice.intents.value.Direction;
import net.sluice.northbound.caller.Role;

/** The forms of answers about the controller, its targets and their queues. */
public final class Statuses {
  static final String PORT_SESSION =
      "The gNMI session that tells of the ports; absent," + " with ports, without gNMI.";

  private Statuses() {}

  /** The controller's status. */
  @Schema(
      description =
          "How far the targets have got. With one switch what is known of it is here, with several"
              + " it is in switches.")
  public record Status(
      @Schema(
              description =
                  "Whether the store is writable and every target holds what is declared.")
          boolean allInstalled,
      @ArraySchema(
              arraySchema =
                  @Schema(description = "What changes need and lack; while it does they get 503."))
          Optional<List<Lack>> lacking,
      @ArraySchema(arraySchema = @Schema(description = "What the host tells operators."))
          Optional<List<String>> notes,
      @Schema(description = "The store.") Store store,
      @ArraySchema(arraySchema = @Schema(description = "All targets.")) List<Target> targets,
      @Schema(
              description = PORT_SESSION,
              allowableValues = {"CONNECTING", "READY", "CLOSED"})
          Optional<String> portSession,
      @Schema(description = "What the session lacks.") Optional<String> portDetail,
      @ArraySchema(arraySchema = @Schema(description = "The topology's ports."))
          Optional<List<Port>> ports,
      @Schema(description = "Subscribers that the switch serves until another one does.")
          Optional<Long> leaving,
      @Schema(description = "Declarations stored for the switch and not in force.")
          Optional<Long> conflicts,
      @ArraySchema(arraySchema = @Schema(description = "How full the switch is."))
          Optional<List<TableUse>> tables,
      @ArraySchema(arraySchema = @Schema(description = "Of several switches, each."))
          Optional<List<SwitchStatus>> switches) {}

  /** The operations. */
  @Schema(description = "The operations, the newest first.")
  public record Operations(
      @ArraySchema(arraySchema = @Schema(description = "All that are told."))
          List<Operation> operations) {}

  /** A request that was answered 202 and goes on. */
  @Schema(description = "A request that was answered 202 and goes on, or has ended.")
  public record Operation(
      @Schema(description = "Its id.") String id,
      @Schema(description = "The request's method and path.") String request,
      @Schema(
              description = "Whether it goes on, has ended with a result, or with a problem.",
              allowableValues = {"running", "done", "failed"})
          String state,
      @Schema(description = "When it was taken in.") Instant startedAt,
      @Schema(description = "When it ended.") Optional<Instant> endedAt,
      @Schema(description = "Of a bulk request, or of a tariff's change: how far it is.")
          Optional<Progress> progress,
      @Schema(description = "Once it has ended: the status that the answer would have had.")
          Optional<Integer> status,
      @Schema(
              description =
                  "Once it is done: what would have been the answer; of a bulk request its"
                      + " numbers, of a target how it differed.",
              types = {"object"})
          Optional<Object> result,
      @Schema(description = "Once it has failed: why.") Optional<Answers.Problem> problem) {}

  /** How far a bulk request, or the change of a tariff, is. */
  @Schema(description = "How far a bulk request, or the change of a tariff, is.")
  public record Progress(
      @Schema(description = "Lines, or subscribers under the tariff, that are done.") long lines,
      @Schema(description = "Of a tariff's change: how many subscribers there are under it.")
          Optional<Long> of) {}

  /** The status of one switch of several. */
  @Schema(description = "The status of one switch of several.")
  public record SwitchStatus(
      @Schema(name = "switch", description = "Its id.") String switchName,
      @Schema(
              description = PORT_SESSION,
              allowableValues = {"CONNECTING", "READY", "CLOSED"})
          Optional<String> portSession,
      @Schema(description = "What the session lacks.") Optional<String> portDetail,
      @ArraySchema(arraySchema = @Schema(description = "The topology's ports."))
          Optional<List<Port>> ports,
      @Schema(description = "Subscribers that the switch serves until another one does.")
          Optional<Long> leaving,
      @Schema(description = "Declarations stored for the switch and not in force.")
          Optional<Long> conflicts,
      @ArraySchema(arraySchema = @Schema(description = "How full the switch is."))
          List<TableUse> tables) {}

  /** Something without which changes are refused. */
  @Schema(description = "Something without which changes are refused.")
  public record Lack(
      @Schema(description = "Its name, such as store or free-space.") String need,
      @Schema(description = "What is the matter with it.") String reason) {}

  /** The controller's store. */
  @Schema(description = "The controller's store.")
  public record Store(
      @Schema(
              description = "FAILED: changes are answered with 503 until it can be written again.",
              allowableValues = {"WRITABLE", "FAILED"})
          String state,
      @Schema(description = "The store's own words.") Optional<String> error,
      @Schema(description = "When it failed.") Optional<Instant> since,
      @Schema(description = "When it is tried again.") Optional<Instant> next) {}

  /** How a target is. */
  @Schema(description = "How a target is.")
  public record Target(
      @Schema(
              description =
                  "switch, fpga-down or fpga-up, in a network with the name of its switch.")
          String target,
      @Schema(description = "The session with it.") SessionState session,
      @Schema(description = "Why the session is not ready.") Optional<String> detail,
      @Schema(description = "Declarations that it holds.", minimum = "0") long installed,
      @Schema(description = "Declarations on their way.", minimum = "0") long pending,
      @Schema(description = "Declarations that it refused.", minimum = "0") long failed,
      @Schema(description = "Writes not yet sent.", minimum = "0") long queuedWrites,
      @Schema(description = "Writes sent and not answered.", minimum = "0") long inFlightWrites,
      @Schema(description = "Of a switch that can shape: the gate agent beside it, or none.")
          Optional<String> agent) {}

  /** All targets. */
  @Schema(description = "All targets.")
  public record Targets(
      @ArraySchema(arraySchema = @Schema(description = "Each target.")) List<Target> targets) {}

  /** A port of a switch. */
  @Schema(description = "A port of a switch.")
  public record Port(
      @Schema(description = "Its number.", minimum = "0") int port,
      @Schema(description = "The switch's name for it.") Optional<String> name,
      @Schema(
              description = "UNKNOWN while there is no session.",
              allowableValues = {"UP", "DOWN", "UNKNOWN"})
          String state,
      @Schema(description = "Whether it is meant to be up.") Optional<Boolean> enabled,
      @Schema(description = "When the controller saw it become so.") Optional<Instant> since,
      @Schema(description = "Its speed, or the topology's rate, bit/s.", minimum = "0")
          long rateBps,
      @Schema(description = "What came in between the last two samples, bit/s.")
          Optional<Long> inBps,
      @Schema(description = "What went out between them, bit/s.") Optional<Long> outBps,
      @Schema(description = "outBps as a part of rateBps.") Optional<Double> utilisation,
      @Schema(description = "Bytes that came in.") Optional<Long> inOctets,
      @Schema(description = "Bytes that went out.") Optional<Long> outOctets,
      @Schema(description = "Packets in that were discarded.") Optional<Long> inDiscards,
      @Schema(description = "Packets out that were discarded.") Optional<Long> outDiscards,
      @Schema(description = "Broken packets in.") Optional<Long> inErrors,
      @Schema(description = "Packets that could not be sent.") Optional<Long> outErrors,
      @Schema(description = "What was wanted of the port and not got.") Optional<String> note) {}

  /** How full a table is. */
  @Schema(description = "How full a resource of the switch is.")
  public record TableUse(
      @Schema(description = "The resource, such as subscribers or ipv4-prefixes.") String resource,
      @Schema(description = "Entries in use.", minimum = "0") long used,
      @Schema(description = "Entries that there are.", minimum = "0") long size,
      @Schema(description = "From 90 % on: nearly full, or full.") Optional<String> note) {}

  /** How a target differed from what is declared. */
  @Schema(description = "How a target differed when it was last compared with what is declared.")
  public record Drift(
      @Schema(description = "The target.") String target,
      @Schema(description = "When everything was read; absent before the first comparison.")
          Optional<Instant> comparedAt,
      @Schema(description = "How long that took, milliseconds.") Optional<Long> tookMillis,
      @Schema(description = "Entries read.") Optional<Long> read,
      @Schema(description = "Of these, what Sluice would never write.") Optional<Long> malformed,
      @Schema(description = "Number of the store's last commit for the switch.")
          Optional<Long> revision,
      @Schema(description = "Number of the last commit that the target knows of.")
          Optional<Long> revisionKept,
      @ArraySchema(arraySchema = @Schema(description = "The tables with a difference."))
          List<TableDrift> tables,
      @Schema(description = "The writes that followed.") Repairs repairs) {}

  /** How one table differed. */
  @Schema(description = "How one table differed.")
  public record TableDrift(
      @Schema(description = "The table.") String table,
      @Schema(description = "Entries held and not declared.", minimum = "0") long foreign,
      @Schema(description = "Entries declared and not held.", minimum = "0") long missing,
      @Schema(description = "Entries held with other data.", minimum = "0") long changed,
      @ArraySchema(arraySchema = @Schema(description = "Up to five of each."))
          List<Sample> samples) {}

  /** One difference. */
  @Schema(description = "One difference, in words for people.")
  public record Sample(
      @Schema(
              description = "Which difference it is.",
              allowableValues = {"foreign", "missing", "changed"})
          String difference,
      @Schema(description = "What is held.") Optional<String> held,
      @Schema(description = "What is declared.") Optional<String> declared) {}

  /** Writes that corrected a target. */
  @Schema(description = "Writes that corrected a target.")
  public record Repairs(
      @Schema(description = "Writes sent.", minimum = "0") long written,
      @Schema(description = "Of these, acknowledged.", minimum = "0") long done,
      @Schema(description = "Of these, refused.", minimum = "0") long failed) {}

  /** The queues whose delay is managed. */
  @Schema(description = "The class queues whose delay is managed.")
  public record Queues(
      @ArraySchema(arraySchema = @Schema(description = "Each queue.")) List<Queue> queues,
      @ArraySchema(arraySchema = @Schema(description = "Switches that cannot be read."))
          Optional<List<Unread>> unread) {}

  /** The packets that switches have dropped. */
  @Schema(description = "The packets that switches have dropped.")
  public record Drops(
      @ArraySchema(arraySchema = @Schema(description = "By switch and reason."))
          List<Dropped> drops,
      @ArraySchema(arraySchema = @Schema(description = "Switches that cannot be read."))
          Optional<List<Unread>> unread) {}

  /** The packets that a switch has dropped for a reason. */
  @Schema(description = "Packets dropped for a reason since the program was loaded.")
  public record Dropped(
      @Schema(name = "switch", description = "Of several switches, which.")
          Optional<String> switchName,
      @Schema(description = "Why, such as suspended.") String reason,
      @Schema(description = "Number of packets.", minimum = "0") long packets,
      @Schema(description = "Bytes of these.", minimum = "0") long bytes) {}

  /** The ends of wires. */
  @Schema(description = "The ends of wires.")
  public record Wires(
      @ArraySchema(arraySchema = @Schema(description = "Each end.")) List<WireEnd> wires,
      @ArraySchema(arraySchema = @Schema(description = "Switches that cannot be read."))
          Optional<List<Unread>> unread) {}

  /** An end of a wire. */
  @Schema(description = "An end of a wire, with what enters there and is no subscriber's.")
  public record WireEnd(
      @Schema(name = "switch", description = "Of several switches, which.")
          Optional<String> switchName,
      @Schema(description = "The switch port.", minimum = "0") int port,
      @Schema(description = "The port at the other end.", minimum = "0") int partner,
      @Schema(description = "Which way frames go that enter there.") Direction direction,
      @Schema(description = "What belongs to no subscriber.") UnknownCounters unknown) {}

  /** Traffic of a wire that belongs to no subscriber. */
  @Schema(description = "Packets and bytes of no subscriber since the program was loaded.")
  public record UnknownCounters(
      @Schema(description = "Packets that entered.", minimum = "0") Optional<Long> packetsIn,
      @Schema(description = "Bytes of these.", minimum = "0") Optional<Long> bytesIn,
      @Schema(description = "Packets that left.", minimum = "0") long packetsOut,
      @Schema(description = "Bytes of these.", minimum = "0") long bytesOut,
      @Schema(description = "Packets above the wire's limit.", minimum = "0")
          Optional<Long> packetsPoliced,
      @Schema(description = "Bytes of these.", minimum = "0") Optional<Long> bytesPoliced) {}

  /** Next hops that are given by their IP addresses. */
  @Schema(description = "Next hops that are given by their IP addresses.")
  public record NextHops(
      @ArraySchema(arraySchema = @Schema(description = "Each next hop.")) List<NextHop> nextHops) {}

  /** A next hop that is given by its IP address. */
  @Schema(description = "A next hop that is given by its IP address.")
  public record NextHop(
      @Schema(name = "switch", description = "Of several switches, which.")
          Optional<String> switchName,
      @Schema(description = "The switch port that it is behind.", minimum = "0") int port,
      @Schema(description = "Its IP address.") String address,
      @Schema(
              description =
                  "Whether it answers: resolving until that is known, when packets go where it was"
                      + " last, resolved, or unanswered, when packets to it are dropped.",
              allowableValues = {"resolving", "resolved", "unanswered"})
          String state,
      @Schema(description = "When that began.", format = "date-time") String since,
      @Schema(description = "Its MAC address, if packets go there.") Optional<String> mac,
      @Schema(description = "Requests since its last answer.", minimum = "0") int unanswered,
      @Schema(description = "When it is asked again.", format = "date-time") String nextRequest,
      @Schema(
              description =
                  "Packets dropped for want of it since the program was loaded; absent if the"
                      + " switch cannot be read.",
              minimum = "0")
          Optional<Long> packetsDropped,
      @Schema(description = "Bytes of these.", minimum = "0") Optional<Long> bytesDropped) {}

  /** A queue whose delay is managed. */
  @Schema(description = "A managed queue, with counters since the program was loaded.")
  public record Queue(
      @Schema(name = "switch", description = "Of several switches, which.")
          Optional<String> switchName,
      @Schema(description = "The switch port.", minimum = "0") int port,
      @Schema(description = "Its class queue.", minimum = "0") int queue,
      @Schema(description = "How it is managed.") AqmBody aqm,
      @Schema(description = "The policy that says so, one of several that agree.")
          Optional<String> policy,
      @Schema(description = "Packets dropped to keep the delay down.", minimum = "0")
          long droppedPackets,
      @Schema(description = "Bytes of these.", minimum = "0") long droppedBytes,
      @Schema(description = "Packets marked instead.", minimum = "0") long markedPackets,
      @Schema(description = "Bytes of these.", minimum = "0") long markedBytes,
      @Schema(description = "How often the delay has reached the target.", minimum = "0")
          long cycles,
      @Schema(description = "Packets that passed egress once more.", minimum = "0")
          long mirroredPackets,
      @Schema(description = "RIO before it; aqm is none then.") Optional<RioBody> rio,
      @Schema(description = "Of a queue with RIO, packets by their mark.")
          Optional<RioPackets> rioPackets) {}

  /** Packets that RIO let into a queue or dropped. */
  @Schema(description = "Packets that RIO let into a queue or dropped.")
  public record RioPackets(
      @Schema(description = "Within their contract, let in.", minimum = "0") long passedIn,
      @Schema(description = "Within their contract, dropped.", minimum = "0") long droppedIn,
      @Schema(description = "Others, let in.", minimum = "0") long passedOut,
      @Schema(description = "Others, dropped.", minimum = "0") long droppedOut) {}

  /** A switch that cannot be read. */
  @Schema(description = "A switch that cannot be read.")
  public record Unread(
      @Schema(name = "switch", description = "Its id.") String switchName,
      @Schema(description = "Why.") String error) {}

  /** Declarations that are stored and not in force. */
  @Schema(description = "Declarations that are stored for a switch and not in force.")
  public record Conflicts(
      @Schema(description = "Number of all.", minimum = "0") long total,
      @ArraySchema(arraySchema = @Schema(description = "The first of them.")) List<Conflict> items,
      @ArraySchema(arraySchema = @Schema(description = "Switches that could not be taken in."))
          Optional<List<LeftOut>> switchesLeftOut) {}

  /** A declaration that is stored and not in force. */
  @Schema(description = "A declaration that is stored for a switch and not in force.")
  public record Conflict(
      @Schema(name = "switch", description = "The switch.") String switchName,
      @Schema(
              description = "The kind of the declaration, as in paths.",
              allowableValues = {"policies", "subscribers", "rate-limits", "tariffs"})
          String kind,
      @Schema(description = "Its id.") String id,
      @Schema(description = "Why it is not in force.") String reason,
      @Schema(
              description = "The declaration, as PUT of its kind takes it.",
              oneOf = {
                PolicyBody.class,
                SubscriberBody.class,
                RateLimitBody.class,
                TariffBody.class
              })
          Object declared) {}

  /** A switch that could not be taken into the network. */
  @Schema(description = "A switch that could not be taken into the network.")
  public record LeftOut(
      @Schema(name = "switch", description = "Its id.") String switchName,
      @Schema(description = "Why.") String reason) {}

  /** Lines of the audit log. */
  @Schema(description = "Lines of the audit log.")
  public record AuditLines(
      @Schema(description = "The lowest sequence number that is kept.") long first,
      @Schema(description = "The highest sequence number.") long last,
      @ArraySchema(
              arraySchema =
                  @Schema(
                      description =
                          "The lines; fewer than asked for where they are long. Others follow the"
                              + " last of them unless its seq is last."))
          List<AuditLine> items) {}

  /** One line of the audit log. */
  @Schema(description = "One line of the audit log: a change that was asked for, or its outcome.")
  public record AuditLine(
      @Schema(description = "Its sequence number.", minimum = "1") long seq,
      @Schema(description = "When it was written.") Instant at,
      @Schema(description = "The caller's name.") Optional<String> who,
      @Schema(description = "The caller's role.") Optional<Role> role,
      @Schema(description = "The caller's address.") Optional<String> from,
      @Schema(description = "The request's X-Request-Id.") Optional<String> request,
      @Schema(description = "The request's method.") Optional<String> method,
      @Schema(description = "The request's path.") Optional<String> path,
      @Schema(
              description = "What was in force as it was asked, null for nothing.",
              types = {"object", "null"})
          Optional<Object> before,
      @Schema(
              description = "The body.",
              types = {"object", "array", "string", "number", "boolean", "null"})
          Optional<Object> after,
      @Schema(description = "Bytes of a body that is no JSON.") Optional<Long> malformedBytes,
      @Schema(description = "Whether the lines of a bulk request are made together or not at all.")
          Optional<Boolean> atomic,
      @ArraySchema(arraySchema = @Schema(description = "Lines of a bulk request."))
          Optional<List<AuditedChange>> changes,
      @Schema(
              description =
                  "Of a bulk request that goes on after its answer, and of the outcome of any"
                      + " request that did: the id of its operation.")
          Optional<String> operation,
      @Schema(description = "Of an outcome: the number of the line that it is of.")
          Optional<Long> of,
      @Schema(
              description = "What came of it.",
              allowableValues = {"made", "refused", "failed", "ended", "interrupted"})
          Optional<String> outcome,
      @Schema(description = "The answer's status.") Optional<Integer> status,
      @ArraySchema(arraySchema = @Schema(description = "Lines that were not done."))
          Optional<List<NotMade>> notMade,
      @Schema(
              description = "Of what was interrupted: what is in force as the next process starts.",
              types = {"object", "array", "string", "number", "boolean", "null"})
          Optional<Object> inForce) {}

  /** A line of a bulk request in the audit log. */
  @Schema(description = "A line of a bulk request in the audit log.")
  public record AuditedChange(
      @Schema(description = "Its number.", minimum = "1") long line,
      @Schema(
              description = "What is done with the declaration.",
              allowableValues = {"put", "delete"})
          String op,
      @Schema(description = "The kind of the declaration.") Kind kind,
      @Schema(description = "Its id.") String id,
      @Schema(
              description = "What was in force, null for nothing.",
              types = {"object", "null"})
          Object before,
      @Schema(
              description = "The declaration; absent of a deletion.",
              types = {"object"})
          Optional<Object> after) {}

  /** A line of a bulk request that was not done. */
  @Schema(description = "A line of a bulk request that was not done.")
  public record NotMade(
      @Schema(description = "Its number.", minimum = "1") long line,
      @Schema(description = "The problem's status.") int status) {}

  /** The controller's version. */
  @Schema(description = "The controller's version.")
  public record Version(
      @Schema(description = "The version.") String version,
      @Schema(description = "The commit that it was built from.") String commit,
      @Schema(description = "What its host may lack, by name.")
          Map<String, Capability> capabilities,
      @Schema(description = "Who asks, as the host knows it.") Asking caller) {}

  /** The sender of a request. */
  @Schema(description = "The sender of a request.")
  public record Asking(
      @Schema(description = "Its name; local where no proof is asked for.") String name,
      @Schema(description = "What it may do.") Role role) {}

  /** A store that was made of a backup. */
  @Schema(description = "A store that was made of a backup.")
  public record Restored(
      @Schema(description = "The store's identity.", pattern = "^[0-9a-f]{16}$") String identity,
      @Schema(description = "The number of the last commit, by name of the switch.")
          Map<String, Long> revisions,
      @ArraySchema(arraySchema = @Schema(description = "What of the backup is left out, and why."))
          List<String> notes) {}

  /** Something that a host may lack. */
  @Schema(description = "Something that a host may lack.")
  public record Capability(
      @Schema(description = "Whether the host has it.") boolean present,
      @Schema(description = "Why not, and what serves instead; only if it is absent.")
          Optional<String> reason) {}
}
