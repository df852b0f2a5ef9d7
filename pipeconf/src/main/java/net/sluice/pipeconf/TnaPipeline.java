package net.sluice.pipeconf;

import com.google.protobuf.InvalidProtocolBufferException;
import java.io.IOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalInt;
import net.sluice.intents.marker.csaqm.tables.RandomRates;
import net.sluice.intents.profile.MarkerLayout;
import net.sluice.intents.profile.PrefixLengths;
import net.sluice.intents.profile.SwitchProfile;
import net.sluice.intents.profile.Topology;
import net.sluice.intents.value.InvalidValueException;
import net.sluice.pipeconf.p4info.TnaProgram;
import net.sluice.pipeconf.p4info.TnaSluiceProgram;
import net.sluice.pipeconf.p4info.TnaSubscriberRate4Table;
import net.sluice.pipeconf.p4info.TnaSubscriberRate6Table;
import stratum.barefoot.BfPipelineConfig;

/** The program for TNA: Stratum on Tofino. Its tables are filled in all pipes alike. */
public final class TnaPipeline extends LoadedPipeline {
  /**
   * Half-life of the rate filters' byte count, in microseconds. The switch's own shell has to set
   * it: docs/tofino.md.
   */
  public static final int RATE_HALF_LIFE_MICROS = 65_536;

  /**
   * One unit of a measured rate, in bit/s: about 84.612. A filter's count of bytes decays with time
   * constant tau = half-life / ln 2 and holds rate * tau: 8 bits.
   */
  public static final double RATE_UNIT_BPS = 8 * Math.log(2) / (RATE_HALF_LIFE_MICROS * 1e-6);

  /** With so many, the bins' blocks fill four fifths of the table of rates. */
  static final int RATE_EDGE_BITS = 10;

  /** Of pipe 0: RECIRCULATION_PORT of the program, which P4Info does not tell. */
  private static final int RECIRCULATION_PORT = 68;

  static final MarkerLayout MARKERS = markers(TnaProgram.DESCRIPTOR);

  private static final String P4_INFO = "p4c-out/tna/tofino/sluice.p4info.txtpb";

  private TnaPipeline(URL deviceConfigFile, byte[] deviceConfig) {
    super(CompiledProgram.TNA, packaged(P4_INFO), deviceConfigFile, deviceConfig);
  }

  /**
   * The program with what the compiler and the switch's driver make of it.
   *
   * @param deviceConfig a file with a {@code stratum.barefoot.BfPipelineConfig}
   * @throws InvalidValueException if the file is unreadable or holds something else
   */
  public static TnaPipeline load(Path deviceConfig) {
    try {
      byte[] bytes = Files.readAllBytes(deviceConfig);
      check(deviceConfig, BfPipelineConfig.parseFrom(bytes));
      return new TnaPipeline(deviceConfig.toUri().toURL(), bytes);
    } catch (InvalidProtocolBufferException e) {
      throw refused(deviceConfig);
    } catch (MalformedURLException e) {
      throw new IllegalStateException("every file has a URL", e);
    } catch (IOException e) {
      throw new InvalidValueException(
          "device-config", deviceConfig, "a file that can be read (" + e.getMessage() + ")");
    }
  }

  /** The program for whoever only compiles for it: no switch can load it. */
  public static TnaPipeline withoutDeviceConfig() {
    return new TnaPipeline(null, new byte[0]);
  }

  private static void check(Path file, BfPipelineConfig config) {
    if (config.getProfilesCount() == 0
        || config.getBfruntimeInfo().isEmpty()
        || config.getProfilesList().stream()
            .anyMatch(profile -> profile.getContext().isEmpty() || profile.getBinary().isEmpty())) {
      throw refused(file);
    }
  }

  private static InvalidValueException refused(Path file) {
    return new InvalidValueException(
        "device-config",
        file,
        "a stratum.barefoot.BfPipelineConfig with bfruntime_info and, of each profile, context and"
            + " binary, as ./sluice p4 --tna writes it");
  }

  private static MarkerLayout markers(TnaSluiceProgram program) {
    int instances = program.subscriberRate4().size();
    // A cell of the counters for each subscriber.
    int subscribers = program.down().get(0).size();
    return new MarkerLayout(
        1,
        Topology.MAX_PORT + 1,
        instances,
        subscribers,
        OptionalInt.of(program.subscriberRate4().get(0).size()),
        OptionalInt.of(program.subscriberRate6().get(0).size()));
  }

  static SwitchProfile createProfile() {
    TnaSluiceProgram program = TnaProgram.DESCRIPTOR;
    return new SwitchProfile(
            MARKERS,
            new PrefixLengths(
                OptionalInt.of(program.subscriberRate4().get(0).addr().bits()),
                OptionalInt.of(program.subscriberRate6().get(0).addr().bits())),
            program.subscriberRate4().stream().mapToInt(TnaSubscriberRate4Table::size).sum(),
            program.subscriberRate6().stream().mapToInt(TnaSubscriberRate6Table::size).sum(),
            program.subscriberVlan().size(),
            program.subscriberEncap().size(),
            program.policyFunction().size() >> program.policyFunction().bin().bits(),
            RATE_UNIT_BPS,
            program.rateIndex().rate().bits(),
            OptionalInt.of(RATE_EDGE_BITS),
            V1ModelPipeline.DEFAULT_MAX_SUBSCRIBER_RATE_BPS,
            RandomRates.BITS_16)
        .withServiceVlans(program.subscriberServiceVlan().size())
        .withReportPort(RECIRCULATION_PORT);
  }
}
