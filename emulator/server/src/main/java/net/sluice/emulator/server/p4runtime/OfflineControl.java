package net.sluice.emulator.server.p4runtime;

import java.util.ArrayList;
import java.util.List;
import net.sluice.emulator.server.p4runtime.program.Binding;
import net.sluice.emulator.server.p4runtime.request.PipelineConfigs;
import net.sluice.emulator.server.p4runtime.request.Reader;
import net.sluice.emulator.server.p4runtime.request.Writer;
import net.sluice.emulator.server.p4runtime.status.RpcException;
import net.sluice.emulator.server.p4runtime.variant.ServerVariant;
import net.sluice.emulator.v1model.V1modelSwitch;
import p4.v1.P4RuntimeOuterClass.Entity;
import p4.v1.P4RuntimeOuterClass.ForwardingPipelineConfig;
import p4.v1.P4RuntimeOuterClass.Update;

/** Control of a switch without a controller and without a server; one thread at a time. */
public final class OfflineControl {
  private final Writer writer;
  private final List<Entity> found = new ArrayList<>();
  private final Reader reader;

  private OfflineControl(V1modelSwitch device, Binding binding) {
    writer = new Writer(binding, device.lock(), device::clock);
    reader =
        new Reader(
            binding,
            device.lock(),
            device::clock,
            response -> found.addAll(response.getEntitiesList()));
  }

  /**
   * Puts a program in force, checked as a P4Runtime server would.
   *
   * @throws IllegalArgumentException if the switch cannot realise it
   */
  public static OfflineControl load(V1modelSwitch device, ForwardingPipelineConfig config) {
    PipelineConfigs configs = new PipelineConfigs(device, ServerVariant.specified());
    try {
      Binding binding = configs.verify(config);
      configs.commit(binding);
      return new OfflineControl(device, binding);
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

  /**
   * Reads what entities ask for.
   *
   * @throws IllegalArgumentException if some are refused; tells the first of them, counted from 1
   */
  public List<Entity> read(List<Entity> entities) {
    found.clear();
    RpcException[] errors;
    try {
      errors = reader.read(entities);
    } catch (RpcException e) {
      throw new IllegalArgumentException(e.getMessage(), e);
    }
    check("entity", errors);
    return List.copyOf(found);
  }

  /** Throws the first error of a write; null if there was none. */
  static void check(RpcException[] errors) {
    check("update", errors);
  }

  private static void check(String what, RpcException[] errors) {
    for (int i = 0; errors != null && i < errors.length; i++) {
      if (errors[i] != null) {
        throw new IllegalArgumentException(
            what + " " + (i + 1) + " of " + errors.length + ": " + errors[i].getMessage(),
            errors[i]);
      }
    }
  }
}
