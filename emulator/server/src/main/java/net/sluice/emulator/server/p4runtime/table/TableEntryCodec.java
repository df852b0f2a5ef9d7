package net.sluice.emulator.server.p4runtime.table;

import com.google.protobuf.ByteString;
import com.google.rpc.Code;
import java.math.BigInteger;
import net.sluice.emulator.server.p4runtime.status.RpcException;
import net.sluice.emulator.server.p4runtime.value.ByteStrings;
import net.sluice.emulator.server.p4runtime.value.StringType;
import net.sluice.emulator.v1model.table.MatchKey;
import net.sluice.emulator.v1model.table.MatchKind;
import net.sluice.emulator.v1model.table.MatchTable;
import net.sluice.emulator.v1model.table.WordLayout;
import p4.v1.P4RuntimeOuterClass.Action;
import p4.v1.P4RuntimeOuterClass.CounterData;
import p4.v1.P4RuntimeOuterClass.FieldMatch;
import p4.v1.P4RuntimeOuterClass.TableEntry;

/**
 * Entries of one table between P4Runtime's messages and the table's words. Holds scratch space: one
 * thread at a time, and what {@link #key()} and {@link #data()} answer is good until the next call.
 */
public final class TableEntryCodec {

  private final BoundTable binding;
  private final WordLayout layout;
  private final MatchKey key;
  private final long[] data;

  public TableEntryCodec(BoundTable binding) {
    this.binding = binding;
    this.layout = binding.layout();
    this.key = new MatchKey(layout);
    this.data = new long[binding.table().dataWords()];
  }

  /** The table whose entries these are. */
  public BoundTable table() {
    return binding;
  }

  /**
   * The slot of the entry with the match last read.
   *
   * @throws RpcException NOT_FOUND if there is none
   */
  public int locate() throws RpcException {
    int slot = binding.table().locate(key);
    if (slot == 0) {
      throw new RpcException(Code.NOT_FOUND, "table '" + binding.name() + "' has no such entry");
    }
    return slot;
  }

  /** A copy of the match last read, to be kept. */
  MatchKey copyKey() {
    MatchKey copy = new MatchKey(layout);
    System.arraycopy(key.value, 0, copy.value, 0, key.value.length);
    System.arraycopy(key.mask, 0, copy.mask, 0, key.mask.length);
    copy.prefixLength = key.prefixLength;
    copy.priority = key.priority;
    return copy;
  }

  /** The match of the last entry read. */
  public MatchKey key() {
    return key;
  }

  /** The action data of the last action read. */
  long[] data() {
    return data;
  }

  // ---- from messages ----

  /**
   * Reads the match and the priority of an entry.
   *
   * @throws RpcException if they do not fit the table (INVALID_ARGUMENT, or OUT_OF_RANGE for a
   *     value too wide)
   */
  public void readMatch(TableEntry entry) throws RpcException {
    key.clear();
    long given = 0;
    for (int i = 0; i < entry.getMatchCount(); i++) {
      FieldMatch match = entry.getMatch(i);
      int index = binding.fieldIndex(match.getFieldId());
      if (index < 0) {
        throw RpcException.invalid(
            "table '" + binding.name() + "' has no match field with id " + match.getFieldId());
      }
      if ((given & 1L << index) != 0) {
        throw RpcException.invalid(owner(index) + " is given twice");
      }
      given |= 1L << index;
      readField(match, index);
    }
    for (int index = 0; index < layout.fields().size(); index++) {
      if ((given & 1L << index) == 0) {
        leaveOut(index);
      }
    }
    int priority = entry.getPriority();
    if (binding.prioritized() ? priority <= 0 : priority != 0) {
      throw RpcException.invalid(
          "table '%s': priority is %s; %s",
          binding.name(),
          priority,
          binding.prioritized()
              ? "it must be positive"
              : "it must be 0 in a table without range, ternary or optional fields");
    }
    key.priority = priority;
  }

  private String owner(int index) {
    return "match field '%s' of table '%s'"
        .formatted(layout.fields().get(index).name(), binding.name());
  }

