package net.sluice.emulator.server.p4runtime.stream;

import java.util.ArrayList;
import java.util.List;
import net.sluice.emulator.server.p4runtime.program.Binding;
import net.sluice.emulator.server.p4runtime.table.BoundTable;
import net.sluice.emulator.server.p4runtime.table.TableEntryCodec;
import net.sluice.emulator.switching.DeviceTimer;
import net.sluice.emulator.v1model.V1modelSwitch;
import net.sluice.emulator.v1model.table.IdleTimeouts;
import p4.v1.P4RuntimeOuterClass.IdleTimeoutNotification;
import p4.v1.P4RuntimeOuterClass.StreamMessageResponse;

/**
 * Tells the primary controllers of entries that no packet has hit for their timeout. Everything
 * happens under the switch's lock.
 */
public final class IdleNotifier implements DeviceTimer {

  /** Entries per message, so that one with wide keys stays far below the limit of its length. */
  private static final int ENTRIES_PER_MESSAGE = 500;

  private final V1modelSwitch device;
  private final Notifier notifier;
  private final List<BoundTable> tables = new ArrayList<>();

  public IdleNotifier(V1modelSwitch device, Notifier notifier) {
    this.device = device;
    this.notifier = notifier;
  }

  /** Watches the tables of the config that is in force from now on. */
  public void follow(Binding binding) {
    device.lock().lock();
    try {
      tables.clear();
      for (BoundTable table : binding.tables().all()) {
        if (table.hasTimeouts()) {
          tables.add(table);
        }
      }
      if (nextMicros() != Long.MAX_VALUE) {
        device.clock().timersChanged();
      }
    } finally {
      device.lock().unlock();
    }
  }

  @Override
  public long nextMicros() {
    long next = Long.MAX_VALUE;
    for (int i = 0; i < tables.size(); i++) {
      next = Math.min(next, tables.get(i).table().timeouts.nextMicros());
    }
    return next;
  }

  @Override
  public void run(long nowMicros) {
    for (BoundTable table : tables) {
      IdleTimeouts timeouts = table.table().timeouts;
      TableEntryCodec codec = new TableEntryCodec(table);
      IdleTimeoutNotification.Builder message = IdleTimeoutNotification.newBuilder();
      for (int slot = timeouts.expire(nowMicros); slot != 0; slot = timeouts.expire(nowMicros)) {
        message.addTableEntry(codec.identify(slot));
        if (message.getTableEntryCount() == ENTRIES_PER_MESSAGE) {
          send(message);
          message = IdleTimeoutNotification.newBuilder();
        }
      }
      if (message.getTableEntryCount() > 0) {
        send(message);
      }
    }
  }

  private void send(IdleTimeoutNotification.Builder message) {
    notifier.toPrimaries(
        StreamMessageResponse.newBuilder()
            .setIdleTimeoutNotification(message.setTimestamp(device.clock().epochNanos()))
            .build());
  }
}
