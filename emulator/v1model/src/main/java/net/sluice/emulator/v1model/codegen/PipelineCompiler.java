package net.sluice.emulator.v1model.codegen;

import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import net.sluice.emulator.switching.ReplicationEngine;
import net.sluice.emulator.v1model.codegen.source.LongMethods;
import net.sluice.emulator.v1model.program.Primitive;
import net.sluice.emulator.v1model.program.Program;
import net.sluice.emulator.v1model.program.UnsupportedProgramException;
import net.sluice.emulator.v1model.runtime.CompiledPipeline;
import net.sluice.emulator.v1model.runtime.CounterCells;
import net.sluice.emulator.v1model.runtime.PipelineState;
import net.sluice.emulator.v1model.runtime.RandomSource;
import net.sluice.emulator.v1model.runtime.RegisterArray;
import net.sluice.emulator.v1model.runtime.RoundRobin;
import net.sluice.emulator.v1model.runtime.ValueSet;
import net.sluice.emulator.v1model.table.ActionProfile;
import net.sluice.emulator.v1model.table.IdleTimeouts;
import net.sluice.emulator.v1model.table.MatchKey;
import net.sluice.emulator.v1model.table.MatchKind;
import net.sluice.emulator.v1model.table.MatchTable;
import net.sluice.emulator.v1model.table.MeterCells;
import net.sluice.emulator.v1model.table.WordLayout;
import org.codehaus.commons.compiler.CompileException;
import org.codehaus.commons.compiler.InternalCompilerException;
import org.codehaus.janino.SimpleCompiler;
import org.codehaus.janino.util.ClassFile;

/**
 * Compiles a program to a class in memory and gives it tables, counters and registers to work on.
 */
public final class PipelineCompiler {

  private final Program program;
  private final Constructor<?> constructor;
  private final String source;

  /** Of the class that traces packets; null until it is asked for. */
  private Constructor<?> traced;

  private PipelineCompiler(Program program, Constructor<?> constructor, String source) {
    this.program = program;
    this.constructor = constructor;
    this.source = source;
  }

  /**
   * Compiles a program.
   *
   * @throws net.sluice.emulator.v1model.program.UnsupportedProgramException if it does something
   *     that cannot be compiled
   */
  public static PipelineCompiler compile(Program program) {
    return compile(program, false, PipelineCompiler.class.getClassLoader());
  }

  /** Java limits a method to 64 KiB of code, and a class to 65,535 constants. */
  private static PipelineCompiler compile(Program program, boolean traced, ClassLoader parent) {
    PipelineGenerator generator = new PipelineGenerator(program, traced);
    try {
      String source = generator.generate();
      if (LongMethods.in(source)) {
        throw tooLong("a method of more than " + LongMethods.MOST_VARIABLES + " variables");
      }
      return cook(program, generator, source, parent);
    } catch (InternalCompilerException
        | ClassFile.ClassFileException
        | StackOverflowError tooLong) {
      throw tooLong(String.valueOf(tooLong.getMessage()));
    }
  }

  private static UnsupportedProgramException tooLong(String why) {
    return new UnsupportedProgramException("more than 64 KiB of code in one part", why);
  }

  private static PipelineCompiler cook(
      Program program, PipelineGenerator generator, String source, ClassLoader parent) {
    SimpleCompiler compiler = new SimpleCompiler();
    compiler.setParentClassLoader(parent);
    try {
      compiler.cook(source);
      Constructor<?> constructor =
          compiler
              .getClassLoader()
              .loadClass(PipelineGenerator.PACKAGE + "." + generator.className())
              .getConstructor(PipelineState.class);
      return new PipelineCompiler(program, constructor, source);
    } catch (CompileException | ReflectiveOperationException e) {
      if (e.getCause() instanceof StackOverflowError stackOverflowError) {
        throw stackOverflowError;
      }
      throw new IllegalStateException(
          "generated code does not compile: " + e.getMessage() + "\n" + source, e);
    }
  }

