package net.sluice.pipeconf.testing;

import com.google.protobuf.ByteString;
import java.math.BigInteger;
import java.util.stream.Collectors;
import net.sluice.pipeconf.p4info.ActionDescriptor;
import net.sluice.pipeconf.p4info.MatchField;
import net.sluice.pipeconf.p4info.ParamDescriptor;
import net.sluice.pipeconf.p4info.ProgramDescriptor;
import net.sluice.pipeconf.p4info.TableDescriptor;
import p4.v1.P4RuntimeOuterClass.Action;
import p4.v1.P4RuntimeOuterClass.CounterEntry;
import p4.v1.P4RuntimeOuterClass.FieldMatch;
import p4.v1.P4RuntimeOuterClass.TableEntry;
import p4.v1.P4RuntimeOuterClass.Update;

/** P4Runtime's messages as lines with the program's names. */
public final class UpdateText {
  private final ProgramDescriptor program;

  /** Of a program. */
  public UpdateText(ProgramDescriptor program) {
    this.program = program;
  }

  /** An update of a table entry or a counter cell. */
  public String of(Update update) {
    return update.getType()
        + " "
        + (update.getEntity().hasCounterEntry()
            ? of(update.getEntity().getCounterEntry())
            : of(update.getEntity().getTableEntry()));
  }

  private String of(CounterEntry cell) {
    String name =
        program.counters().stream()
            .filter(counter -> counter.id() == cell.getCounterId())
            .findAny()
            .orElseThrow()
            .name();
    return name + "[" + cell.getIndex().getIndex() + "] = " + cell.getData().getPacketCount();
  }

  /** A table entry. */
  public String of(TableEntry entry) {
    TableDescriptor table =
        program.tables().stream().filter(t -> t.id() == entry.getTableId()).findAny().orElseThrow();
    String text =
        table.name()
            + entry.getMatchList().stream()
                .map(match -> " " + match(table, match))
                .collect(Collectors.joining());
    if (entry.getPriority() > 0) {
      text += " priority=" + entry.getPriority();
    }
    return entry.hasAction() ? text + " -> " + action(table, entry.getAction().getAction()) : text;
  }

  private static String match(TableDescriptor table, FieldMatch match) {
    MatchField field =
        table.matchFields().stream()
            .filter(f -> f.id() == match.getFieldId())
            .findAny()
            .orElseThrow();
    return field.name()
        + switch (match.getFieldMatchTypeCase()) {
          case EXACT -> "=" + hex(match.getExact().getValue());
          case LPM -> "=" + hex(match.getLpm().getValue()) + "/" + match.getLpm().getPrefixLen();
          case RANGE ->
              "=" + hex(match.getRange().getLow()) + ".." + hex(match.getRange().getHigh());
          case TERNARY ->
              "=" + hex(match.getTernary().getValue()) + "&" + hex(match.getTernary().getMask());
          default -> throw new IllegalArgumentException(match.toString());
        };
  }

  private static String action(TableDescriptor table, Action action) {
    ActionDescriptor of =
        table.actions().stream()
            .filter(a -> a.id() == action.getActionId())
            .findAny()
            .orElseThrow();
    return of.name().replaceAll(".*\\.", "")
        + action.getParamsList().stream()
            .map(param -> name(of, param.getParamId()) + "=" + hex(param.getValue()))
            .collect(Collectors.joining(", ", "(", ")"));
  }

  private static String name(ActionDescriptor action, int id) {
    return action.params().stream()
        .filter(param -> param.id() == id)
        .findAny()
        .map(ParamDescriptor::name)
        .orElseThrow();
  }

  private static String hex(ByteString value) {
    return "0x" + new BigInteger(1, value.toByteArray()).toString(16);
  }
}
