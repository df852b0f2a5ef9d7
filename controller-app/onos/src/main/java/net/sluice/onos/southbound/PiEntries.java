package net.sluice.onos.southbound;

import com.google.protobuf.ByteString;
import java.util.List;
import net.sluice.intents.model.InvalidValueException;
import net.sluice.intents.plan.SwitchEntry;
import net.sluice.onos.southbound.PiNames.ActionNames;
import net.sluice.onos.southbound.PiNames.TableNames;
import net.sluice.onos.southbound.PiNames.Value;
import net.sluice.pipeconf.SwitchPipeline;
import net.sluice.pipeconf.table.EntryCodec;
import org.onlab.util.ImmutableByteSequence;
import org.onosproject.net.pi.model.PiMatchFieldId;
import org.onosproject.net.pi.runtime.PiAction;
import org.onosproject.net.pi.runtime.PiActionParam;
import org.onosproject.net.pi.runtime.PiExactFieldMatch;
import org.onosproject.net.pi.runtime.PiFieldMatch;
import org.onosproject.net.pi.runtime.PiLpmFieldMatch;
import org.onosproject.net.pi.runtime.PiMatchKey;
import org.onosproject.net.pi.runtime.PiRangeFieldMatch;
import org.onosproject.net.pi.runtime.PiTableEntry;
import org.onosproject.net.pi.runtime.PiTernaryFieldMatch;
import p4.v1.P4RuntimeOuterClass.Action;
import p4.v1.P4RuntimeOuterClass.FieldMatch;
import p4.v1.P4RuntimeOuterClass.TableAction;
import p4.v1.P4RuntimeOuterClass.TableEntry;

/**
 * Entries as the pipeline encodes them for P4Runtime to entries as ONOS takes them, and back.
 *
 * <p>ONOS wants names and values of the full width. And it takes an entry without match for the
 * table's default action, so that an entry that matches everything, such as a default route, cannot
 * be said: it goes as its two halves, prefixes of one bit. Prefixes of one bit of their own are
 * refused for that.
 */
final class PiEntries {
  private final EntryCodec codec;
  private final PiNames names;

  PiEntries(SwitchPipeline pipeline) {
    codec = pipeline.entries();
    names = new PiNames(pipeline.descriptor());
  }

  PiNames names() {
    return names;
  }

  EntryCodec codec() {
    return codec;
  }

  /**
   * The entry: one for ONOS, or the two halves of one that matches everything.
   *
   * @throws InvalidValueException if a component does not fit, or ONOS cannot say it
   */
  List<PiTableEntry> encode(SwitchEntry entry) {
    TableEntry encoded = codec.encode(entry);
    TableNames table = names.table(encoded.getTableId());
    if (encoded.hasMeterConfig()) {
      throw new InvalidValueException(
          table.name.id(), entry, "an entry without a meter: ONOS's entries have none");
    }
    if (encoded.getMatchCount() > 0) {
      requireNoHalf(table, encoded, entry);
      return List.of(encode(table, encoded, key(table, encoded)));
    }
    Value<PiMatchFieldId> prefix = table.onlyPrefix();
    if (prefix == null) {
      throw new InvalidValueException(
          table.name.id(), entry, "an entry with a match: without, ONOS takes it for the default");
    }
    return List.of(
        encode(table, encoded, half(prefix, false)), encode(table, encoded, half(prefix, true)));
  }

  private static void requireNoHalf(TableNames table, TableEntry encoded, SwitchEntry entry) {
    if (table.onlyPrefix() != null && encoded.getMatch(0).getLpm().getPrefixLen() == 1) {
      throw new InvalidValueException(
          table.name.id(),
          entry,
          "prefixes of 0 or of 2 and more bits: through ONOS two of 1 bit stand for one of 0");
    }
  }

  private static PiMatchKey half(Value<PiMatchFieldId> prefix, boolean upper) {
    byte[] value = new byte[(prefix.bits() + 7) / 8];
    if (upper) {
      value[0] = (byte) (1 << ((prefix.bits() - 1) % 8));
    }
    return PiMatchKey.builder()
        .addFieldMatch(new PiLpmFieldMatch(prefix.name(), ImmutableByteSequence.copyFrom(value), 1))
        .build();
  }