  /** The generated Java source, for a reader. */
  public String source() {
    return source;
  }

  /**
   * Fresh tables (with the entries and defaults that the program declares), counters and registers.
   */
  public PipelineState newState(long seed) {
    List<MatchTable> tables = new ArrayList<>();
    for (Program.Table table : tables()) {
      tables.add(create(table));
    }
    List<CounterCells> counters = new ArrayList<>();
    for (Primitive.CounterDef counter : program.counters()) {
      counters.add(new CounterCells(counter.size()));
    }
    List<MeterCells> meters = new ArrayList<>();
    for (Primitive.MeterDef meter : program.meters()) {
      meters.add(new MeterCells(meter.name(), meter.size(), meter.bytes(), meter.rates()));
    }
    List<RegisterArray> registers = new ArrayList<>();
    for (Primitive.RegisterDef register : program.registers()) {
      registers.add(new RegisterArray(register.name(), register.size(), register.widthBits()));
    }
    List<ValueSet> valueSets = new ArrayList<>();
    for (Program.ValueSetDef set : program.valueSets()) {
      valueSets.add(new ValueSet(set.name(), set.widthsBits(), set.size()));
    }
    return new PipelineState(
        List.copyOf(tables),
        List.copyOf(counters),
        List.copyOf(meters),
        List.copyOf(registers),
        List.copyOf(valueSets),
        profiles(seed),
        program.calculations().stream().map(c -> new RoundRobin()).toList(),
        new RandomSource(seed),
        new ReplicationEngine(),
        ReplicationEmitter.buffers(program.copies()));
  }

  private List<ActionProfile> profiles(long seed) {
    List<ActionProfile> profiles = new ArrayList<>();
    for (Program.ActionProfileDef def : program.actionProfiles()) {
      int dataWords = 0;
      for (Program.Table table : tables()) {
        if (table.profile() != null && table.profile().index() == def.index()) {
          dataWords = Math.max(dataWords, dataWords(table));
        }
      }
      profiles.add(new ActionProfile(def.name(), dataWords, seed + profiles.size()));
    }
    return List.copyOf(profiles);
  }

  /** A pipeline on that state. */
  public CompiledPipeline instantiate(PipelineState state) {
    return instantiate(constructor, state);
  }

  /**
   * A traced pipeline on that state, for the packets of the given pipeline. The first one takes as
   * long as the program took to compile.
   */
  public synchronized CompiledPipeline instantiateTraced(PipelineState state) {
    if (traced == null) {
      // A child of the other one's loader: it works on that one's packets.
      ClassLoader parent = constructor.getDeclaringClass().getClassLoader();
      traced = compile(program, true, parent).constructor;
    }
    return instantiate(traced, state);
  }

  /** A reader of this program's packets. */
  public PacketView view() {
    try {
      return new PacketView(
          program,
          constructor
              .getDeclaringClass()
              .getClassLoader()
              .loadClass(PipelineGenerator.PACKAGE + ".Packet"));
    } catch (ClassNotFoundException e) {
      throw new IllegalStateException("a pipeline without packets", e);
    }
  }

  /** Name of a parser error. */
  public static String errorName(Program program, int number) {
    return ParserEmitter.errorName(program.errors(), number);
  }

  private static CompiledPipeline instantiate(Constructor<?> constructor, PipelineState state) {
    try {
      return (CompiledPipeline) constructor.newInstance(state);
    } catch (InvocationTargetException | InstantiationException | IllegalAccessException e) {
      throw new IllegalStateException("generated pipeline cannot be created", e);
    }
  }

  /** The program's tables in the order of {@link PipelineState#tables()}. */
  public List<Program.Table> tables() {
    List<Program.Table> tables = new ArrayList<>(ControlEmitter.tables(program.ingress()));
    tables.addAll(ControlEmitter.tables(program.egress()));
    return tables;
  }

  /** The program. */
  public Program program() {
    return program;
  }

  /** The action index of an entry that refers to a member of the table's action profile. */
  public static int memberAction(Program.Table table) {
    return ControlEmitter.memberAction(table);
  }

