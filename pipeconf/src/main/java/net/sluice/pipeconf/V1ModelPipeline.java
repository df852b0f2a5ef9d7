package net.sluice.pipeconf;

import java.net.URL;
import java.util.EnumSet;
import java.util.Optional;
import net.sluice.intents.model.policy.AqmKind;
import net.sluice.intents.profile.AggregateProfile;
import net.sluice.intents.profile.AqmProfile;
import net.sluice.intents.profile.MeterProfile;
import net.sluice.intents.profile.ShapeProfile;
import net.sluice.intents.profile.SwitchProfile;
import net.sluice.pipeconf.p4info.AggregateSluiceProgram;
import net.sluice.pipeconf.p4info.QueueAqmTable;
import net.sluice.pipeconf.p4info.SluiceProgram;
import net.sluice.pipeconf.p4info.V1ModelProgram;

/** The program for v1model: bmv2, Stratum on bmv2, and Sluice's emulated switch. */
public final class V1ModelPipeline extends LoadedPipeline {
  /** Half-life of the rate filter's byte count, in microseconds. */
  public static final int RATE_HALF_LIFE_MICROS = 65_536;

  /**
   * One unit of a measured rate, in bit/s: about 42.306. A count of bytes that decays with time
   * constant tau = half-life / ln 2 holds rate * tau, and the filter counts half bytes: 4 bits.
   */
  public static final double RATE_UNIT_BPS = 4 * Math.log(2) / (RATE_HALF_LIFE_MICROS * 1e-6);

  /** R_max of paper 000. */
  static final double DEFAULT_MAX_SUBSCRIBER_RATE_BPS = 100e9;

  private static final String P4_INFO = "/sluice.p4info.txtpb";
  private static final String DEVICE_CONFIG = "/sluice.json";

  private V1ModelPipeline(CompiledProgram program, String directory, URL deviceConfig) {
    super(program, packaged(directory + P4_INFO), deviceConfig, bytes(deviceConfig));
  }

  private static V1ModelPipeline load(CompiledProgram program, String directory) {
    return new V1ModelPipeline(program, directory, packaged(directory + DEVICE_CONFIG));
  }

  /** The program this build contains. */
  public static V1ModelPipeline load() {
    return load(CompiledProgram.V1MODEL, "p4c-out/v1model");
  }

  /** The one with the markers of aggregates, and RIO. */
  public static V1ModelPipeline withAggregates() {
    return load(CompiledProgram.AGGREGATE, "p4c-out/v1model/aggregate");
  }

  /** The program of that name; without one of v1model, the one without aggregates. */
  public static V1ModelPipeline of(Optional<String> program) {
    return program.equals(Optional.of(CompiledProgram.AGGREGATE.programName()))
        ? withAggregates()
        : load();
  }

  /** An aggregate is a direction of a contract. */
  static SwitchProfile createProfile(AggregateSluiceProgram program) {
    SwitchProfile profile = createProfile();
    return profile
        .withAqm(profile.aqm().withRio())
        .withAggregates(
            new AggregateProfile(program.aggregate().size() / 2, program.flowWeight().size()));
  }

  static SwitchProfile createProfile() {
    SluiceProgram program = V1ModelProgram.DESCRIPTOR;
    // Each subscriber has two counter cells, and index 0 stands for no subscriber.
    int indices =
        Math.min(
            program.subscriberIn().size() / 2,
            1 << program.subscriberRate4().subscriber().index().bits());
    QueueAqmTable queueAqm = program.queueAqm();
    return new SwitchProfile(
            indices - 1,
            program.subscriberRate4().size(),
            program.subscriberRate6().size(),
            program.subscriberVlan().size(),
            program.subscriberEncap().size(),
            program.policyFunction().size() >> program.policyFunction().bin().bits(),
            RATE_UNIT_BPS,
            program.rateIndex().rate().bits(),
            DEFAULT_MAX_SUBSCRIBER_RATE_BPS)
        .withAqm(
            new AqmProfile(
                EnumSet.allOf(AqmKind.class), queueAqm.size(), 1 << queueAqm.queue().bits()))
        .withServiceVlans(program.subscriberServiceVlan().size())
        .withDirectionPolicies(program.directionPolicy().size())
        .withStopping()
        .withWires()
        .withTrafficClasses(program.trafficClass().size())
        .withMeters(new MeterProfile(program.subscriberMeter().size()))
        .withShaping(new ShapeProfile(program.rateLimiter().size(), ShapeProfile.MAX_BUFFER_BYTES));
  }
}
