package net.sluice.emulator.cli.trace;

import com.google.protobuf.ByteString;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import net.sluice.cli.OptionException;
import net.sluice.cli.Range;
import net.sluice.emulator.trace.v1.BytePattern;
import net.sluice.emulator.trace.v1.DropReason;
import net.sluice.emulator.trace.v1.FlowFilter;
import net.sluice.emulator.trace.v1.TableFilter;
import net.sluice.emulator.trace.v1.TraceFilter;
import picocli.CommandLine.Option;

/** The options that say which packets to trace. */
final class FilterOptions {

  private static final int MAX_PORT = 510;
  private static final int MAX_L4_PORT = 65_535;
  private static final int MAX_PROTOCOL = 255;
  private static final Pattern BYTES =
      Pattern.compile("(\\d{1,5}):((?:[0-9a-fA-F]{2})+)(?:/((?:[0-9a-fA-F]{2})+))?");

  @Option(
      names = "--in",
      paramLabel = "PORT",
      description = "Packets that come in on this port. May be repeated: on one of them.")
  @Range(min = 0, max = MAX_PORT)
  private List<Integer> in = List.of();

  @Option(
      names = "--bytes",
      paramLabel = "OFFSET:HEX[/MASK]",
      description = "Packets with these bytes there. May be repeated: with all of them.")
  private List<String> bytes = List.of();

  @Option(
      names = "--source",
      paramLabel = "PREFIX",
      description = "IP packets from this address or prefix.")
  private String source;

  @Option(
      names = "--destination",
      paramLabel = "PREFIX",
      description = "IP packets to this address or prefix.")
  private String destination;

  @Option(names = "--protocol", paramLabel = "N", description = "IP packets of this protocol.")
  @Range(min = 0, max = MAX_PROTOCOL)
  private Integer protocol;

  @Option(names = "--source-port", paramLabel = "N", description = "From this TCP or UDP port.")
  @Range(min = 0, max = MAX_L4_PORT)
  private Integer sourcePort;

  @Option(names = "--destination-port", paramLabel = "N", description = "To this TCP or UDP port.")
  @Range(min = 0, max = MAX_L4_PORT)
  private Integer destinationPort;

  @Option(
      names = "--hit",
      paramLabel = "TABLE[=ACTION]",
      description = "Packets that hit an entry of this table, with this action. May be repeated.")
  private List<String> hit = List.of();

  @Option(
      names = "--miss",
      paramLabel = "TABLE",
      description = "Packets that miss this table. May be repeated.")
  private List<String> miss = List.of();

  @Option(
      names = "--dropped",
      paramLabel = "REASON",
      description = {
        "Packets dropped for this reason: any, ingress-drop, egress-drop, no-such-port, queue-full,"
            + " no-such-queue, port-down, no-such-group, no-copies, too-many-return,"
            + " program-replaced, program-failure. May be repeated."
      })
  private List<String> dropped = List.of();

  @Option(
      names = "--dropped-by",
      paramLabel = "ACTION",
      description = "Packets dropped by this action.")
  private String droppedBy;

  @Option(
      names = "--sample",
      paramLabel = "N",
      description = "Every Nth of the packets that come in as asked for.")
  @Range(min = 1, max = Integer.MAX_VALUE)
  private Integer sample;

  @Option(names = "--count", paramLabel = "N", description = "End after N traces.")
  @Range(min = 1)
  private Long count;

  /** The filter. */
  TraceFilter filter() {
    TraceFilter.Builder filter = TraceFilter.newBuilder();
    in.forEach(filter::addIngressPorts);
    bytes.forEach(text -> filter.addPatterns(pattern(text)));
    FlowFilter flow = flow();
    if (!flow.equals(FlowFilter.getDefaultInstance())) {
      filter.setFlow(flow);
    }
    hit.forEach(text -> filter.addTables(hit(text)));
    miss.forEach(
        text ->
            filter.addTables(
                TableFilter.newBuilder().setTable(name("--miss", text)).setHit(false)));
    dropped.forEach(text -> addReason(text, filter));
    if (droppedBy != null) {
      filter.setDropAction(name("--dropped-by", droppedBy));
    }
    if (sample != null) {
      filter.setSampleOneIn(sample);
    }
    if (count != null) {
      filter.setLimit(count);
    }
    return filter.build();
  }

  private FlowFilter flow() {
    FlowFilter.Builder flow = FlowFilter.newBuilder();
    if (source != null) {
      flow.setSource(source);
    }
    if (destination != null) {
      flow.setDestination(destination);
    }
    if (protocol != null) {
      flow.setProtocol(protocol);
    }
    if (sourcePort != null) {
      flow.setSourcePort(sourcePort);
    }
    if (destinationPort != null) {
      flow.setDestinationPort(destinationPort);
    }
    return flow.build();
  }

  private static BytePattern pattern(String text) {
    Matcher matcher = BYTES.matcher(text);
    if (!matcher.matches()
        || matcher.group(3) != null && matcher.group(3).length() != matcher.group(2).length()) {
      throw new OptionException(
          "--bytes",
          text,
          "OFFSET:HEX, or OFFSET:HEX/MASK with a mask as long as the bytes, such as 12:0800");
    }
    BytePattern.Builder pattern =
        BytePattern.newBuilder()
            .setOffset(Integer.parseInt(matcher.group(1)))
            .setValue(hex(matcher.group(2)));
    if (matcher.group(3) != null) {
      pattern.setMask(hex(matcher.group(3)));
    }
    return pattern.build();
  }

  private static ByteString hex(String digits) {
    return ByteString.copyFrom(HexFormat.of().parseHex(digits));
  }

  private static TableFilter hit(String text) {
    int equals = text.indexOf('=');
    TableFilter.Builder table = TableFilter.newBuilder().setHit(true);
    if (equals < 0) {
      return table.setTable(name("--hit", text)).build();
    }
    return table
        .setTable(name("--hit", text.substring(0, equals)))
        .setAction(name("--hit", text.substring(equals + 1)))
        .build();
  }

  private static String name(String option, String text) {
    if (text.isBlank()) {
      throw new OptionException(option, text, "a name of the program, or its end from a dot on");
    }
    return text;
  }

  private static void addReason(String text, TraceFilter.Builder filter) {
    List<DropReason> all =
        Arrays.stream(DropReason.values()).filter(r -> r != DropReason.UNRECOGNIZED).toList();
    if (text.equals("any")) {
      filter.addAllDropReasons(all);
      return;
    }
    for (DropReason reason : all) {
      if (reason != DropReason.DROP_REASON_UNSPECIFIED && optionText(reason).equals(text)) {
        filter.addDropReasons(reason);
        return;
      }
    }
    throw new OptionException(
        "--dropped",
        text,
        "any, "
            + all.stream()
                .filter(r -> r != DropReason.DROP_REASON_UNSPECIFIED)
                .map(FilterOptions::optionText)
                .collect(Collectors.joining(", ")));
  }

  private static String optionText(DropReason reason) {
    return reason.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
