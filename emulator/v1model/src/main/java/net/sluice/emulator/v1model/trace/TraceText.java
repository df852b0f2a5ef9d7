package net.sluice.emulator.v1model.trace;

import java.util.ArrayList;
import java.util.List;
import net.sluice.emulator.trace.v1.Checksum;
import net.sluice.emulator.trace.v1.Condition;
import net.sluice.emulator.trace.v1.Copied;
import net.sluice.emulator.trace.v1.CounterAccess;
import net.sluice.emulator.trace.v1.Deparsed;
import net.sluice.emulator.trace.v1.Dropped;
import net.sluice.emulator.trace.v1.Entry;
import net.sluice.emulator.trace.v1.Event;
import net.sluice.emulator.trace.v1.Extracted;
import net.sluice.emulator.trace.v1.FieldChange;
import net.sluice.emulator.trace.v1.MeterAccess;
import net.sluice.emulator.trace.v1.Outcome;
import net.sluice.emulator.trace.v1.ParserEnded;
import net.sluice.emulator.trace.v1.ProfileChosen;
import net.sluice.emulator.trace.v1.Queued;
import net.sluice.emulator.trace.v1.RandomDrawn;
import net.sluice.emulator.trace.v1.RegisterAccess;
import net.sluice.emulator.trace.v1.Selected;
import net.sluice.emulator.trace.v1.Sent;
import net.sluice.emulator.trace.v1.Source;
import net.sluice.emulator.trace.v1.TableApplied;
import net.sluice.emulator.trace.v1.Trace;
import net.sluice.emulator.trace.v1.Value;

/** A trace as text: one step per line, with its source position at the end. */
public final class TraceText {

  private static final int PLACE_COLUMN = 88;
  private static final int WIDTH = 110;
  private static final int HEX_DIGITS_PER_LINE = 64;
  private static final String ALONE = "tbl_";

  private final List<String> lines = new ArrayList<>();

  /** Whether the last table was omitted because p4c made it for a direct action call. */
  private boolean plainCall;

  private TraceText() {}

  /** The text; its last line ends like the others. */
  public static String of(Trace trace) {
    TraceText text = new TraceText();
    text.header(trace);
    for (Event event : trace.getEventsList()) {
      text.event(event);
    }
    if (trace.getOmittedEvents() > 0) {
      text.line(1, trace.getOmittedEvents() + " further events omitted");
    }
    text.outcome(trace.getOutcome());
    return String.join("\n", text.lines) + "\n";
  }

  private void line(int level, String line) {
    lines.add("  ".repeat(level) + line);
  }

  private void line(int level, String line, Event event) {
    String text = "  ".repeat(level) + line;
    if (event.hasSource()) {
      Source source = event.getSource();
      text += " ".repeat(Math.max(1, PLACE_COLUMN - text.length()));
      text += "  " + source.getFile() + ":" + source.getLine();
    }
    lines.add(text);
  }

  private void bytes(String hex) {
    for (int at = 0; at < hex.length(); at += HEX_DIGITS_PER_LINE) {
      line(2, hex.substring(at, Math.min(hex.length(), at + HEX_DIGITS_PER_LINE)));
    }
  }

  private void header(Trace trace) {
    line(
        0,
        "packet %s %s%s on port %s at %s us, %s bytes"
            .formatted(
                trace.getNumber(),
                trace.getOrigin(),
                trace.hasParent() ? " of packet " + trace.getParent() : "",
                trace.getIngressPort(),
                trace.getIngressMicros(),
                trace.getPacket().length() / 2));
    bytes(trace.getPacket());
  }

