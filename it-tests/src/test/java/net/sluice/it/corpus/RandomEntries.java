package net.sluice.it.corpus;

import com.google.protobuf.ByteString;
import java.math.BigInteger;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import net.sluice.emulator.v1model.LoadedProgram;
import net.sluice.emulator.v1model.program.Expr;
import net.sluice.emulator.v1model.program.Program;
import p4.config.v1.P4InfoOuterClass;
import p4.config.v1.P4InfoOuterClass.ActionRef.Scope;
import p4.config.v1.P4InfoOuterClass.P4Info;
import p4.v1.P4RuntimeOuterClass.Action;
import p4.v1.P4RuntimeOuterClass.ActionProfileAction;
import p4.v1.P4RuntimeOuterClass.ActionProfileGroup;
import p4.v1.P4RuntimeOuterClass.ActionProfileMember;
import p4.v1.P4RuntimeOuterClass.Entity;
import p4.v1.P4RuntimeOuterClass.FieldMatch;
import p4.v1.P4RuntimeOuterClass.TableAction;
import p4.v1.P4RuntimeOuterClass.TableEntry;
import p4.v1.P4RuntimeOuterClass.Update;

/**
 * Random writes for a program: what {@link RandomResources} has, members and groups of its action
 * profiles, entries of every table in every kind of match with their meters, default actions.
 * Values are often ones that packets have.
 */
final class RandomEntries {

  private static final int ENTRIES = 8;
  private static final int MEMBERS = 5;
  private static final int GROUPS = 3;

  private final LoadedProgram program;
  private final P4Info info;
  private final RandomPackets packets;
  private final Random random;
  private final Map<Integer, P4InfoOuterClass.Action> actions = new HashMap<>();
  private final Map<Integer, Boolean> oneShots = new HashMap<>();
  private final Map<Integer, P4InfoOuterClass.DirectMeter> meters = new HashMap<>();

  /** What the groups of a profile may still have together; bmv2 does not keep to it. */
  private final Map<Integer, Integer> room = new HashMap<>();

  private int priority;

  RandomEntries(LoadedProgram program, P4Info info, RandomPackets packets, long seed) {
    this.program = program;
    this.info = info;
    this.packets = packets;
    this.random = new Random(seed);
    info.getActionsList().forEach(a -> actions.put(a.getPreamble().getId(), a));
    info.getDirectMetersList().forEach(m -> meters.put(m.getDirectTableId(), m));
  }

  /** Writes in an order in which they can be applied. */
  List<Update> next() {
    List<Update> updates = new RandomResources(program.program(), info, random).next();
    for (P4InfoOuterClass.ActionProfile profile : info.getActionProfilesList()) {
      // bmv2's server does not take both ways of writing groups in one profile.
      boolean oneShot = profile.getWithSelector() && random.nextBoolean();
      oneShots.put(profile.getPreamble().getId(), oneShot);
      room.put(profile.getPreamble().getId(), (int) Math.min(Integer.MAX_VALUE, profile.getSize()));
      if (!oneShot) {
        profile(profile, updates);
      }
    }
    for (P4InfoOuterClass.Table table : info.getTablesList()) {
      // Fields of types without a width cannot be written to bmv2.
      boolean writable = table.getMatchFieldsList().stream().allMatch(f -> f.getBitwidth() > 0);
      if (!table.getIsConstTable() && table.getMatchFieldsCount() > 0 && writable) {
        for (int i = random.nextInt(ENTRIES); i > 0; i--) {
          entry(table, updates);
        }
      }
      if (table.getConstDefaultActionId() == 0
          && table.getImplementationId() == 0
          && random.nextInt(3) == 0) {
        TableAction action = tableAction(table, Scope.TABLE_ONLY);
        if (action != null) {
          updates.add(
              update(
                  Update.Type.MODIFY,
                  Entity.newBuilder()
                      .setTableEntry(
                          TableEntry.newBuilder()
                              .setTableId(table.getPreamble().getId())
                              .setIsDefaultAction(true)
                              .setAction(action))
                      .build()));
        }
      }
    }
    return updates;
  }

