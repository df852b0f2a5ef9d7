package net.sluice.pipeconf.profile;

import java.util.Optional;
import net.sluice.intents.compile.Compiler;
import net.sluice.intents.marker.csaqm.tables.RandomRates;
import net.sluice.intents.profile.FpgaProfile;
import net.sluice.intents.profile.MarkerSettings;
import net.sluice.intents.profile.SwitchProfile;
import net.sluice.intents.profile.Topology;
import net.sluice.intents.profile.Topology.SwitchPort;
import net.sluice.intents.value.InvalidValueException;
import net.sluice.pipeconf.SwitchPipeline;

/** Whether a program fits a kind of switch and the way it is cabled. */
public final class SwitchAdmission {
  private SwitchAdmission() {}

  /**
   * The same with the marker of a switch, whose highest rate is not above the profile's unless that
   * is asked for.
   */
  public static SwitchProfile admit(
      SwitchTargetProfile profile,
      SwitchPipeline pipeline,
      Topology topology,
      MarkerSettings marker,
      FpgaProfile fpga) {
    double asked = marker.maxRateBps(topology);
    double highest = profile.limit(pipeline.profile()).maxSubscriberRateBps();
    double maxRateBps = marker.maxRateBps().isPresent() ? asked : Math.min(asked, highest);
    return admit(profile, pipeline, topology, maxRateBps, marker.randomRates(), fpga);
  }

  /**
   * The capacities that the compiler may plan with: of each capacity the smaller of the program's
   * and the switch's, with rate bins up to {@code maxSubscriberRateBps}.
   *
   * @param profile the kind of switch
   * @param pipeline the program
   * @param topology how the switch is cabled, by ports' numbers in packets
   * @param maxSubscriberRateBps highest subscriber rate to resolve, bit/s
   * @param randomRates what the marker's random numbers take off
   * @param fpga the shaping FPGAs beside the switch
   * @throws InvalidValueException if the switch runs another program, does not have the ports or
   *     their options, does not resolve the rate, or a table is too small for what needs no
   *     declaration
   */
  public static SwitchProfile admit(
      SwitchTargetProfile profile,
      SwitchPipeline pipeline,
      Topology topology,
      double maxSubscriberRateBps,
      RandomRates randomRates,
      FpgaProfile fpga) {
    SwitchProfile limited = profile.limit(pipeline.profile());
    if (!profile.program().equals(Optional.of(pipeline.name()))) {
      throw new InvalidValueException(
          "program", pipeline.name(), profile.program().get() + " on profile " + profile.name());
    }
    if (maxSubscriberRateBps > limited.maxSubscriberRateBps()) {
      throw new InvalidValueException(
          "max-subscriber-rate",
          ProfileRates.text(Math.round(maxSubscriberRateBps)),
          "at most "
              + ProfileRates.text(Math.round(limited.maxSubscriberRateBps()))
              + " on profile "
              + profile.name());
    }
    SwitchProfile granted = limited.withMarker(maxSubscriberRateBps, randomRates);
    Compiler compiler = new Compiler(topology, granted, fpga);
    topology.ports().forEach(port -> requireOffered(port, granted, profile.name()));
    profile.admit(topology, compiler.baseEntries());
    return granted;
  }

  /** An option that the program does not have is not passed over. */
  private static void requireOffered(SwitchPort port, SwitchProfile granted, String profile) {
    if (port.priorityTag() && !granted.tagsPriorities()) {
      throw new InvalidValueException(
          "ports.priorityTag",
          "true on port " + port.number(),
          "false on profile " + profile + ", whose program adds no tags to them");
    }
  }
}
