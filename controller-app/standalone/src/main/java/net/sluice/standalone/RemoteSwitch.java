package net.sluice.standalone;

import java.util.Optional;
import net.sluice.core.ControllerConfig.FpgaEndpoint;
import net.sluice.core.ControllerConfig.GnmiEndpoint;
import net.sluice.core.ControllerConfig.SwitchEndpoint;
import net.sluice.intents.marker.RandomRates;
import net.sluice.intents.profile.FpgaProfile;
import net.sluice.intents.profile.Topology;
import net.sluice.pipeconf.SwitchPipeline;
import net.sluice.pipeconf.profile.SwitchTargetProfile;

/**
 * A switch outside of this process, and its FPGAs if it has any.
 *
 * @param name its name in the network
 * @param profile what kind of switch it is
 * @param pipeline the program it is to run
 * @param endpoint the switch's P4Runtime server
 * @param topology how it is cabled
 * @param fpgaDown registers of the down FPGA; there exactly if the topology has that sidecar
 * @param fpgaUp the same for up
 * @param gnmi the switch's gNMI server, if it is to be asked about ports
 * @param fpgaProfile what the FPGAs can represent
 * @param maxSubscriberRateBps R_max of the marker, bit/s
 * @param randomRates what the marker's random numbers take off
 */
public record RemoteSwitch(
    String name,
    SwitchTargetProfile profile,
    SwitchPipeline pipeline,
    SwitchEndpoint endpoint,
    Topology topology,
    Optional<FpgaEndpoint> fpgaDown,
    Optional<FpgaEndpoint> fpgaUp,
    Optional<GnmiEndpoint> gnmi,
    FpgaProfile fpgaProfile,
    long maxSubscriberRateBps,
    RandomRates randomRates) {}
