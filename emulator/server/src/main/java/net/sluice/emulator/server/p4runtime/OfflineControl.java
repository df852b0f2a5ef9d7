package net.sluice.emulator.server.p4runtime;

import java.util.List;
import net.sluice.emulator.v1model.V1modelSwitch;
import p4.v1.P4RuntimeOuterClass.ForwardingPipelineConfig;
import p4.v1.P4RuntimeOuterClass.Update;

/** Control of a switch without a controller and without a server; one thread at a time. */
public final class OfflineControl {
  private final Writer writer;

  private OfflineControl(Writer writer) {
    this.writer = writer;
  }

  /**
   * Puts a program in force, checked as a P4Runtime server would.
   *
   * @throws IllegalArgumentException if the switch cannot realise it
   */
  public static OfflineControl load(V1modelSwitch device, ForwardingPipelineConfig config) {
    PipelineConfigs configs = new PipelineConfigs(device, ServerKind.specified());
    try {
      Binding binding = configs.verify(config);
      configs.commit(binding);
      return new OfflineControl(new Writer(binding, device.lock(), device::clock));
    } catch (RpcException e) {
      throw new IllegalArgumentException(e.getMessage(), e);
    }
  }

  /**
   * Applies updates, every one of them whatever becomes of the others.
   *
   * @throws IllegalArgumentException if some are refused; tells the first of them, counted from 1
   */
  public void write(List<Update> updates) {
    check(writer.apply(updates));
  }

  /** Throws the first error of a write; null if there was none. */
  static void check(RpcException[] errors) {
    for (int i = 0; errors != null && i < errors.length; i++) {
      if (errors[i] != null) {
        throw new IllegalArgumentException(
            "update " + (i + 1) + " of " + errors.length + ": " + errors[i].getMessage(),
            errors[i]);
      }
    }
  }
}
