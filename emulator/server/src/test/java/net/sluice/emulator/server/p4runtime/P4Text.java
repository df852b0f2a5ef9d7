package net.sluice.emulator.server.p4runtime;

import com.google.protobuf.ByteString;
import com.google.protobuf.TextFormat;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import p4.config.v1.P4InfoOuterClass;
import p4.config.v1.P4InfoOuterClass.P4Info;
import p4.config.v1.P4InfoOuterClass.Preamble;
import p4.v1.P4RuntimeOuterClass.Entity;
import p4.v1.P4RuntimeOuterClass.ForwardingPipelineConfig;
import p4.v1.P4RuntimeOuterClass.Update;

/** Entities in text format, in which {@code $name} stands for the id of that name in a P4Info. */
public final class P4Text {

  private static final Pattern NAME = Pattern.compile("\\$([A-Za-z_][A-Za-z0-9_.]*)");

  private final Map<String, Integer> ids = new LinkedHashMap<>();

  public P4Text(P4Info info) {
    info.getTablesList().forEach(x -> add(x.getPreamble()));
    info.getActionsList().forEach(x -> add(x.getPreamble()));
    info.getActionProfilesList().forEach(x -> add(x.getPreamble()));
    info.getCountersList().forEach(x -> add(x.getPreamble()));
    info.getDirectCountersList().forEach(x -> add(x.getPreamble()));
    info.getMetersList().forEach(x -> add(x.getPreamble()));
    info.getDirectMetersList().forEach(x -> add(x.getPreamble()));
    info.getRegistersList().forEach(x -> add(x.getPreamble()));
    info.getValueSetsList().forEach(x -> add(x.getPreamble()));
    info.getDigestsList().forEach(x -> add(x.getPreamble()));
    info.getControllerPacketMetadataList().forEach(x -> add(x.getPreamble()));
    for (P4InfoOuterClass.Extern extern : info.getExternsList()) {
      extern.getInstancesList().forEach(x -> add(x.getPreamble()));
    }
  }

  private void add(Preamble preamble) {
    ids.put(preamble.getName(), preamble.getId());
  }

  /** The compiled program {@code /stf/NAME.json} with its P4Info. */
  public static ForwardingPipelineConfig config(String name) {
    try {
      P4Info.Builder info = P4Info.newBuilder();
      TextFormat.Parser.newBuilder()
          .setAllowUnknownFields(true)
          .build()
          .merge(new String(resource(name + ".p4info.txtpb"), StandardCharsets.UTF_8), info);
      return ForwardingPipelineConfig.newBuilder()
          .setP4Info(info)
          .setP4DeviceConfig(ByteString.copyFrom(resource(name + ".json")))
          .build();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** A file among the test programs. */
  static byte[] resource(String name) {
    try (InputStream in = P4Text.class.getResourceAsStream("/stf/" + name)) {
      return in.readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The id of a name. */
  public int id(String name) {
    Integer id = ids.get(name);
    if (id == null) {
      throw new IllegalArgumentException("P4Info has nothing called " + name);
    }
    return id;
  }

  public Entity entity(String text) {
    String resolved =
        NAME.matcher(text)
            .replaceAll(m -> Matcher.quoteReplacement(Integer.toUnsignedString(id(m.group(1)))));
    try {
      return TextFormat.parse(resolved, Entity.class);
    } catch (TextFormat.ParseException e) {
      throw new IllegalArgumentException(resolved, e);
    }
  }

  public Update update(Update.Type type, String entity) {
    return Update.newBuilder().setType(type).setEntity(entity(entity)).build();
  }
}
