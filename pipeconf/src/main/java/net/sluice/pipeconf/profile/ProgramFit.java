package net.sluice.pipeconf.profile;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import net.sluice.intents.value.InvalidValueException;
import net.sluice.pipeconf.profile.ProfileFields.Value;

/**
 * The resources of one pipe of a Tofino that a compiled program takes, as the compiler reported it
 * when the program was compiled ({@code p4c-out/tna/NAME/sluice.fit}).
 *
 * @param program name of the build, e.g. {@code tofino}
 * @param target the chip it was compiled for: {@code tofino} or {@code tofino2}
 * @param compiler name and version of the compiler
 * @param instances instances of the marker's per-subscriber tables
 * @param instanceSubscribers subscribers one instance holds, each with a rate filter per direction
 * @param ingressStages stages up to the last that the ingress pipeline uses
 * @param egressStages stages up to the last that the egress pipeline uses
 * @param blocks blocks of each memory, and meter ALUs, that one stage has
 * @param stages what is used of them, by stage, from stage 0
 * @param tables the program's tables, in the compiler's order
 */
public record ProgramFit(
    String program,
    String target,
    String compiler,
    int instances,
    int instanceSubscribers,
    int ingressStages,
    int egressStages,
    Blocks blocks,
    List<Blocks> stages,
    List<PlacedTable> tables) {
  private static final Pattern STAGE =
      Pattern.compile("(\\d+) sram=(\\d+) map-ram=(\\d+) tcam=(\\d+) meter-alu=(\\d+)");
  private static final Pattern TABLE =
      Pattern.compile(
          "(\\S+) pipeline=(ingress|egress) stages=([0-9,]+) requested=(\\d+) allocated=(\\d+)");
  private static final int MAX = 100_000_000;

  public ProgramFit {
    stages = List.copyOf(stages);
    tables = List.copyOf(tables);
  }

  /** Memory blocks and meter ALUs of a stage: SRAM 1,024 x 128 bit, map RAM 1,024 x 11 bit. */
  public record Blocks(int sram, int mapRam, int tcam, int meterAlu) {}

  /**
   * Where a table is.
   *
   * @param name its name in P4Info
   * @param pipeline {@code ingress} or {@code egress}
   * @param stages the stages that hold a part of it, rising
   * @param requested entries the program asks for
   * @param allocated entries the memory given to it has room for
   */
  public record PlacedTable(
      String name, String pipeline, List<Integer> stages, int requested, int allocated) {
    public PlacedTable {
      stages = List.copyOf(stages);
    }
  }

  /**
   * The fit of a build that comes with this release.
   *
   * @throws InvalidValueException if what is stored of it cannot be read
   */
  public static ProgramFit load(String program) {
    String file = "p4c-out/tna/" + program + "/sluice.fit";
    try (InputStream in = ProgramFit.class.getResourceAsStream("/net/sluice/pipeconf/" + file)) {
      if (in == null) {
        throw new IllegalStateException("the jar lacks " + file);
      }
      return read(program, new String(in.readAllBytes(), StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read " + file, e);
    }
  }

  static ProgramFit read(String program, String text) {
    ProfileFields fields = new ProfileFields(program + "/sluice.fit", text);
    String target = fields.text("target");
    String compiler = fields.text("compiler");
    int instances = fields.number("marker.instances", 1, 15);
    int subscribers = fields.number("marker.instance-subscribers", 1, MAX);
    int ingress = fields.number("stages.ingress", 1, 20);
    int egress = fields.number("stages.egress", 1, 20);
    Matcher total = match(fields.one("blocks"), STAGE, "N sram=N map-ram=N tcam=N meter-alu=N");
    int count = Integer.parseInt(total.group(1));
    List<Blocks> stages = new ArrayList<>();
    for (Value line : fields.all("stage")) {
      Matcher stage = match(line, STAGE, "N sram=N map-ram=N tcam=N meter-alu=N");
      if (Integer.parseInt(stage.group(1)) != stages.size()) {
        throw new InvalidValueException(line.field(), line.text(), "stage " + stages.size());
      }
      stages.add(blocks(stage));
    }
    if (stages.size() != count) {
      throw new InvalidValueException(
          program + "/sluice.fit stage", stages.size(), "a line for each of " + count + " stages");
    }
    List<PlacedTable> tables = new ArrayList<>();
    for (Value line : fields.all("table")) {
      Matcher table =
          match(line, TABLE, "NAME pipeline=P stages=N,N requested=ENTRIES allocated=ENTRIES");
      List<Integer> held = new ArrayList<>();
      for (String stage : table.group(3).split(",")) {
        held.add(Integer.parseInt(stage));
      }
      tables.add(
          new PlacedTable(
              table.group(1),
              table.group(2),
              held,
              Integer.parseInt(table.group(4)),
              Integer.parseInt(table.group(5))));
    }
    fields.requireNothingLeft("program's fit");
    return new ProgramFit(
        program,
        target,
        compiler,
        instances,
        subscribers,
        ingress,
        egress,
        blocks(total),
        stages,
        tables);
  }

  private static Matcher match(Value line, Pattern pattern, String allowed) {
    Matcher matcher = pattern.matcher(line.text());
    if (!matcher.matches()) {
      throw new InvalidValueException(line.field(), line.text(), allowed);
    }
    return matcher;
  }

  private static Blocks blocks(Matcher matcher) {
    return new Blocks(
        Integer.parseInt(matcher.group(2)),
        Integer.parseInt(matcher.group(3)),
        Integer.parseInt(matcher.group(4)),
        Integer.parseInt(matcher.group(5)));
  }

  /** SRAM blocks used, in percent of the pipe's. */
  public double sramPercent() {
    return 100.0 * stages.stream().mapToInt(Blocks::sram).sum() / blocks.sram() / stages.size();
  }

  /** Map RAM blocks used, in percent of the pipe's. */
  public double mapRamPercent() {
    return 100.0 * stages.stream().mapToInt(Blocks::mapRam).sum() / blocks.mapRam() / stages.size();
  }

  /** TCAM blocks used, in percent of the pipe's. */
  public double tcamPercent() {
    return 100.0 * stages.stream().mapToInt(Blocks::tcam).sum() / blocks.tcam() / stages.size();
  }

  /** Subscribers of one pipe. */
  public int subscribersPerPipe() {
    return instances * instanceSubscribers;
  }
}
