package net.sluice.intents.profile;

import java.util.OptionalInt;
import net.sluice.intents.marker.csaqm.tables.RandomRates;
import net.sluice.intents.marker.csaqm.tables.RateBins;
import net.sluice.intents.value.InvalidValueException;

/**
 * The capacities and number ranges of one kind of switch.
 *
 * @param markers subscribers, i.e. rate filters, and how they are divided
 * @param prefixLengths prefix lengths that subscribers can be classified by
 * @param v4PrefixCapacity entries of the IPv4 subscriber tables, all together
 * @param v6PrefixCapacity entries of the IPv6 subscriber tables, all together; 0 if there is none
 * @param vlanCapacity subscribers with a service and a customer VLAN; 0 if there is none
 * @param serviceVlanCapacity subscribers with a service VLAN alone; 0 if there is none
 * @param encapCapacity entries of the encapsulation table; 0 if there is none
 * @param policySlots policies; slots 1..policySlots-1 are used, 0 means no policy
 * @param rateUnitBps one unit of a measured rate in bit/s
 * @param rateKeyBits width of a measured rate
 * @param rateEdgeBits leading bits that the bins' edges keep, where the rate is matched ternary;
 *     empty where it is matched by ranges ({@link RateBins})
 * @param maxSubscriberRateBps the highest rate the marker's bins resolve (R_max of paper 000)
 * @param randomRates what the marker's random numbers take off
 * @param aqm how its egress queues can be managed
 * @param meters by what it can police
 * @param shaping which limits it can shape itself
 * @param aggregates the contracts of aggregates that it can keep
 * @param directionPolicies directions of subscribers that can have another policy than the other
 *     direction; 0 if a subscriber has one for both
 * @param stopsTraffic whether it can drop the packets of a subscriber as suspended
 * @param trafficClassEntries codepoints of policies by which it can tell classes for the FPGA; 0 if
 *     it tells none
 * @param hasWires whether its ports can be wires; such a program answers neighbours and tags
 *     priorities, too
 * @param reportPort the port by which its program hands itself queues' delays; empty if it needs
 *     none
 */
