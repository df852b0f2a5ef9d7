package net.sluice.emulator.v1model;

import java.lang.ref.SoftReference;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import net.sluice.emulator.v1model.codegen.PipelineCompiler;
import net.sluice.emulator.v1model.load.ProgramLoader;

/**
 * Programs that this process has compiled, by the SHA-256 of their JSON: switches that run the same
 * program, and a program that is set again, share one generated class, which Java has to optimize
 * only once. Nothing of a switch's state is in it.
 */
final class CompiledPrograms {
  /** Most programs kept; those least recently loaded go first, all of them when memory is short. */
  private static final int MAX_PROGRAMS = 64;

  private static final Map<String, SoftReference<PipelineCompiler>> BY_CONTENT =
      new LinkedHashMap<>(16, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(
            Map.Entry<String, SoftReference<PipelineCompiler>> eldest) {
          return size() > MAX_PROGRAMS;
        }
      };

  private CompiledPrograms() {}

  /**
   * A compiled program.
   *
   * @param json the bytes of p4c's BMv2 JSON
   * @throws net.sluice.emulator.v1model.program.ProgramException if it is malformed or does
   *     something unsupported
   */
  static PipelineCompiler of(byte[] json) {
    String content = sha256(json);
    synchronized (BY_CONTENT) {
      SoftReference<PipelineCompiler> kept = BY_CONTENT.get(content);
      PipelineCompiler compiled = kept == null ? null : kept.get();
      if (compiled != null) {
        return compiled;
      }
    }
    // Outside the lock: a long compilation does not delay other programs.
    PipelineCompiler compiled = PipelineCompiler.compile(ProgramLoader.load(json));
    synchronized (BY_CONTENT) {
      BY_CONTENT.put(content, new SoftReference<>(compiled));
    }
    return compiled;
  }

  private static String sha256(byte[] bytes) {
    try {
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }
}
