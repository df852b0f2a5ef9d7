package net.sluice.emulator.p4runtime;

import java.util.List;
import net.sluice.emulator.bmv2.Bmv2Switch;
import p4.v1.P4RuntimeOuterClass.ForwardingPipelineConfig;
import p4.v1.P4RuntimeOuterClass.Update;

/** Loads a program and entries into a switch without a controller and without a server. */
public final class OfflineControl {

  private OfflineControl() {}

  /**
   * Puts a program in force with entries, checked as a P4Runtime server would. If entries are
   * refused, the switch has the program and all the others.
   *
   * @throws IllegalArgumentException if the switch cannot realise the program, or refuses an entry;
   *     says which one first, counted from 1
   */
  public static void load(
      Bmv2Switch device, ForwardingPipelineConfig config, List<Update> updates) {
    Binding binding;
    PipelineConfigs configs = new PipelineConfigs(device);
    try {
      binding = configs.verify(config);
      configs.commit(binding);
    } catch (RpcException e) {
      throw new IllegalArgumentException(e.getMessage(), e);
    }
    Writer writer = new Writer(binding, device.lock());
    RpcException[] errors = writer.apply(updates);
    for (int i = 0; errors != null && i < errors.length; i++) {
      if (errors[i] != null) {
        throw new IllegalArgumentException(
            "update " + (i + 1) + " of " + errors.length + ": " + errors[i].getMessage(),
            errors[i]);
      }
    }
  }
}
