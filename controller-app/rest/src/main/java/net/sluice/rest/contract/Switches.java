package net.sluice.rest.contract;

import io.swagger.v3.oas.annotations.media.ArraySchema;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.media.Schema.AdditionalPropertiesValue;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import net.sluice.core.declaration.Bodies.AqmBody;
import net.sluice.core.declaration.Bodies.RioBody;
import net.sluice.intents.model.RateLimit;
import net.sluice.intents.profile.MeterProfile;
import net.sluice.intents.value.Direction;
import net.sluice.intents.value.Ids;
import net.sluice.rest.contract.Statuses.Port;
import net.sluice.rest.contract.Statuses.TableUse;
import net.sluice.rest.contract.Statuses.Target;

/** The forms of switches: how one is declared and how it is told. */
public final class Switches {
  private static final String ADDRESS = "HOST:PORT.";
  private static final String MAC = "^[0-9A-Fa-f]{2}(:[0-9A-Fa-f]{2}){5}$";
  private static final String PORT_NUMBER = "A switch port.";
  private static final String MAX_PORT = "" + net.sluice.intents.profile.Topology.MAX_PORT;

  private Switches() {}

  /** All switches. */
  @Schema(description = "All switches.")
  public record SwitchList(
      @ArraySchema(arraySchema = @Schema(description = "Each switch."))
          List<SwitchAnswer> switches) {}

  /** A switch of the network. */
  @Schema(description = "A switch of the network.")
  public record SwitchAnswer(
      @Schema(description = "Its id.") String id,
      @Schema(description = "The document that it was declared by, if it was.")
          Optional<SwitchDeclaration> declared,
      @ArraySchema(arraySchema = @Schema(description = "Its targets.")) List<Target> targets,
      @ArraySchema(arraySchema = @Schema(description = "The trunks that end at it."))
          List<Trunk> trunks,
      @Schema(
              description = Statuses.PORT_SESSION,
              allowableValues = {"CONNECTING", "READY", "CLOSED"})
          Optional<String> portSession,
      @Schema(description = "What the session lacks.") Optional<String> portDetail,
      @ArraySchema(arraySchema = @Schema(description = "The topology's ports."))
          Optional<List<Port>> ports,
      @Schema(description = "Subscribers that it serves until another switch does.")
          Optional<Long> leaving,
      @Schema(description = "Declarations stored for it and not in force.")
          Optional<Long> conflicts,
      @ArraySchema(arraySchema = @Schema(description = "How full it is.")) List<TableUse> tables) {}

  /** A switch as it is declared. */
  @Schema(
      description = "A switch as it is declared.",
      additionalProperties = AdditionalPropertiesValue.FALSE)
  public record SwitchDeclaration(
      @Schema(description = "The kind of switch; emulator unless given.") Optional<String> profile,
      @Schema(
              description =
                  "What the switch loads, by the name that the start gives it; not in ONOS.")
          Optional<String> deviceConfig,
      @Schema(
              description =
                  "Address of its P4Runtime server, "
                      + ADDRESS
                      + " In ONOS it may be left out of a device that ONOS knows.")
          Optional<String> p4runtime,
      @Schema(
              description = "P4Runtime device id, beside p4runtime; the profile's unless given.",
              minimum = "0")
          Optional<Long> deviceId,
      @Schema(
              description =
                  "The device of ONOS that it is; only there, and device: with the id unless"
                      + " given.",
              example = "device:leaf1")
          Optional<String> device,
      @Schema(
              description =
                  "Address of its gNMI server, "
                      + ADDRESS
                      + " Or none, which is the default except in ONOS, where it is the profile's.")
          Optional<String> gnmi,
      @Schema(
              description = "Whether its ports are set to the topology's rates over gNMI.",
              defaultValue = "false")
          Optional<Boolean> setPorts,
      @Schema(description = "Register agent of the FPGA that shapes what goes down, " + ADDRESS)
          Optional<String> fpgaDown,
      @Schema(description = "Register agent of the FPGA that shapes what goes up, " + ADDRESS)
          Optional<String> fpgaUp,
      @Schema(
              description = "Clock of these FPGAs, Hz.",
              minimum = "1000000",
              maximum = "1000000000")
          Optional<Long> fpgaClockHz,
      @Schema(
              description =
                  "Whether the FPGAs let classes of a subscriber have priorities and shares; as the"
                      + " start says unless given.")
          Optional<Boolean> fpgaClasses,
      @Schema(
              description =
                  "Whether the FPGAs have a bucket size for each customer; as the start says unless"
                      + " given.")
          Optional<Boolean> fpgaCustomerBursts,
      @Schema(
              description =
                  "Highest subscriber rate that its marker resolves, bit/s; unless given as the"
                      + " start says, or the rate of the fastest port to other than FPGAs.",
              minimum = "1000000",
              maximum = "100000000000")
          Optional<Long> maxSubscriberRateBps,
      @Schema(
              description =
                  "Random bits by which the marker decides, 8 or 16; as the start says unless"
                      + " given.",
              minimum = "8",
              maximum = "16")
          Optional<Integer> randomBits,
      @Schema(description = "How it is cabled.") Topology topology) {}

