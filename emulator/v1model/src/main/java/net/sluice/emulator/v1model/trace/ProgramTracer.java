package net.sluice.emulator.v1model.trace;

import java.util.ArrayList;
import java.util.List;
import net.sluice.emulator.v1model.codegen.PacketView;
import net.sluice.emulator.v1model.codegen.PipelineCompiler;
import net.sluice.emulator.v1model.program.Header;
import net.sluice.emulator.v1model.program.Program;
import net.sluice.emulator.v1model.runtime.CompiledPipeline;
import net.sluice.emulator.v1model.runtime.PipelineState;

/**
 * The parts needed to trace a program's packets: its traced pipeline, a reader of its packets, and
 * its source positions. They are made on first use.
 */
public final class ProgramTracer {

  private final PipelineCompiler compiler;
  private final PipelineState state;
  private final byte[] json;
  private Parts parts;

  /** The parts. */
  private record Parts(CompiledPipeline traced, PacketView view, SourceMap sources) {}

  /**
   * @param state state of the program's pipeline, which the traced one shares
   * @param json the program's source
   */
  public ProgramTracer(PipelineCompiler compiler, PipelineState state, byte[] json) {
    this.compiler = compiler;
    this.state = state;
    this.json = json;
  }

  /** Makes the parts, which takes as long as loading the program did. */
  synchronized void prepare() {
    if (parts == null) {
      parts = new Parts(compiler.instantiateTraced(state), compiler.view(), SourceMap.read(json));
    }
  }

  private synchronized Parts parts() {
    prepare();
    return parts;
  }

  CompiledPipeline traced() {
    return parts().traced();
  }

  PacketView view() {
    return parts().view();
  }

  SourceMap sources() {
    return parts().sources();
  }

  Program program() {
    return compiler.program();
  }

  PipelineState state() {
    return state;
  }

  /** The program's tables, in the order of the state's. */
  List<Program.Table> tables() {
    return compiler.tables();
  }

  /** The nodes of a control: 0 ingress, 1 egress. */
  List<Program.ControlNode> nodes(int control) {
    return control == 0 ? program().ingress().nodes() : program().egress().nodes();
  }

  /** Which control a table is in: 0 ingress, 1 egress. */
  int controlOf(int table) {
    long ingress =
        program().ingress().nodes().stream().filter(n -> n instanceof Program.Table).count();
    return table < ingress ? 0 : 1;
  }

  /** All fields of all headers, in the order of a trace's field indexes. */
  List<Header.Ref> fields() {
    List<Header.Ref> refs = new ArrayList<>();
    for (Header header : program().headers()) {
      for (Header.Field field : header.fields()) {
        refs.add(new Header.Ref(header, field));
      }
    }
    return refs;
  }
}
