package net.sluice.emulator.cli.live;

import com.google.protobuf.ByteString;
import com.google.protobuf.Message;
import com.google.protobuf.TextFormat;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import net.sluice.cli.ListenAddress;
import net.sluice.cli.StartFailure;
import p4.config.v1.P4InfoOuterClass.P4Info;
import p4.v1.P4RuntimeOuterClass.ForwardingPipelineConfig;
import p4.v1.P4RuntimeOuterClass.Update;
import p4.v1.P4RuntimeOuterClass.WriteRequest;

/**
 * The files of a program.
 *
 * @param json p4c's BMv2 JSON
 * @param p4info the P4Info in protobuf's text format; null for a program that packets go through,
 *     but no controller knows
 */
public record ProgramFiles(Path json, Path p4info) {
  // P4Infos of later versions say more than this one needs to know.
  private static final TextFormat.Parser LENIENT =
      TextFormat.Parser.newBuilder().setAllowUnknownFields(true).build();

  /**
   * Reads both; the config is without P4Info if there is none.
   *
   * @throws StartFailure if that cannot be done
   */
  public ForwardingPipelineConfig read() throws StartFailure {
    ForwardingPipelineConfig.Builder config = ForwardingPipelineConfig.newBuilder();
    if (p4info != null) {
      P4Info.Builder info = config.getP4InfoBuilder();
      merge(LENIENT, "--p4info", p4info, "P4Info", info);
      if (info.build().equals(P4Info.getDefaultInstance())) {
        throw new StartFailure(
            "--p4info " + p4info + ": not a P4Info in text format: it says nothing");
      }
    }
    try {
      return config.setP4DeviceConfig(ByteString.copyFrom(Files.readAllBytes(json))).build();
    } catch (IOException e) {
      throw new StartFailure(option() + ": cannot be read: " + ListenAddress.reason(e), e);
    }
  }

  /** The refusal of the two files together. */
  public StartFailure refused(RuntimeException e) {
    return new StartFailure(
        option() + (p4info == null ? "" : " with --p4info " + p4info) + ": " + e.getMessage(), e);
  }

  private String option() {
    return (p4info == null ? "FILE " : "--json ") + json;
  }

  /**
   * Reads a P4Runtime WriteRequest in protobuf's text format. Device, role and election ids in it
   * do not matter.
   *
   * @throws StartFailure if it is none
   */
  public static List<Update> readEntries(Path file) throws StartFailure {
    WriteRequest.Builder request = WriteRequest.newBuilder();
    merge(TextFormat.getParser(), "--entries", file, "P4Runtime WriteRequest", request);
    return request.getUpdatesList();
  }

  private static void merge(
      TextFormat.Parser parser, String option, Path file, String kind, Message.Builder into)
      throws StartFailure {
    String start = option + " " + file + ": ";
    try {
      parser.merge(Files.readString(file), into);
    } catch (TextFormat.ParseException e) {
      throw new StartFailure(
          start + "not a " + kind + " in text format: line " + oneLine(e.getMessage()), e);
    } catch (CharacterCodingException e) {
      throw new StartFailure(start + "not a " + kind + " in text format: not UTF-8 text", e);
    } catch (IOException e) {
      throw new StartFailure(start + "cannot be read: " + ListenAddress.reason(e), e);
    }
  }

  private static String oneLine(String message) {
    return message.strip().replaceAll("\\s+", " ");
  }
}
