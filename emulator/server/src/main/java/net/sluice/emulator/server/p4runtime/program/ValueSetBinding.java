package net.sluice.emulator.server.p4runtime.program;

import com.google.rpc.Code;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import net.sluice.emulator.server.p4runtime.entity.UndoLog;
import net.sluice.emulator.server.p4runtime.status.RpcException;
import net.sluice.emulator.server.p4runtime.value.ByteStrings;
import net.sluice.emulator.v1model.LoadedProgram;
import net.sluice.emulator.v1model.runtime.ValueSet;
import net.sluice.emulator.v1model.table.MatchKind;
import net.sluice.emulator.v1model.table.WordLayout;
import p4.config.v1.P4InfoOuterClass;
import p4.config.v1.P4InfoOuterClass.P4Info;
import p4.v1.P4RuntimeOuterClass.FieldMatch;
import p4.v1.P4RuntimeOuterClass.ValueSetEntry;
import p4.v1.P4RuntimeOuterClass.ValueSetMember;

/**
 * A parser value set as P4Runtime numbers it.
 *
 * @param fieldIds ids of the parts of the key
 * @param kinds how the parts are matched
 * @param set the members
 */
record ValueSetBinding(
    int id, String name, List<Integer> fieldIds, List<MatchKind> kinds, int size, ValueSet set) {

  /** Pairs a P4Info's value sets with those of a program. */
  static Map<Integer, ValueSetBinding> of(P4Info info, LoadedProgram program) throws RpcException {
    Map<Integer, ValueSetBinding> bindings = new LinkedHashMap<>();
    for (P4InfoOuterClass.ValueSet declared : info.getValueSetsList()) {
      String name = declared.getPreamble().getName();
      ValueSet found = null;
      for (ValueSet set : program.state().valueSets()) {
        if (set.name().equals(name)) {
          found = set;
        }
      }
      if (found == null) {
        throw RpcException.invalid("value set '" + name + "' is missing in the device config");
      }
      List<Integer> ids = new ArrayList<>();
      List<MatchKind> kinds = new ArrayList<>();
      List<Integer> widths = new ArrayList<>();
      for (P4InfoOuterClass.MatchField field : declared.getMatchList()) {
        MatchKind kind = kind(field);
        if (kind == null) {
          throw RpcException.invalid(
              "value set '%s' matches %s; it must be EXACT, LPM, TERNARY, RANGE or OPTIONAL",
              name, field.getMatchType());
        }
        if (kind == MatchKind.RANGE) {
          found.setRange(kinds.size());
        }
        kinds.add(kind);
        ids.add(field.getId());
        widths.add(field.getBitwidth());
      }
      // Of several parts, which only P4_14 has, p4c tells nothing in P4Info.
      if (!widths.isEmpty() && !widths.equals(found.widthsBits())) {
        throw RpcException.invalid(
            "value set '%s' has fields of %s bits in P4Info and %s in the device config",
            name, widths, found.widthsBits());
      }
      int id = declared.getPreamble().getId();
      bindings.put(id, new ValueSetBinding(id, name, ids, kinds, declared.getSize(), found));
    }
    return bindings;
  }

  private static MatchKind kind(P4InfoOuterClass.MatchField field) {
    return switch (field.getMatchType()) {
      case EXACT -> MatchKind.EXACT;
      case LPM -> MatchKind.LPM;
      case TERNARY -> MatchKind.TERNARY;
      case RANGE -> MatchKind.RANGE;
      case OPTIONAL -> MatchKind.OPTIONAL;
      default -> null;
    };
  }

  /** Replaces the members by those of an entry. */
  void write(ValueSetEntry entry, UndoLog undo) throws RpcException {
    if (entry.getMembersCount() > 0 && fieldIds.isEmpty()) {
      throw RpcException.invalid(
          "value set '" + name + "' has no match fields in P4Info, so it takes no members");
    }
    if (entry.getMembersCount() > size) {
      throw new RpcException(
          Code.RESOURCE_EXHAUSTED,
          "value set '" + name + "' takes " + size + " members, not " + entry.getMembersCount());
    }
    List<long[]> members = new ArrayList<>();
    for (ValueSetMember member : entry.getMembersList()) {
      long[] words = member(member);
      for (long[] other : members) {
        if (Arrays.equals(words, other)) {
          throw new RpcException(
              Code.ALREADY_EXISTS, "value set '" + name + "' would have a member twice");
        }
      }
      members.add(words);
    }
    if (undo != null) {
      List<long[]> before = List.copyOf(set.members());
      undo.add(() -> set.replace(before));
    }
    set.replace(members);
  }

  /** A member as the set keeps it: the words of its values, then as many of its masks. */
  private long[] member(ValueSetMember member) throws RpcException {
    boolean exact = kinds.stream().allMatch(kind -> kind == MatchKind.EXACT);
    if (exact && member.getMatchCount() != fieldIds.size()) {
      throw wrongCount(member);
    }
    int words = 0;
    for (int i = 0; i < fieldIds.size(); i++) {
      words += layout(i).words();
    }
    long[] all = new long[2 * words];
    int found = 0;
    int at = 0;
    for (int i = 0; i < fieldIds.size(); i++) {
      WordLayout layout = layout(i);
      long[] value = new long[layout.words()];
      long[] mask = new long[layout.words()];
      FieldMatch match = field(member, fieldIds.get(i));
      if (match != null) {
        found++;
        read(match, i, layout.fields().get(0), value, mask);
      } else if (kinds.get(i) == MatchKind.EXACT) {
        throw RpcException.invalid(
            "field " + fieldIds.get(i) + " is missing in a member of value set '" + name + "'");
      } else if (kinds.get(i) == MatchKind.RANGE) {
        WordLayout.prefixMask(layout.fields().get(0), set.widthsBits().get(i), mask);
      }
      System.arraycopy(value, 0, all, at, value.length);
      System.arraycopy(mask, 0, all, words + at, value.length);
      at += value.length;
    }
    if (found != member.getMatchCount()) {
      throw wrongCount(member);
    }
    return all;
  }

  private RpcException wrongCount(ValueSetMember member) {
    return RpcException.invalid(
        "a member of value set '%s' has %s fields, not %s",
        name, fieldIds.size(), member.getMatchCount());
  }

  private void read(FieldMatch match, int index, WordLayout.Field field, long[] value, long[] mask)
      throws RpcException {
    String what = "field " + fieldIds.get(index) + " of value set '" + name + "'";
    MatchKind kind = kinds.get(index);
    if (!match.getFieldMatchTypeCase().name().equals(kind.name())) {
      throw RpcException.invalid(
          "%s must be %s, not %s",
          what,
          kind == MatchKind.EXACT ? "an exact match" : "a match of kind " + kind,
          match.getFieldMatchTypeCase());
    }
    switch (kind) {
      case LPM:
        int length = match.getLpm().getPrefixLen();
        if (length < 1 || length > field.widthBits()) {
          throw RpcException.invalid(
              what + ": prefix_len is " + length + "; it must be from 1 to " + field.widthBits());
        }
        ByteStrings.read(match.getLpm().getValue(), field, value, what);
        WordLayout.prefixMask(field, length, mask);
        break;
      case TERNARY:
        ByteStrings.read(match.getTernary().getValue(), field, value, what);
        ByteStrings.read(match.getTernary().getMask(), field, mask, what + " (mask)");
        break;
      case RANGE:
        ByteStrings.read(match.getRange().getLow(), field, value, what + " (low)");
        ByteStrings.read(match.getRange().getHigh(), field, mask, what + " (high)");
        if (WordLayout.compare(value, 0, mask, 0, value.length) > 0) {
          throw RpcException.invalid(what + ": low is above high");
        }
        return;
      default:
        ByteStrings.read(
            kind == MatchKind.OPTIONAL
                ? match.getOptional().getValue()
                : match.getExact().getValue(),
            field,
            value,
            what);
        WordLayout.prefixMask(field, field.widthBits(), mask);
    }
    for (int i = 0; i < value.length; i++) {
      if ((value[i] & ~mask[i]) != 0) {
        throw RpcException.invalid(what + ": the value has bits set outside of the mask");
      }
    }
  }

  /** The match on a field, or null if there is none. */
  private static FieldMatch field(ValueSetMember member, int fieldId) {
    for (FieldMatch match : member.getMatchList()) {
      if (match.getFieldId() == fieldId) {
        return match;
      }
    }
    return null;
  }

  private WordLayout layout(int part) {
    return WordLayout.of(
        List.of(new WordLayout.FieldSpec("", MatchKind.EXACT, set.widthsBits().get(part))));
  }

  /** The members. */
  ValueSetEntry read() {
    ValueSetEntry.Builder entry = ValueSetEntry.newBuilder().setValueSetId(id);
    for (long[] member : set.members()) {
      ValueSetMember.Builder written = entry.addMembersBuilder();
      int at = 0;
      for (int i = 0; i < fieldIds.size(); i++) {
        WordLayout layout = layout(i);
        WordLayout.Field field = layout.fields().get(0);
        long[] value = Arrays.copyOfRange(member, at, at + layout.words());
        int masks = member.length / 2 + at;
        long[] mask = Arrays.copyOfRange(member, masks, masks + layout.words());
        at += layout.words();
        FieldMatch match = match(i, field, value, mask);
        if (match != null) {
          written.addMatch(match);
        }
      }
    }
    return entry.build();
  }

  /** A field of a member; null if it matches everything. */
  private FieldMatch match(int index, WordLayout.Field field, long[] value, long[] mask) {
    FieldMatch.Builder match = FieldMatch.newBuilder().setFieldId(fieldIds.get(index));
    int bits = count(mask);
    boolean range = kinds.get(index) == MatchKind.RANGE;
    if (range ? bits == field.widthBits() && count(value) == 0 : bits == 0) {
      return null;
    }
    switch (kinds.get(index)) {
      case LPM ->
          match.getLpmBuilder().setValue(ByteStrings.write(field, value)).setPrefixLen(bits);
      case TERNARY ->
          match
              .getTernaryBuilder()
              .setValue(ByteStrings.write(field, value))
              .setMask(ByteStrings.write(field, mask));
      case RANGE ->
          match
              .getRangeBuilder()
              .setLow(ByteStrings.write(field, value))
              .setHigh(ByteStrings.write(field, mask));
      case OPTIONAL -> match.getOptionalBuilder().setValue(ByteStrings.write(field, value));
      default -> match.getExactBuilder().setValue(ByteStrings.write(field, value));
    }
    return match.build();
  }

  private static int count(long[] mask) {
    int bits = 0;
    for (long word : mask) {
      bits += Long.bitCount(word);
    }
    return bits;
  }
}