  /** The cabling of a switch. */
  @Schema(
      description = "The cabling of a switch.",
      additionalProperties = AdditionalPropertiesValue.FALSE)
  public record Topology(
      @ArraySchema(arraySchema = @Schema(description = "Its ports."), minItems = 1)
          List<TopologyPort> ports,
      @Schema(description = "The switch port of each BNG port, by its number, 0 to 7.")
          Optional<Map<String, Integer>> bngPorts,
      @ArraySchema(arraySchema = @Schema(description = "Routes of what goes up."))
          Optional<List<Route>> routes,
      @Schema(description = "Where mirrored packets go.", minimum = "0", maximum = MAX_PORT)
          Optional<Integer> mirrorPort,
      @ArraySchema(
              arraySchema = @Schema(description = "Ports by which packets that wait go round."),
              schema = @Schema(minimum = "0", maximum = MAX_PORT))
          Optional<List<Integer>> loopPorts,
      @ArraySchema(arraySchema = @Schema(description = "Lines to other switches."))
          Optional<List<Trunk>> trunks,
      @ArraySchema(
              arraySchema =
                  @Schema(description = "Pairs of ports that pass every frame to each other."))
          Optional<List<Wire>> wires) {}

  /** Two ports that pass every frame to each other. */
  @Schema(
      description = "Two ports that pass every frame to each other.",
      additionalProperties = AdditionalPropertiesValue.FALSE)
  public record Wire(
      @Schema(
              description = "The end towards subscribers, of role access.",
              minimum = "0",
              maximum = MAX_PORT)
          int access,
      @Schema(description = "The other end, of role core.", minimum = "0", maximum = MAX_PORT)
          int core,
      @Schema(description = "What holds for what belongs to no subscriber; nothing unless given.")
          Optional<UnknownInWire> unknown) {}

  /** The terms of frames of a wire that belong to no subscriber. */
  @Schema(
      description = "What holds for frames of a wire that belong to no subscriber.",
      additionalProperties = AdditionalPropertiesValue.FALSE)
  public record UnknownInWire(
      @Schema(
              description =
                  "Its policy. Without, and while that is not declared, it is never dropped by"
                      + " value.",
              pattern = Ids.PATTERN)
          Optional<String> policy,
      @Schema(
              description = "The most that goes down, bit/s; all unless given.",
              minimum = "" + MeterProfile.RATE_STEP_BPS,
              maximum = "" + MeterProfile.MAX_RATE_BPS)
          Optional<Long> downBps,
      @Schema(
              description = "The most that goes up, bit/s; all unless given.",
              minimum = "" + MeterProfile.RATE_STEP_BPS,
              maximum = "" + MeterProfile.MAX_RATE_BPS)
          Optional<Long> upBps) {}

  /** A port of a topology. */
  @Schema(
      description = "A port of a topology.",
      additionalProperties = AdditionalPropertiesValue.FALSE)
  public record TopologyPort(
      @Schema(description = PORT_NUMBER, minimum = "0", maximum = MAX_PORT) int number,
      @Schema(
              description = "What is at its other end.",
              allowableValues = {"access", "core", "trunk", "sidecar"})
          String role,
      @Schema(description = "Which way its packets go; needed of trunks and sidecars.")
          Optional<Direction> direction,
      @Schema(description = "Its rate, bit/s.", minimum = "1") long rateBps,
      @Schema(description = "Source address of what leaves by it.", pattern = MAC)
          Optional<String> sourceMac,
      @Schema(
              description =
                  "Destination address of what leaves by it; needed but of sidecars and wires, and"
                      + " where nextHop is given.",
              pattern = MAC)
          Optional<String> destinationMac,
      @ArraySchema(
              arraySchema =
                  @Schema(
                      description =
                          "Its own IPv4 and IPv6 addresses, each with the length of its line's"
                              + " prefix. ARP and neighbour discovery are answered for them."),
              schema = @Schema(example = "192.0.2.1/30"))
          Optional<List<String>> addresses,
      @Schema(
              description =
                  "The IPv4 or IPv6 address, on its line, of where packets go that leave by it, in"
                      + " place of destinationMac.",
              example = "192.0.2.2")
          Optional<String> nextHop,
      @Schema(description = "Whether packets keep their value there.")
          Optional<Boolean> keepPacketValue,
      @Schema(description = "Whether the port drops by value.") Optional<Boolean> valueDropping,
      @Schema(description = "How the delay of its queues is managed.") Optional<AqmBody> aqm,
      @Schema(description = "RIO before its queues, in place of aqm.") Optional<RioBody> rio,
      @Schema(
              description = "The most, in % of its rate, that contracts may add up to.",
              minimum = "1",
              maximum = "" + RateLimit.MAX_PERCENT)
          Optional<Integer> maxCommittedPercent,
      @Schema(
              description =
                  "Whether an access port drops the packets of no subscriber, which is the default,"
                      + " or forwards them.",
              allowableValues = {"drop", "forward"})
          Optional<String> unknown,
      @Schema(
              description =
                  "Whether frames that leave a core or trunk port keep their 802.1p priority in a"
                      + " tag of VLAN 0; by default on a trunk.")
          Optional<Boolean> priorityTag) {}

  /** A route. */
  @Schema(description = "A route.", additionalProperties = AdditionalPropertiesValue.FALSE)
  public record Route(
      @Schema(description = "The prefix.", example = "0.0.0.0/0") String prefix,
      @Schema(description = PORT_NUMBER, minimum = "0", maximum = MAX_PORT) int port) {}

  /** A line between two switches. */
  @Schema(
      description = "A line between two switches.",
      additionalProperties = AdditionalPropertiesValue.FALSE)
  public record Trunk(
      @Schema(description = PORT_NUMBER, minimum = "0", maximum = MAX_PORT) int port,
      @Schema(description = "The other switch.", pattern = Ids.PATTERN) String toSwitch,
      @Schema(description = "The port there.", minimum = "0", maximum = MAX_PORT) int toPort) {}
}