  private void readField(FieldMatch match, int index) throws RpcException {
    WordLayout.Field field = layout.fields().get(index);
    switch (binding.kind(index)) {
      case EXACT:
        expect(match, FieldMatch.FieldMatchTypeCase.EXACT, index);
        ByteStrings.read(
            number(match.getExact().getValue(), index), field, key.value, owner(index));
        cover(field);
        return;
      case OPTIONAL:
        expect(match, FieldMatch.FieldMatchTypeCase.OPTIONAL, index);
        ByteStrings.read(
            number(match.getOptional().getValue(), index), field, key.value, owner(index));
        cover(field);
        return;
      case LPM:
        expect(match, FieldMatch.FieldMatchTypeCase.LPM, index);
        int length = match.getLpm().getPrefixLen();
        if (length < 1 || length > field.widthBits()) {
          throw RpcException.invalid(
              "%s: prefix_len is %s; it must be from 1 to %s (a match on nothing is left out)",
              owner(index), length, field.widthBits());
        }
        ByteStrings.read(match.getLpm().getValue(), field, key.value, owner(index));
        WordLayout.prefixMask(field, length, key.mask);
        key.prefixLength = length;
        checkMasked(field, index, "prefix of " + length + " bits");
        return;
      case TERNARY:
        expect(match, FieldMatch.FieldMatchTypeCase.TERNARY, index);
        ByteStrings.read(match.getTernary().getValue(), field, key.value, owner(index));
        ByteStrings.read(match.getTernary().getMask(), field, key.mask, owner(index) + " (mask)");
        if (isAll(field, key.mask, false)) {
          throw RpcException.invalid(
              owner(index) + ": the mask is 0; a match on nothing is left out");
        }
        checkMasked(field, index, "mask");
        return;
      case RANGE:
        expect(match, FieldMatch.FieldMatchTypeCase.RANGE, index);
        ByteStrings.read(match.getRange().getLow(), field, key.value, owner(index) + " (low)");
        ByteStrings.read(match.getRange().getHigh(), field, key.mask, owner(index) + " (high)");
        if (WordLayout.compare(key.value, field.word(), key.mask, field.word(), field.words())
            > 0) {
          throw RpcException.invalid(
              "%s: low 0x%s is above high 0x%s",
              owner(index), hex(field, key.value), hex(field, key.mask));
        }
        if (isAll(field, key.value, false) && isAll(field, key.mask, true)) {
          throw RpcException.invalid(
              owner(index) + ": the range is everything; a match on nothing is left out");
        }
    }
  }

  /** The number that a value stands for if it is a string. */
  private ByteString number(ByteString value, int index) throws RpcException {
    StringType strings = binding.strings(index);
    return strings == null
        ? value
        : strings.number(value, layout.fields().get(index).widthBits(), owner(index));
  }

  private static String hex(WordLayout.Field field, long[] words) {
    return new BigInteger(1, ByteStrings.write(field, words).toByteArray()).toString(16);
  }

  private void expect(FieldMatch match, FieldMatch.FieldMatchTypeCase expected, int index)
      throws RpcException {
    if (match.getFieldMatchTypeCase() != expected) {
      throw RpcException.invalid(
          owner(index) + " is " + expected + "; the entry gives " + match.getFieldMatchTypeCase());
    }
  }

  private void cover(WordLayout.Field field) {
    for (int limb = 0; limb < field.words(); limb++) {
      key.mask[field.word() + limb] |= field.maskOf(limb);
    }
  }

  private void checkMasked(WordLayout.Field field, int index, String by) throws RpcException {
    for (int limb = 0; limb < field.words(); limb++) {
      int word = field.word() + limb;
      if ((key.value[word] & ~key.mask[word] & field.maskOf(limb)) != 0) {
        throw RpcException.invalid(owner(index) + ": the value has bits set outside of the " + by);
      }
    }
  }

  private static boolean isAll(WordLayout.Field field, long[] words, boolean ones) {
    for (int limb = 0; limb < field.words(); limb++) {
      if ((words[field.word() + limb] & field.maskOf(limb)) != (ones ? field.maskOf(limb) : 0)) {
        return false;
      }
    }
    return true;
  }

  /** Fills in the meaning of a field that the entry does not mention. */
  private void leaveOut(int index) throws RpcException {
    WordLayout.Field field = layout.fields().get(index);
    if (binding.kind(index) == MatchKind.EXACT) {
      throw RpcException.invalid(owner(index) + " is missing; an exact match cannot be left out");
    }
    if (binding.kind(index) == MatchKind.RANGE) {
      cover(field);
    }
  }

  /**
   * Reads an action of the table.
   *
   * @param asDefault whether it is for the default entry
   * @return the action; its data is in {@link #data()}
   * @throws RpcException INVALID_ARGUMENT if it is not one of the table's or its parameters are
   *     wrong, OUT_OF_RANGE if a value is too wide, PERMISSION_DENIED if the action is not for this
   *     kind of entry
   */
  BoundTable.ActionBinding readAction(TableEntry entry, boolean asDefault) throws RpcException {
    if (binding.profile() != null) {
      return binding.profile().read(binding.name(), entry.getAction(), data);
    }
    if (!entry.getAction().hasAction()) {
      throw RpcException.invalid(
          "table '%s' takes an action; the entry gives %s",
          binding.name(), entry.getAction().getTypeCase());
    }
    Action action = entry.getAction().getAction();
    BoundTable.ActionBinding found = binding.action(action.getActionId());
    if (found == null) {
      throw RpcException.invalid(
          "table '" + binding.name() + "' has no action with id " + action.getActionId());
    }
    if (asDefault ? !found.allowedAsDefault() : !found.allowedInEntries()) {
      throw new RpcException(
          Code.PERMISSION_DENIED,
          "table '%s': action '%s' is for %s"
              .formatted(
                  binding.name(),
                  found.name(),
                  asDefault
                      ? "entries only, not for the default entry"
                      : "the default entry only"));
    }
    ActionArguments.read(action, found, data);
    return found;
  }

