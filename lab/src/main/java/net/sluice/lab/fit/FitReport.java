package net.sluice.lab.fit;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import net.sluice.lab.report.Row;
import net.sluice.lab.report.RunReport;
import net.sluice.lab.report.TextTable;
import net.sluice.pipeconf.profile.ProgramFit;
import net.sluice.pipeconf.profile.ProgramFit.Blocks;
import net.sluice.pipeconf.profile.ProgramFit.PlacedTable;

/**
 * Resources of a chip that the compiled programs take, beside paper 000, section VI, and paper 002
 * where they manage queues.
 *
 * @param rows the measured quantities
 * @param notes what the numbers mean
 * @param text the programs stage by stage and table by table
 */
record FitReport(List<Row> rows, List<String> notes, String text) {
  /** Paper 000: stages, SRAM and map RAM of a program with one instance, in percent. */
  private static final int PAPER_ONE_STAGES = 5;

  private static final double PAPER_ONE_SRAM = 6.1;
  private static final double PAPER_ONE_MAP_RAM = 6.6;

  /** The same with seven instances, which take all stages. */
  private static final int PAPER_FULL_STAGES = 12;

  private static final double PAPER_FULL_SRAM = 63.1;
  private static final double PAPER_FULL_MAP_RAM = 44.1;
  private static final int PAPER_INSTANCES = 7;
  private static final int PAPER_SUBSCRIBERS_PER_PIPE = 250_600;

  /** Number that four pipes exceed in the paper. */
  private static final int PAPER_SUBSCRIBERS = 1_000_000;

  private static final int PIPES = 4;

  /** Paper 002: stages of CoDel-ACT alone. */
  private static final int PAPER_CODEL_STAGES = 11;

  /** The compiled programs for Tofino. */
  static FitReport ofTofino() {
    List<Row> rows = new ArrayList<>();
    StringBuilder text = new StringBuilder();
    ProgramFit one = ProgramFit.load("tofino-one");
    add(one, text);
    rows.add(beside("one.stages", "1", PAPER_ONE_STAGES, one.ingressStages()));
    rows.add(beside("one.sramPercent", "%", PAPER_ONE_SRAM, one.sramPercent()));
    rows.add(beside("one.mapRamPercent", "%", PAPER_ONE_MAP_RAM, one.mapRamPercent()));
    ProgramFit full = ProgramFit.load("tofino");
    add(full, text);
    rows.add(beside("full.stages", "1", PAPER_FULL_STAGES, full.ingressStages()));
    rows.add(beside("full.sramPercent", "%", PAPER_FULL_SRAM, full.sramPercent()));
    rows.add(beside("full.mapRamPercent", "%", PAPER_FULL_MAP_RAM, full.mapRamPercent()));
    rows.add(Row.within("instances.pipe", "1", PAPER_INSTANCES, full.instances(), 0));
    rows.add(Row.plain("full.tcamPercent", "%", null, full.tcamPercent()));
    int filters = 2 * full.subscribersPerPipe();
    rows.add(Row.reproduces("filters.pipe", "1", PAPER_SUBSCRIBERS_PER_PIPE, filters, 0.01));
    rows.add(
        beside("subscribers.pipe", "1", PAPER_SUBSCRIBERS_PER_PIPE, full.subscribersPerPipe()));
    rows.add(
        beside(
            "subscribers.switch",
            "1",
            PAPER_SUBSCRIBERS,
            (double) PIPES * full.subscribersPerPipe()));
    ProgramFit codel = ProgramFit.load("tofino-codel");
    add(codel, text);
    rows.add(beside("codel.stages", "1", PAPER_CODEL_STAGES, codel.egressStages()));
    rows.add(Row.plain("codel.instances", "1", null, codel.instances()));
    rows.add(Row.plain("codel.sramPercent", "%", null, codel.sramPercent()));
    rows.add(Row.plain("codel.mapRamPercent", "%", null, codel.mapRamPercent()));
    ProgramFit two = ProgramFit.load("tofino2");
    add(two, text);
    rows.add(Row.plain("two.instances", "1", null, two.instances()));
    rows.add(Row.plain("two.stages", "1", null, two.ingressStages()));
    rows.add(Row.plain("two.sramPercent", "%", null, two.sramPercent()));
    rows.add(Row.plain("two.mapRamPercent", "%", null, two.mapRamPercent()));
    return new FitReport(
        rows,
        List.of(
            "Compiled by " + full.compiler() + "; nothing here ran on a chip.",
            "The paper counts one rate filter a subscriber; this program marks both directions, so"
                + " that a subscriber has two (filters.pipe is what compares).",
            "subscribers.switch is of four pipes with tables of their own; loaded as it is"
                + " compiled, all pipes have the same entries, and a switch holds what a pipe"
                + " does.",
            "two.* are of the same program for Tofino 2, with seven of the paper's 15 instances.",
            "codel.* are of the build that manages queues by CoDel-ACT in egress; its stages are"
                + " egress stages, the counters of subscribers and the rewriting of frames among"
                + " them. The paper's is CoDel alone."),
        text.toString());
  }

  /** A row with the paper's value beside it and no bound: the programs do not do the same. */
  private static Row beside(String name, String unit, double paper, double measured) {
    return Row.plain(name, unit, null, measured).besidePaper(paper);
  }

  private static void add(ProgramFit fit, StringBuilder text) {
    text.append(
        String.format(
            Locale.ROOT,
            "%s: %d marker instances of %,d subscribers%n%n",
            fit.program(),
            fit.instances(),
            fit.instanceSubscribers()));
    TextTable stages = new TextTable("stage", "SRAM", "map RAM", "TCAM", "meter ALUs");
    for (int stage = 0; stage < fit.stages().size(); stage++) {
      Blocks used = fit.stages().get(stage);
      stages.line(
          Integer.toString(stage),
          of(used.sram(), fit.blocks().sram()),
          of(used.mapRam(), fit.blocks().mapRam()),
          of(used.tcam(), fit.blocks().tcam()),
          of(used.meterAlu(), fit.blocks().meterAlu()));
    }
    text.append(stages.text()).append('\n');
    TextTable tables = new TextTable("table", "pipeline", "stages", "entries", "room");
    for (PlacedTable table : fit.tables()) {
      tables.line(
          table.name(),
          table.pipeline(),
          table.stages().stream().map(String::valueOf).collect(Collectors.joining(",")),
          String.format(Locale.ROOT, "%,d", table.requested()),
          String.format(Locale.ROOT, "%,d", table.allocated()));
    }
    text.append(tables.text()).append('\n');
  }

  private static String of(int used, int all) {
    return used + "/" + all;
  }

  /** The report that experiments and benches share. */
  RunReport report() {
    return new RunReport("tofino-fit", 0, rows);
  }
}
