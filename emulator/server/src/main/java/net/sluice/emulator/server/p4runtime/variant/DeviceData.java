package net.sluice.emulator.server.p4runtime.variant;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.UnknownFieldSet;
import com.google.protobuf.UnknownFieldSet.Field;
import java.util.List;
import java.util.Set;

/**
 * The program within {@code p4_device_config}: p4c's JSON as it is, or in the message that
 * controllers wrapped it into before P4Runtime 1.0, {@code p4.tmp.P4DeviceConfig}. bmv2's server
 * still takes that, and widespread controllers still send it.
 */
final class DeviceData {
  private static final int DATA_FIELD = 3;

  /** {@code reassign}, {@code extras} (for bmv2's Thrift server) and {@code device_data}. */
  private static final Set<Integer> FIELDS = Set.of(1, 2, DATA_FIELD);

  private DeviceData() {}

  /** The JSON; the config itself if it is no such message, whatever it is then. */
  static ByteString of(ByteString config) {
    if (startsAsJson(config)) {
      return config;
    }
    UnknownFieldSet message;
    try {
      message = UnknownFieldSet.parseFrom(config);
    } catch (InvalidProtocolBufferException e) {
      return config;
    }
    Field field = message.getField(DATA_FIELD);
    List<ByteString> data = field.getLengthDelimitedList();
    boolean others = !FIELDS.containsAll(message.asMap().keySet());
    return others || data.isEmpty() ? config : data.get(data.size() - 1);
  }

  private static boolean startsAsJson(ByteString config) {
    for (byte character : config) {
      if (!Character.isWhitespace(character)) {
        return character == '{';
      }
    }
    return false;
  }
}