  private PiTableEntry encode(TableNames table, TableEntry entry, PiMatchKey key) {
    PiTableEntry.Builder builder =
        PiTableEntry.builder()
            .forTable(table.name)
            .withMatchKey(key)
            .withAction(action(entry.getAction().getAction()));
    if (entry.getPriority() > 0) {
      builder.withPriority(entry.getPriority());
    }
    return builder.build();
  }

  private PiMatchKey key(TableNames table, TableEntry entry) {
    PiMatchKey.Builder key = PiMatchKey.builder();
    for (FieldMatch match : entry.getMatchList()) {
      key.addFieldMatch(match(table.field(match.getFieldId()), match));
    }
    return key.build();
  }

  private static PiFieldMatch match(Value<PiMatchFieldId> field, FieldMatch match) {
    return switch (match.getFieldMatchTypeCase()) {
      case EXACT ->
          new PiExactFieldMatch(field.name(), wide(match.getExact().getValue(), field.bits()));
      case LPM ->
          new PiLpmFieldMatch(
              field.name(),
              wide(match.getLpm().getValue(), field.bits()),
              match.getLpm().getPrefixLen());
      case RANGE ->
          new PiRangeFieldMatch(
              field.name(),
              wide(match.getRange().getLow(), field.bits()),
              wide(match.getRange().getHigh(), field.bits()));
      case TERNARY ->
          new PiTernaryFieldMatch(
              field.name(),
              wide(match.getTernary().getValue(), field.bits()),
              wide(match.getTernary().getMask(), field.bits()));
      default -> throw new IllegalStateException("the pipeline writes no such match: " + match);
    };
  }

  private PiAction action(Action action) {
    ActionNames of = names.action(action.getActionId());
    PiAction.Builder builder = PiAction.builder().withId(of.name);
    for (Action.Param param : action.getParamsList()) {
      Value<?> value = of.param(param.getParamId());
      builder.withParameter(
          new PiActionParam(
              of.param(param.getParamId()).name(), wide(param.getValue(), value.bits())));
    }
    return builder.build();
  }

  private static ImmutableByteSequence wide(ByteString value, int bits) {
    byte[] bytes = new byte[(bits + 7) / 8];
    value.copyTo(bytes, bytes.length - value.size());
    return ImmutableByteSequence.copyFrom(bytes);
  }

  /**
   * The entry in P4Runtime's form.
   *
   * @throws InvalidValueException if the program does not have what it names
   */
  TableEntry decode(PiTableEntry entry) {
    TableNames table = names.table(entry.table());
    TableEntry.Builder decoded = TableEntry.newBuilder().setTableId(table.id);
    entry.priority().ifPresent(decoded::setPriority);
    for (PiFieldMatch match : entry.matchKey().fieldMatches()) {
      decoded.addMatch(match(table.field(match.fieldId()).id(), match));
    }
    if (entry.action() instanceof PiAction action) {
      decoded.setAction(TableAction.newBuilder().setAction(action(action)));
    }
    return decoded.build();
  }

  private static FieldMatch match(int id, PiFieldMatch match) {
    FieldMatch.Builder decoded = FieldMatch.newBuilder().setFieldId(id);
    if (match instanceof PiExactFieldMatch exact) {
      decoded.getExactBuilder().setValue(bytes(exact.value()));
    } else if (match instanceof PiLpmFieldMatch lpm) {
      decoded.getLpmBuilder().setValue(bytes(lpm.value())).setPrefixLen(lpm.prefixLength());
    } else if (match instanceof PiRangeFieldMatch range) {
      decoded.getRangeBuilder().setLow(bytes(range.lowValue())).setHigh(bytes(range.highValue()));
    } else if (match instanceof PiTernaryFieldMatch ternary) {
      decoded.getTernaryBuilder().setValue(bytes(ternary.value())).setMask(bytes(ternary.mask()));
    } else {
      throw new InvalidValueException(
          "match", match, "exact, longest prefix, range or ternary: the program has no other");
    }
    return decoded.build();
  }

  private Action action(PiAction action) {
    ActionNames of = names.action(action.id());
    Action.Builder decoded = Action.newBuilder().setActionId(of.id);
    for (PiActionParam param : action.parameters()) {
      decoded.addParams(
          Action.Param.newBuilder()
              .setParamId(of.param(param.id()).id())
              .setValue(bytes(param.value())));
    }
    return decoded.build();
  }

  private static ByteString bytes(ImmutableByteSequence sequence) {
    return ByteString.copyFrom(sequence.asReadOnlyBuffer());
  }
}