public record SwitchProfile(
    MarkerLayout markers,
    PrefixLengths prefixLengths,
    int v4PrefixCapacity,
    int v6PrefixCapacity,
    int vlanCapacity,
    int serviceVlanCapacity,
    int encapCapacity,
    int policySlots,
    double rateUnitBps,
    int rateKeyBits,
    OptionalInt rateEdgeBits,
    double maxSubscriberRateBps,
    RandomRates randomRates,
    AqmProfile aqm,
    MeterProfile meters,
    ShapeProfile shaping,
    AggregateProfile aggregates,
    int directionPolicies,
    boolean stopsTraffic,
    int trafficClassEntries,
    boolean hasWires,
    OptionalInt reportPort) {
  public SwitchProfile {
    requireAtLeast(1, "v4PrefixCapacity", v4PrefixCapacity);
    requireAtLeast(0, "v6PrefixCapacity", v6PrefixCapacity);
    requireAtLeast(0, "vlanCapacity", vlanCapacity);
    requireAtLeast(0, "serviceVlanCapacity", serviceVlanCapacity);
    requireAtLeast(0, "encapCapacity", encapCapacity);
    requireAtLeast(0, "directionPolicies", directionPolicies);
    if (policySlots < 2) {
      throw new InvalidValueException("policySlots", policySlots, "at least 2: slot 0 is reserved");
    }
    if (!(rateUnitBps > 0)) {
      throw new InvalidValueException("rateUnitBps", rateUnitBps, "more than 0");
    }
    if (rateKeyBits < 8 || rateKeyBits > 62) {
      throw new InvalidValueException("rateKeyBits", rateKeyBits, "8 to 62");
    }
    double top = rateUnitBps * ((1L << rateKeyBits) - 1);
    if (!(maxSubscriberRateBps > 0 && maxSubscriberRateBps <= top)) {
      throw new InvalidValueException(
          "maxSubscriberRateBps",
          maxSubscriberRateBps,
          "more than 0, at most the highest measurable rate, " + top);
    }
  }

  /**
   * A switch with one instance of the marker, which uses all of its random bits and matches rates
   * by ranges, and prefixes of every length; it manages no queue.
   */
  public SwitchProfile(
      int subscribers,
      int v4PrefixCapacity,
      int v6PrefixCapacity,
      int vlanCapacity,
      int encapCapacity,
      int policySlots,
      double rateUnitBps,
      int rateKeyBits,
      double maxSubscriberRateBps) {
    this(
        MarkerLayout.undivided(subscribers),
        PrefixLengths.ANY,
        v4PrefixCapacity,
        v6PrefixCapacity,
        vlanCapacity,
        encapCapacity,
        policySlots,
        rateUnitBps,
        rateKeyBits,
        OptionalInt.empty(),
        maxSubscriberRateBps,
        RandomRates.BITS_16);
  }

  /**
   * A switch that manages no queue, limits nothing and marks no aggregates; it has as much room for
   * service VLANs as for pairs.
   */
  public SwitchProfile(
      MarkerLayout markers,
      PrefixLengths prefixLengths,
      int v4PrefixCapacity,
      int v6PrefixCapacity,
      int vlanCapacity,
      int encapCapacity,
      int policySlots,
      double rateUnitBps,
      int rateKeyBits,
      OptionalInt rateEdgeBits,
      double maxSubscriberRateBps,
      RandomRates randomRates) {
    this(
        markers,
        prefixLengths,
        v4PrefixCapacity,
        v6PrefixCapacity,
        vlanCapacity,
        vlanCapacity,
        encapCapacity,
        policySlots,
        rateUnitBps,
        rateKeyBits,
        rateEdgeBits,
        maxSubscriberRateBps,
        randomRates,
        AqmProfile.NONE,
        MeterProfile.NONE,
        ShapeProfile.NONE,
        AggregateProfile.NONE,
        0,
        false,
        0,
        false,
        OptionalInt.empty());
  }

  /** The same switch with queues that can be managed. */
  public SwitchProfile withAqm(AqmProfile queues) {
    return with(maxSubscriberRateBps, randomRates, queues, meters, shaping, aggregates);
  }

  /** The same switch with meters. */
  public SwitchProfile withMeters(MeterProfile policing) {
    return with(maxSubscriberRateBps, randomRates, aqm, policing, shaping, aggregates);
  }

  /** The same switch with limits that it shapes. */
  public SwitchProfile withShaping(ShapeProfile limits) {
    return with(maxSubscriberRateBps, randomRates, aqm, meters, limits, aggregates);
  }

  /** The same switch with a program that marks aggregates. */
  public SwitchProfile withAggregates(AggregateProfile contracts) {
    return with(maxSubscriberRateBps, randomRates, aqm, meters, shaping, contracts);
  }

  /** The same switch with its marker laid out for another highest rate and random numbers. */
  public SwitchProfile withMarker(double maxRateBps, RandomRates rates) {
    return with(maxRateBps, rates, aqm, meters, shaping, aggregates);
  }

  private SwitchProfile with(
      double maxRateBps,
      RandomRates rates,
      AqmProfile queues,
      MeterProfile policing,
      ShapeProfile limits,
      AggregateProfile contracts) {
    return new SwitchProfile(
        markers,
        prefixLengths,
        v4PrefixCapacity,
        v6PrefixCapacity,
        vlanCapacity,
        serviceVlanCapacity,
        encapCapacity,
        policySlots,
        rateUnitBps,
        rateKeyBits,
        rateEdgeBits,
        maxRateBps,
        rates,
        queues,
        policing,
        limits,
        contracts,
        directionPolicies,
        stopsTraffic,
        trafficClassEntries,
        hasWires,
        reportPort);
  }

  /** The same switch with room for that many subscribers with a service VLAN alone. */
  public SwitchProfile withServiceVlans(int subscribers) {
    return new SwitchProfile(
        markers,
        prefixLengths,
        v4PrefixCapacity,
        v6PrefixCapacity,
        vlanCapacity,
        subscribers,
        encapCapacity,
        policySlots,
        rateUnitBps,
        rateKeyBits,
        rateEdgeBits,
        maxSubscriberRateBps,
        randomRates,
        aqm,
        meters,
        shaping,
        aggregates,
        directionPolicies,
        stopsTraffic,
        trafficClassEntries,
        hasWires,
        reportPort);
  }

  /** The same switch with a program that can stop a subscriber's traffic. */
  public SwitchProfile withStopping() {
    return with(markers, directionPolicies, true, trafficClassEntries, hasWires, reportPort);
  }

  /** The same switch with a program in which so many directions can have a policy of their own. */
  public SwitchProfile withDirectionPolicies(int directions) {
    return with(markers, directions, stopsTraffic, trafficClassEntries, hasWires, reportPort);
  }

  /** The same switch with a program that tells classes for the FPGA. */
  public SwitchProfile withTrafficClasses(int entries) {
    return with(markers, directionPolicies, stopsTraffic, entries, hasWires, reportPort);
  }

  /** The same switch with a program that has wires. */
  public SwitchProfile withWires() {
    return with(markers, directionPolicies, stopsTraffic, trafficClassEntries, true, reportPort);
  }

  /** The same switch with a program that hands itself queues' delays by a port. */
  public SwitchProfile withReportPort(int port) {
    return with(
        markers,
        directionPolicies,
        stopsTraffic,
        trafficClassEntries,
        hasWires,
        OptionalInt.of(port));
  }

  /** True if it answers for addresses of its ports, which the programs with wires do. */
  public boolean answersNeighbours() {
    return hasWires;
  }

  /** The same switch with room for so many subscribers less. */
  public SwitchProfile withoutSubscribers(int less) {
    return less == 0
        ? this
        : with(
            markers.limitedTo(markers.capacity() - less),
            directionPolicies,
            stopsTraffic,
            trafficClassEntries,
            hasWires,
            reportPort);
  }

  private SwitchProfile with(
      MarkerLayout layout,
      int directions,
      boolean stops,
      int classEntries,
      boolean wires,
      OptionalInt reports) {
    return new SwitchProfile(
        layout,
        prefixLengths,
        v4PrefixCapacity,
        v6PrefixCapacity,
        vlanCapacity,
        serviceVlanCapacity,
        encapCapacity,
        policySlots,
        rateUnitBps,
        rateKeyBits,
        rateEdgeBits,
        maxSubscriberRateBps,
        randomRates,
        aqm,
        meters,
        shaping,
        aggregates,
        directions,
        stops,
        classEntries,
        wires,
        reports);
  }

  /** Whether a port's frames can have their priority in a tag of VLAN 0. */
  public boolean tagsPriorities() {
    return hasWires;
  }

  /** Subscribers there is room for; indices 1 to that are used. */
  public int subscriberCapacity() {
    return markers.capacity();
  }

  private static void requireAtLeast(int least, String field, int value) {
    if (value < least) {
      throw new InvalidValueException(field, value, "at least " + least);
    }
  }

  /** The marker's rate bins on this switch. */
  public RateBins rateBins() {
    return new RateBins(maxSubscriberRateBps, rateUnitBps, rateKeyBits, rateEdgeBits);
  }
}
