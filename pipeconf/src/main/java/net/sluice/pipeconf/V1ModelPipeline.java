package net.sluice.pipeconf;

import com.google.protobuf.ByteString;
import com.google.protobuf.TextFormat;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URL;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.EnumSet;
import net.sluice.intents.model.AqmKind;
import net.sluice.intents.profile.AqmProfile;
import net.sluice.intents.profile.SwitchProfile;
import net.sluice.pipeconf.p4info.ProgramDescriptor;
import net.sluice.pipeconf.p4info.QueueAqmTable;
import net.sluice.pipeconf.p4info.SluiceProgram;
import net.sluice.pipeconf.p4info.V1ModelProgram;
import net.sluice.pipeconf.table.EntryCodec;
import p4.config.v1.P4InfoOuterClass.P4Info;

/** The program for v1model: bmv2, Stratum on bmv2, and Sluice's emulated switch. */
public final class V1ModelPipeline implements SwitchPipeline {
  /** Half-life of the rate filter's byte count, in microseconds. */
  public static final int RATE_HALF_LIFE_MICROS = 65_536;

  /**
   * One unit of a measured rate, in bit/s: about 42.306. A count of bytes that decays with time
   * constant tau = half-life / ln 2 holds rate * tau, and the filter counts half bytes: 4 bits.
   */
  public static final double RATE_UNIT_BPS = 4 * Math.log(2) / (RATE_HALF_LIFE_MICROS * 1e-6);

  /** R_max of paper 000. */
  private static final double DEFAULT_MAX_SUBSCRIBER_RATE_BPS = 100e9;

  private static final SluiceProgram DESCRIPTOR = V1ModelProgram.DESCRIPTOR;

  private static final String P4_INFO = "p4c-out/v1model/sluice.p4info.txtpb";
  private static final String DEVICE_CONFIG = "p4c-out/v1model/sluice.json";

  private final P4Info p4Info;
  private final ByteString deviceConfig;
  private final long cookie;
  private final SwitchProfile profile = createProfile();
  private final EntryCodec entries = new EntryCodec(DESCRIPTOR);
  private final CounterCodec counters = new CounterCodec(DESCRIPTOR);

  private V1ModelPipeline(byte[] p4InfoText, byte[] deviceConfig) {
    this.p4Info = parse(new String(p4InfoText, StandardCharsets.UTF_8));
    this.deviceConfig = ByteString.copyFrom(deviceConfig);
    this.cookie = cookie(p4InfoText, deviceConfig);
  }

  /** The program this build contains. */
  public static V1ModelPipeline load() {
    return new V1ModelPipeline(resource(P4_INFO), resource(DEVICE_CONFIG));
  }

  @Override
  public String name() {
    return "sluice-" + DESCRIPTOR.architecture();
  }

  @Override
  public P4Info p4Info() {
    return p4Info;
  }

  @Override
  public ProgramDescriptor descriptor() {
    return DESCRIPTOR;
  }

  @Override
  public ByteString deviceConfig() {
    return deviceConfig;
  }

  @Override
  public URL p4InfoFile() {
    return file(P4_INFO);
  }

  @Override
  public URL deviceConfigFile() {
    return file(DEVICE_CONFIG);
  }

  @Override
  public long cookie() {
    return cookie;
  }

  @Override
  public SwitchProfile profile() {
    return profile;
  }

  @Override
  public EntryCodec entries() {
    return entries;
  }

  @Override
  public CounterCodec counters() {
    return counters;
  }

  private static SwitchProfile createProfile() {
    // Each subscriber has two counter cells, and index 0 stands for no subscriber.
    int indices =
        Math.min(
            DESCRIPTOR.subscriberIn().size() / 2,
            1 << DESCRIPTOR.subscriberRate4().subscriber().index().bits());
    QueueAqmTable queueAqm = DESCRIPTOR.queueAqm();
    return new SwitchProfile(
            indices - 1,
            DESCRIPTOR.subscriberRate4().size(),
            DESCRIPTOR.subscriberRate6().size(),
            DESCRIPTOR.subscriberVlan().size(),
            DESCRIPTOR.subscriberEncap().size(),
            DESCRIPTOR.policyFunction().size() >> DESCRIPTOR.policyFunction().bin().bits(),
            RATE_UNIT_BPS,
            DESCRIPTOR.rateIndex().rate().bits(),
            DEFAULT_MAX_SUBSCRIBER_RATE_BPS)
        .withAqm(
            new AqmProfile(
                EnumSet.allOf(AqmKind.class), queueAqm.size(), 1 << queueAqm.queue().bits()));
  }

  private static P4Info parse(String text) {
    P4Info.Builder builder = P4Info.newBuilder();
    try {
      TextFormat.merge(text, builder);
    } catch (TextFormat.ParseException e) {
      throw new IllegalStateException("the packaged P4Info is unreadable", e);
    }
    return builder.build();
  }

  static long cookie(byte[] p4Info, byte[] deviceConfig) {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      digest.update(p4Info);
      // Text holds no zero octet, so that nothing can move from one part to the other.
      digest.update((byte) 0);
      byte[] hash = digest.digest(deviceConfig);
      long cookie = ByteBuffer.wrap(hash).getLong();
      // P4Runtime reads 0 as no cookie.
      return cookie == 0 ? 1 : cookie;
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }

  private static URL file(String name) {
    URL file = V1ModelPipeline.class.getResource(name);
    if (file == null) {
      throw new IllegalStateException("the jar lacks " + name);
    }
    return file;
  }

  private static byte[] resource(String name) {
    try (InputStream in = file(name).openStream()) {
      return in.readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read " + name, e);
    }
  }
}
