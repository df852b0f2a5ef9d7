package net.sluice.emulator.p4runtime;

import com.google.rpc.Code;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import net.sluice.emulator.bmv2.LoadedProgram;
import net.sluice.emulator.bmv2.runtime.ValueSet;
import net.sluice.emulator.bmv2.table.MatchKind;
import net.sluice.emulator.bmv2.table.WordLayout;
import p4.config.v1.P4InfoOuterClass;
import p4.config.v1.P4InfoOuterClass.P4Info;
import p4.v1.P4RuntimeOuterClass.FieldMatch;
import p4.v1.P4RuntimeOuterClass.ValueSetEntry;
import p4.v1.P4RuntimeOuterClass.ValueSetMember;

/**
 * A parser value set as P4Runtime numbers it; its members match exactly.
 *
 * @param fieldIds ids of the parts of the key
 * @param set the members
 */
record ValueSetBinding(int id, String name, List<Integer> fieldIds, int size, ValueSet set) {

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
      List<Integer> widths = new ArrayList<>();
      for (P4InfoOuterClass.MatchField field : declared.getMatchList()) {
        if (field.getMatchType() != P4InfoOuterClass.MatchField.MatchType.EXACT) {
          throw RpcException.invalid(
              "value set '" + name + "' matches " + field.getMatchType() + "; it must be EXACT");
        }
        ids.add(field.getId());
        widths.add(field.getBitwidth());
      }
      if (!widths.equals(found.widthsBits())) {
        throw RpcException.invalid(
            "value set '"
                + name
                + "' has fields of "
                + widths
                + " bits in P4Info and "
                + found.widthsBits()
                + " in the device config");
      }
      int id = declared.getPreamble().getId();
      bindings.put(id, new ValueSetBinding(id, name, ids, declared.getSize(), found));
    }
    return bindings;
  }

  /** Replaces the members by those of an entry. */
  void write(ValueSetEntry entry, UndoLog undo) throws RpcException {
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

  private long[] member(ValueSetMember member) throws RpcException {
    if (member.getMatchCount() != fieldIds.size()) {
      throw RpcException.invalid(
          "a member of value set '"
              + name
              + "' has "
              + fieldIds.size()
              + " fields, not "
              + member.getMatchCount());
    }
    List<long[]> parts = new ArrayList<>(fieldIds.size());
    int words = 0;
    for (int i = 0; i < fieldIds.size(); i++) {
      WordLayout layout = layout(i);
      long[] part = new long[layout.words()];
      FieldMatch match = field(member, fieldIds.get(i));
      ByteStrings.read(
          match.getExact().getValue(),
          layout.fields().get(0),
          part,
          "field " + fieldIds.get(i) + " of value set '" + name + "'");
      parts.add(part);
      words += part.length;
    }
    long[] all = new long[words];
    int at = 0;
    for (long[] part : parts) {
      System.arraycopy(part, 0, all, at, part.length);
      at += part.length;
    }
    return all;
  }

  private FieldMatch field(ValueSetMember member, int fieldId) throws RpcException {
    for (FieldMatch match : member.getMatchList()) {
      if (match.getFieldId() == fieldId) {
        if (!match.hasExact()) {
          throw RpcException.invalid(
              "field " + fieldId + " of value set '" + name + "' must be an exact match");
        }
        return match;
      }
    }
    throw RpcException.invalid(
        "field " + fieldId + " is missing in a member of value set '" + name + "'");
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
        long[] part = new long[layout.words()];
        System.arraycopy(member, at, part, 0, part.length);
        at += part.length;
        written
            .addMatchBuilder()
            .setFieldId(fieldIds.get(i))
            .getExactBuilder()
            .setValue(ByteStrings.write(layout.fields().get(0), part));
      }
    }
    return entry.build();
  }
}