  private void event(Event event) {
    switch (event.getEventCase()) {
      case PARSER_STATE -> line(1, "parser state " + event.getParserState().getState(), event);
      case EXTRACTED -> extracted(event.getExtracted());
      case ADVANCED -> line(2, "skip " + event.getAdvanced().getBits() + " bits");
      case SELECTED -> selected(event.getSelected());
      case PARSER_ENDED -> parserEnded(event.getParserEnded());
      case CHECKSUM -> checksum(event);
      case CONTROL_BEGUN -> line(1, event.getControlBegun().getControl());
      case CONDITION -> line(2, condition(event.getCondition()), event);
      case TABLE_APPLIED -> table(event);
      case ACTION_RUN ->
          line(
              plainCall ? 2 : 3,
              (plainCall ? "do " : "action ")
                  + event.getActionRun().getAction()
                  + "("
                  + values(event.getActionRun().getParametersList(), ", ")
                  + ")",
              event);
      case FIELDS_CHANGED -> {
        for (FieldChange change : event.getFieldsChanged().getChangesList()) {
          line(3, change.getName() + ": " + change.getBefore() + " -> " + change.getAfter(), event);
        }
      }
      case COUNTER -> line(3, counter(event.getCounter()), event);
      case METER -> {
        MeterAccess meter = event.getMeter();
        line(
            3,
            "meter %s[%s] %s"
                .formatted(meter.getMeter(), meter.getIndex(), orBeyond(meter.getColour())),
            event);
      }
      case REGISTER -> line(3, register(event.getRegister()), event);
      case RANDOM -> {
        RandomDrawn random = event.getRandom();
        line(
            3,
            "random %s..%s drew %s = %s"
                .formatted(random.getLow(), random.getHigh(), random.getField(), random.getValue()),
            event);
      }
      case HASH ->
          line(
              3,
              "hash %s gave %s = %s"
                  .formatted(
                      event.getHash().getAlgorithm(),
                      event.getHash().getField(),
                      event.getHash().getValue()),
              event);
      case MARKED_TO_DROP -> line(3, "mark to drop", event);
      case EXITED -> line(3, "exit", event);
      case QUEUED -> queued(event.getQueued());
      case DEPARSED -> deparsed(event);
      case PROFILE_CHOSEN -> {
        ProfileChosen chosen = event.getProfileChosen();
        line(
            3,
            "action profile "
                + chosen.getProfile()
                + (chosen.getOfGroup() ? ", of the group" : "")
                + (chosen.hasMember() ? ", member " + chosen.getMember() : ", no member"),
            event);
      }
      case REQUESTED ->
          line(
              3,
              "ask for "
                  + event.getRequested().getKind()
                  + (event.getRequested().hasNumber()
                      ? " " + event.getRequested().getNumber()
                      : ""),
              event);
      case COPIED -> {
        Copied copied = event.getCopied();
        line(1, copied.getKind() + ": packet " + copied.getNumber(), event);
      }
      case REENTERED -> line(1, event.getReentered().getKind() + ": through ingress again", event);
      case MESSAGE -> line(3, event.getMessage().getText(), event);
      case EVENT_NOT_SET -> {}
    }
    if (!event.hasTableApplied()) {
      plainCall = false;
    }
  }

  private static String condition(Condition condition) {
    // Of a condition within an action the compiler keeps only the keyword.
    String text = condition.getCondition();
    return (text.equals("if") ? "if: " : "if (" + text + ") ") + condition.getHolds();
  }

  private static String orBeyond(String value) {
    return value.isEmpty() ? "is beyond the array" : value;
  }

  private static String values(List<Value> values, String separator) {
    List<String> texts = new ArrayList<>();
    for (Value value : values) {
      texts.add(value.getName() + "=" + value.getValue());
    }
    return String.join(separator, texts);
  }

  private void extracted(Extracted extracted) {
    line(2, "extract " + extracted.getHeader() + ", " + extracted.getBytes() + " bytes");
    StringBuilder row = new StringBuilder();
    for (Value field : extracted.getFieldsList()) {
      String text = field.getName() + "=" + field.getValue();
      if (row.length() > 0 && row.length() + text.length() > WIDTH) {
        line(3, row.toString());
        row.setLength(0);
      }
      row.append(row.length() == 0 ? "" : " ").append(text);
    }
    if (row.length() > 0) {
      line(3, row.toString());
    }
  }

  private void selected(Selected selected) {
    line(
        2,
        (selected.getKeyCount() == 0
                ? "go on: "
                : "select " + values(selected.getKeyList(), " ") + ": ")
            + selected.getNext());
  }

  private void parserEnded(ParserEnded ended) {
    line(
        1,
        "parser ends: %s, %s bytes of headers, %s of payload"
            .formatted(ended.getError(), ended.getHeaderBytes(), ended.getPayloadBytes()));
  }