  static Update update(Update.Type type, Entity entity) {
    return Update.newBuilder().setType(type).setEntity(entity).build();
  }

  private void profile(P4InfoOuterClass.ActionProfile profile, List<Update> updates) {
    int id = profile.getPreamble().getId();
    P4InfoOuterClass.Table table = null;
    for (P4InfoOuterClass.Table candidate : info.getTablesList()) {
      table = candidate.getImplementationId() == id ? candidate : table;
    }
    if (table == null) {
      return;
    }
    // bmv2 takes more members than a profile's size; the emulated switch does not.
    long fitting = profile.getWithSelector() ? MEMBERS : Math.min(MEMBERS, profile.getSize());
    for (int member = 1; member <= fitting; member++) {
      updates.add(
          update(
              Update.Type.INSERT,
              Entity.newBuilder()
                  .setActionProfileMember(
                      ActionProfileMember.newBuilder()
                          .setActionProfileId(id)
                          .setMemberId(member)
                          .setAction(action(table, Scope.DEFAULT_ONLY)))
                  .build()));
    }
    for (int group = 1; profile.getWithSelector() && group <= GROUPS; group++) {
      ActionProfileGroup.Builder built =
          ActionProfileGroup.newBuilder().setActionProfileId(id).setGroupId(group);
      for (int member = 1; member <= MEMBERS; member++) {
        if (random.nextBoolean() || member == group) {
          int weight = take(id, 1 + random.nextInt(2));
          if (weight > 0) {
            built.addMembersBuilder().setMemberId(member).setWeight(weight);
          }
        }
      }
      built.setMaxSize(profile.getMaxGroupSize());
      updates.add(
          update(Update.Type.INSERT, Entity.newBuilder().setActionProfileGroup(built).build()));
    }
  }

  private void entry(P4InfoOuterClass.Table table, List<Update> updates) {
    TableEntry.Builder entry = TableEntry.newBuilder().setTableId(table.getPreamble().getId());
    Program.Table compiled = null;
    for (Program.Table candidate : program.tables()) {
      compiled = candidate.name().equals(table.getPreamble().getName()) ? candidate : compiled;
    }
    boolean prioritised = false;
    if (compiled == null) {
      return;
    }
    for (int i = 0; i < table.getMatchFieldsCount(); i++) {
      P4InfoOuterClass.MatchField field = table.getMatchFields(i);
      FieldMatch match = match(field, compiled.key().get(i));
      if (match != null) {
        entry.addMatch(match);
      }
      switch (field.getMatchType()) {
        case TERNARY:
        case RANGE:
        case OPTIONAL:
          prioritised = true;
          break;
        default:
      }
    }
    // No two entries of a priority: which one wins would be anybody's choice.
    entry.setPriority(prioritised ? ++priority : 0);
    TableAction action = tableAction(table, Scope.DEFAULT_ONLY);
    if (action != null) {
      entry.setAction(action);
      P4InfoOuterClass.DirectMeter meter = meters.get(entry.getTableId());
      if (meter != null && random.nextInt(4) > 0) {
        entry.setMeterConfig(RandomResources.config(meter.getSpec(), random));
      }
      updates.add(update(Update.Type.INSERT, Entity.newBuilder().setTableEntry(entry).build()));
    }
  }

  private FieldMatch match(P4InfoOuterClass.MatchField field, Program.KeyField key) {
    int width = key.widthBits();
    BigInteger value = value(width, key);
    FieldMatch.Builder match = FieldMatch.newBuilder().setFieldId(field.getId());
    switch (field.getMatchType()) {
      case EXACT:
        match.getExactBuilder().setValue(bytes(value));
        return match.build();
      case OPTIONAL:
        if (random.nextInt(3) == 0) {
          return null;
        }
        match.getOptionalBuilder().setValue(bytes(value));
        return match.build();
      case LPM:
        int length = random.nextInt(width + 1);
        if (length == 0) {
          return null;
        }
        BigInteger prefix = ones(length).shiftLeft(width - length);
        match.getLpmBuilder().setValue(bytes(value.and(prefix))).setPrefixLen(length);
        return match.build();
      case TERNARY:
        BigInteger mask =
            random.nextInt(3) == 0
                ? ones(width)
                : new BigInteger(width, random).and(new BigInteger(width, random));
        if (mask.signum() == 0) {
          return null;
        }
        match.getTernaryBuilder().setValue(bytes(value.and(mask))).setMask(bytes(mask));
        return match.build();
      default:
        BigInteger spread = new BigInteger(1 + random.nextInt(width), random);
        BigInteger low = value.subtract(spread).max(BigInteger.ZERO);
        BigInteger high = value.add(spread).min(ones(width));
        if (low.signum() == 0 && high.equals(ones(width))) {
          return null;
        }
        match.getRangeBuilder().setLow(bytes(low)).setHigh(bytes(high));
        return match.build();
    }
  }