  // ---- to messages ----

  /** The entry in a slot; the default entry for slot 0. */
  public TableEntry write(int slot, boolean withCounter) {
    TableEntry.Builder entry = TableEntry.newBuilder().setTableId(binding.id());
    if (slot == MatchTable.DEFAULT_SLOT) {
      entry.setIsDefaultAction(true);
    } else {
      writeKey(slot, entry);
      entry.setIsConst(binding.table().isConst(slot));
    }
    writeAction(slot, entry);
    writeNotes(slot, entry);
    if (withCounter && binding.hasDirectCounter()) {
      entry.setCounterData(counter(slot));
    }
    return entry.build();
  }

  /** The key of an entry, and its controller metadata. */
  public TableEntry identify(int slot) {
    TableEntry.Builder entry = TableEntry.newBuilder().setTableId(binding.id());
    writeKey(slot, entry);
    writeNotes(slot, entry);
    return entry.build();
  }

  private void writeKey(int slot, TableEntry.Builder entry) {
    binding.table().readKey(slot, key);
    for (int index = 0; index < layout.fields().size(); index++) {
      writeField(index, entry);
    }
    entry.setPriority(key.priority);
  }

  private void writeNotes(int slot, TableEntry.Builder entry) {
    MatchTable table = binding.table();
    entry.setControllerMetadata(table.controllerMetadata(slot));
    byte[] metadata = table.metadata(slot);
    if (metadata != null) {
      entry.setMetadata(ByteString.copyFrom(metadata));
    }
    if (binding.hasTimeouts() && slot != MatchTable.DEFAULT_SLOT) {
      entry.setIdleTimeoutNs(table.timeouts.timeoutNanos(slot));
    }
  }

  /** The direct counter of the entry in a slot. */
  CounterData counter(int slot) {
    long[] counters = binding.table().counters;
    return CounterData.newBuilder()
        .setPacketCount(counters[2 * slot])
        .setByteCount(counters[2 * slot + 1])
        .build();
  }

  private void writeField(int index, TableEntry.Builder entry) {
    WordLayout.Field field = layout.fields().get(index);
    FieldMatch.Builder match = FieldMatch.newBuilder().setFieldId(binding.fieldId(index));
    switch (binding.kind(index)) {
      case EXACT -> match.getExactBuilder().setValue(value(field, index));
      case OPTIONAL -> {
        if (isAll(field, key.mask, false)) {
          return;
        }
        match.getOptionalBuilder().setValue(value(field, index));
      }
      case LPM -> {
        int length = prefixLength(field);
        if (length == 0) {
          return;
        }
        match.getLpmBuilder().setValue(ByteStrings.write(field, key.value)).setPrefixLen(length);
      }
      case TERNARY -> {
        if (isAll(field, key.mask, false)) {
          return;
        }
        match
            .getTernaryBuilder()
            .setValue(ByteStrings.write(field, key.value))
            .setMask(ByteStrings.write(field, key.mask));
      }
      case RANGE -> {
        if (isAll(field, key.value, false) && isAll(field, key.mask, true)) {
          return;
        }
        match
            .getRangeBuilder()
            .setLow(ByteStrings.write(field, key.value))
            .setHigh(ByteStrings.write(field, key.mask));
      }
    }
    entry.addMatch(match);
  }

  private ByteString value(WordLayout.Field field, int index) {
    ByteString number = ByteStrings.write(field, key.value);
    StringType strings = binding.strings(index);
    return strings == null ? number : strings.string(number);
  }

  private int prefixLength(WordLayout.Field field) {
    int length = 0;
    for (int limb = 0; limb < field.words(); limb++) {
      length += Long.bitCount(key.mask[field.word() + limb] & field.maskOf(limb));
    }
    return length;
  }

  private void writeAction(int slot, TableEntry.Builder entry) {
    MatchTable table = binding.table();
    for (int word = 0; word < data.length; word++) {
      data[word] = table.data(slot, word);
    }
    if (binding.profile() != null && slot != MatchTable.DEFAULT_SLOT) {
      entry.setAction(binding.profile().write(table.action(slot), data[0]));
      return;
    }
    BoundTable.ActionBinding action = binding.actionAt(table.action(slot));
    if (action == null) {
      // The compiler may give a table a default action that P4Info does not mention; there is
      // nothing to call it by.
      return;
    }
    entry.getActionBuilder().setAction(ActionArguments.write(action, data));
  }
}
