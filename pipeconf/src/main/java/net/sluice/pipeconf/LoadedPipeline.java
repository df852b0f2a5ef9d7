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
import net.sluice.intents.profile.SwitchProfile;
import net.sluice.pipeconf.p4info.ProgramDescriptor;
import net.sluice.pipeconf.table.EntryCodec;
import p4.config.v1.P4InfoOuterClass.P4Info;

/** A compiled program with its two files: P4Info and what the switch loads. */
abstract class LoadedPipeline implements SwitchPipeline {
  private final CompiledProgram program;
  private final URL p4InfoFile;
  private final URL deviceConfigFile;
  private final P4Info p4Info;
  private final ByteString deviceConfig;
  private final long cookie;

  LoadedPipeline(
      CompiledProgram program, URL p4InfoFile, URL deviceConfigFile, byte[] deviceConfig) {
    byte[] p4InfoText = bytes(p4InfoFile);
    this.program = program;
    this.p4InfoFile = p4InfoFile;
    this.deviceConfigFile = deviceConfigFile;
    this.p4Info = parse(new String(p4InfoText, StandardCharsets.UTF_8));
    this.deviceConfig = ByteString.copyFrom(deviceConfig);
    this.cookie = cookie(p4InfoText, deviceConfig);
  }

  @Override
  public final String name() {
    return program.programName();
  }

  @Override
  public final P4Info p4Info() {
    return p4Info;
  }

  @Override
  public final ProgramDescriptor descriptor() {
    return program.descriptor();
  }

  @Override
  public final ByteString deviceConfig() {
    return deviceConfig;
  }

  @Override
  public final URL p4InfoFile() {
    return p4InfoFile;
  }

  @Override
  public final URL deviceConfigFile() {
    return deviceConfigFile;
  }

  @Override
  public final long cookie() {
    return cookie;
  }

  @Override
  public final SwitchProfile profile() {
    return program.profile();
  }

  @Override
  public final EntryCodec entries() {
    return program.entries();
  }

  @Override
  public final CounterCodec counters() {
    return program.counters();
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

  /** A file of this build. */
  static URL packaged(String name) {
    URL file = LoadedPipeline.class.getResource(name);
    if (file == null) {
      throw new IllegalStateException("the jar lacks " + name);
    }
    return file;
  }

  static byte[] bytes(URL file) {
    try (InputStream in = file.openStream()) {
      return in.readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read " + file, e);
    }
  }
}
