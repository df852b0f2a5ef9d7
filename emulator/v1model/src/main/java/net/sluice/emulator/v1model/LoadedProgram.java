package net.sluice.emulator.v1model;

import java.util.List;
import net.sluice.emulator.v1model.codegen.PipelineCompiler;
import net.sluice.emulator.v1model.prefetch.EntryPrefetch;
import net.sluice.emulator.v1model.program.Program;
import net.sluice.emulator.v1model.runtime.CompiledPipeline;
import net.sluice.emulator.v1model.runtime.PipelineState;
import net.sluice.emulator.v1model.trace.ProgramTracer;

/**
 * A compiled program with its own tables, counters and registers.
 *
 * @param program the program that was compiled
 * @param tables its tables, in the order of {@link PipelineState#tables()}
 * @param tracer traces its packets on demand
 */
public record LoadedProgram(
    Program program,
    List<Program.Table> tables,
    PipelineState state,
    CompiledPipeline pipeline,
    ProgramTracer tracer) {

  /**
   * Loads p4c's BMv2 JSON, compiling it where this process has not yet.
   *
   * @param json the file's bytes
   * @param seed of the program's random numbers
   * @throws net.sluice.emulator.v1model.program.ProgramException if it is malformed or does
   *     something unsupported
   */
  public static LoadedProgram load(byte[] json, long seed) {
    PipelineCompiler compiler = CompiledPrograms.of(json);
    PipelineState state = compiler.newState(seed);
    CompiledPipeline pipeline = compiler.instantiate(state);
    pipeline.prefetchBy(new EntryPrefetch(compiler.program(), compiler.tables(), state));
    return new LoadedProgram(
        compiler.program(),
        compiler.tables(),
        state,
        pipeline,
        new ProgramTracer(compiler, state, json));
  }
}