  private void checksum(Event event) {
    Checksum checksum = event.getChecksum();
    line(
        1,
        checksum.getOperation()
            + " checksum "
            + checksum.getField()
            + ": "
            + checksum.getComputed()
            + (checksum.hasGood() ? checksum.getGood() ? ", good" : ", bad" : ""),
        event);
  }

  private void table(Event event) {
    TableApplied table = event.getTableApplied();
    plainCall = table.getKeyCount() == 0 && table.getTable().startsWith(ALONE);
    if (plainCall) {
      return;
    }
    line(2, "table " + table.getTable(), event);
    if (table.getKeyCount() > 0) {
      line(3, "key " + values(table.getKeyList(), " "));
    }
    line(3, table.getHit() ? entry(table.getEntry()) : "miss");
    if (table.hasCounterPackets()) {
      line(
          3,
          "counter: %s packets, %s bytes"
              .formatted(table.getCounterPackets(), table.getCounterBytes()));
    }
    if (!table.getMeterColour().isEmpty()) {
      line(3, "meter: " + table.getMeterColour());
    }
  }

  private static String entry(Entry entry) {
    return "hit entry "
        + entry.getHandle()
        + ": "
        + values(entry.getMatchList(), " ")
        + (entry.hasPriority() ? ", priority " + entry.getPriority() : "")
        + (entry.getIsConst() ? ", const" : "");
  }

  private static String counter(CounterAccess counter) {
    return "counter %s[%s] %s"
        .formatted(
            counter.getCounter(),
            counter.getIndex(),
            counter.hasPackets()
                ? "now " + counter.getPackets() + " packets, " + counter.getBytes() + " bytes"
                : "is beyond the array");
  }

  private static String register(RegisterAccess register) {
    return "%s register %s[%s] %s"
        .formatted(
            register.getOperation(),
            register.getRegister(),
            register.getIndex(),
            register.getValue().isEmpty() ? "is beyond the array" : "= " + register.getValue());
  }

  private void queued(Queued queued) {
    line(
        1,
        ("queue of port %s, priority %s: in at %s us behind %s packets, out after %s us with"
                + " %s left")
            .formatted(
                queued.getPort(),
                queued.getPriority(),
                queued.getEnqueueMicros(),
                queued.getEnqueueDepth(),
                queued.getWaitedMicros(),
                queued.getDequeueDepth()));
  }

  private void deparsed(Event event) {
    Deparsed deparsed = event.getDeparsed();
    List<String> headers = new ArrayList<>();
    deparsed
        .getHeadersList()
        .forEach(header -> headers.add(header.getHeader() + " " + header.getBytes()));
    headers.add("payload " + deparsed.getPayloadBytes());
    line(1, "deparser emits " + String.join(", ", headers), event);
  }

  private void outcome(Outcome outcome) {
    if (outcome.hasSent()) {
      Sent sent = outcome.getSent();
      line(1, "sent on port " + sent.getPort() + ", " + sent.getPacket().length() / 2 + " bytes");
      bytes(sent.getPacket());
    } else if (outcome.hasDropped()) {
      Dropped dropped = outcome.getDropped();
      String text = "dropped: " + reason(dropped);
      if (!dropped.getAction().isEmpty()) {
        text += ", by action " + dropped.getAction();
      }
      if (dropped.hasSource()) {
        text += " (" + dropped.getSource().getFile() + ":" + dropped.getSource().getLine() + ")";
      }
      line(1, text);
    }
  }

  private static String reason(Dropped dropped) {
    return switch (dropped.getReason()) {
      case INGRESS_DROP -> "ingress asked for it";
      case EGRESS_DROP -> "egress asked for it";
      case NO_SUCH_PORT -> "the egress port does not exist";
      case QUEUE_FULL -> "the queue is full";
      case NO_SUCH_QUEUE -> "its priority has no queue";
      case PORT_DOWN -> "the egress port is down";
      case PROGRAM_REPLACED -> "the program was replaced";
      case NO_SUCH_GROUP -> "the multicast group does not exist";
      case NO_COPIES -> "the group or session makes no copies";
      case TOO_MANY_RETURN -> "too many packets are on their way back to ingress";
      case PROGRAM_FAILURE -> "the program failed";
      default -> "no reason known";
    };
  }
}