  /** The action index of an entry that refers to a group of the table's action profile. */
  public static int groupAction(Program.Table table) {
    return ControlEmitter.groupAction(table);
  }

  /** The action index that members of action profiles use. */
  public static int profileIndex(Program program, Program.Action action) {
    return ControlEmitter.canonical(program.actions(), action);
  }

  /** Layout of an action's parameters in the words of its data. */
  public static WordLayout parameters(Program.Action action) {
    return ActionEmitter.parameters(action);
  }

  private static MatchTable create(Program.Table table) {
    WordLayout layout = ControlEmitter.layout(table);
    // The data of an entry that refers to a member or group is its number.
    int dataWords = Math.max(dataWords(table), table.profile() == null ? 0 : 1);
    int size = Math.max(table.size(), table.entries().size());
    MatchTable created =
        MatchTable.create(
            table.name(), table.kind(), layout, dataWords, size, table.withCounters());
    created.visible = visible(table, layout);
    if (table.meter() != null) {
      created.meters =
          new MeterCells(table.meter().name(), 1, table.meter().bytes(), table.meter().rates());
    }
    if (table.timeouts()) {
      created.timeouts = new IdleTimeouts();
    }
    if (table.defaultEntry() == null) {
      created.setInitialDefault(ControlEmitter.noAction(table), new long[dataWords]);
    } else {
      created.setInitialDefault(
          table.defaultEntry().action(), data(table, table.defaultEntry(), dataWords));
    }
    MatchKey key = new MatchKey(layout);
    for (Program.DeclaredEntry entry : table.entries()) {
      fill(key, layout, table, entry);
      created.insert(key, entry.action().action(), data(table, entry.action(), dataWords), true);
    }
    return created;
  }

  private static int dataWords(Program.Table table) {
    int dataWords = 0;
    for (Program.Action action : table.actions()) {
      dataWords = Math.max(dataWords, parameters(action).words());
    }
    return dataWords;
  }

  private static long[] data(Program.Table table, Program.ActionCall call, int dataWords) {
    long[] data = new long[dataWords];
    WordLayout layout = parameters(table.actions().get(call.action()));
    for (int i = 0; i < call.arguments().size(); i++) {
      place(layout.fields().get(i), call.arguments().get(i), data);
    }
    return data;
  }

  private static void place(WordLayout.Field field, BigInteger value, long[] words) {
    for (int limb = 0; limb < field.words(); limb++) {
      words[field.word() + limb] |= value.shiftRight(64 * limb).longValue() << field.shift();
    }
  }

  /** The mask on a table's lookup key, or null for none. */
  private static long[] visible(Program.Table table, WordLayout layout) {
    if (table.key().stream().allMatch(field -> field.staticMask() == null)) {
      return null;
    }
    long[] visible = new long[layout.words()];
    for (int i = 0; i < table.key().size(); i++) {
      WordLayout.Field field = layout.fields().get(i);
      BigInteger mask = table.key().get(i).staticMask();
      for (int word = 0; word < field.words(); word++) {
        long bits = mask == null ? -1L : mask.shiftRight(64 * word).longValue() << field.shift();
        visible[field.word() + word] |= field.maskOf(word) & bits;
      }
    }
    return visible;
  }

  private static void fill(
      MatchKey key, WordLayout layout, Program.Table table, Program.DeclaredEntry entry) {
    key.clear();
    for (int i = 0; i < layout.fields().size(); i++) {
      WordLayout.Field field = layout.fields().get(i);
      place(field, entry.values().get(i), key.value);
      if (field.kind() == MatchKind.LPM) {
        key.prefixLength = entry.seconds().get(i).intValueExact();
        WordLayout.prefixMask(field, key.prefixLength, key.mask);
      } else {
        place(field, entry.seconds().get(i), key.mask);
      }
    }
    key.priority =
        table.kind() == MatchKind.EXACT || table.kind() == MatchKind.LPM ? 0 : entry.priority();
  }
}