  private BigInteger value(int width, Program.KeyField key) {
    if (key.source() instanceof Expr.FieldValue && random.nextInt(4) > 0) {
      BigInteger seen = packets.seen(((Expr.FieldValue) key.source()).ref());
      if (seen != null) {
        return seen;
      }
    }
    return random.nextInt(3) == 0
        ? BigInteger.valueOf(random.nextInt(8)).and(ones(width))
        : new BigInteger(width, random);
  }

  /** What an entry does, or null if the table has nothing for this kind of entry. */
  private TableAction tableAction(P4InfoOuterClass.Table table, Scope not) {
    int profile = table.getImplementationId();
    TableAction.Builder action = TableAction.newBuilder();
    if (profile == 0) {
      Action direct = action(table, not);
      return direct == null ? null : action.setAction(direct).build();
    }
    if (oneShots.get(profile)) {
      for (int i = 0; i <= random.nextInt(3); i++) {
        int weight = take(profile, 1 + random.nextInt(3));
        if (weight > 0) {
          action
              .getActionProfileActionSetBuilder()
              .addActionProfileActions(
                  ActionProfileAction.newBuilder().setAction(action(table, not)).setWeight(weight));
        }
      }
      return action.hasActionProfileActionSet() ? action.build() : null;
    }
    boolean selector =
        info.getActionProfilesList().stream()
            .anyMatch(p -> p.getPreamble().getId() == profile && p.getWithSelector());
    return selector && random.nextInt(3) > 0
        ? action.setActionProfileGroupId(1 + random.nextInt(GROUPS)).build()
        : action.setActionProfileMemberId(1 + random.nextInt(MEMBERS)).build();
  }

  /** A weight, or 0 if the profile has no room for it. */
  private int take(int profile, int weight) {
    int left = room.get(profile);
    if (weight > left) {
      return 0;
    }
    room.put(profile, left - weight);
    return weight;
  }

  private Action action(P4InfoOuterClass.Table table, Scope not) {
    List<P4InfoOuterClass.ActionRef> refs =
        table.getActionRefsList().stream().filter(r -> r.getScope() != not).toList();
    if (refs.isEmpty()) {
      return null;
    }
    P4InfoOuterClass.Action chosen = actions.get(refs.get(random.nextInt(refs.size())).getId());
    Action.Builder action = Action.newBuilder().setActionId(chosen.getPreamble().getId());
    for (P4InfoOuterClass.Action.Param param : chosen.getParamsList()) {
      int width = Math.max(1, param.getBitwidth());
      BigInteger value =
          width == 9 || random.nextInt(3) == 0
              ? BigInteger.valueOf(random.nextInt(8)).and(ones(width))
              : new BigInteger(width, random);
      action.addParams(Action.Param.newBuilder().setParamId(param.getId()).setValue(bytes(value)));
    }
    return action.build();
  }

  private static BigInteger ones(int width) {
    return BigInteger.ONE.shiftLeft(width).subtract(BigInteger.ONE);
  }

  private static ByteString bytes(BigInteger value) {
    byte[] bytes = value.toByteArray();
    return bytes.length > 1 && bytes[0] == 0
        ? ByteString.copyFrom(bytes, 1, bytes.length - 1)
        : ByteString.copyFrom(bytes);
  }
}
