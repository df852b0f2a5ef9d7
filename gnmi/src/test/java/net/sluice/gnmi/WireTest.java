package net.sluice.gnmi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import io.grpc.MethodDescriptor;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import net.sluice.gnmi.wire.GnmiProto;
import net.sluice.gnmi.wire.SubscriptionList;
import net.sluice.gnmi.wire.gNMIGrpc;
import org.junit.jupiter.api.Test;

/** The numbers that other implementations put on the wire (gNMI 0.10). */
class WireTest {

  @Test
  void methodsHaveTheNamesThatClientsCall() {
    assertThat(gNMIGrpc.getServiceDescriptor().getMethods())
        .extracting(MethodDescriptor::getFullMethodName)
        .containsExactlyInAnyOrder(
            "gnmi.gNMI/Capabilities", "gnmi.gNMI/Get", "gnmi.gNMI/Set", "gnmi.gNMI/Subscribe");
    assertThat(gNMIGrpc.getSubscribeMethod().getType())
        .isEqualTo(MethodDescriptor.MethodType.BIDI_STREAMING);
  }

  @Test
  void theCallsThatNeedNoStubsAreTheServices() {
    assertThat(List.of(GnmiCalls.CAPABILITIES, GnmiCalls.GET, GnmiCalls.SET, GnmiCalls.SUBSCRIBE))
        .extracting(MethodDescriptor::getFullMethodName, MethodDescriptor::getType)
        .containsExactlyInAnyOrderElementsOf(
            gNMIGrpc.getServiceDescriptor().getMethods().stream()
                .map(method -> tuple(method.getFullMethodName(), method.getType()))
                .toList());
  }

  @Test
  void fieldsHaveTheSpecificationsNumbers() {
    assertFields("Path", Map.of("element", 1, "origin", 2, "elem", 3, "target", 4));
    assertFields("PathElem", Map.of("name", 1, "key", 2));
    assertFields("Update", Map.of("path", 1, "val", 3, "duplicates", 4));
    assertFields(
        "Notification", Map.of("timestamp", 1, "prefix", 2, "update", 4, "delete", 5, "atomic", 6));
    assertFields(
        "SetRequest",
        Map.of(
            "prefix",
            1,
            "delete",
            2,
            "replace",
            3,
            "update",
            4,
            "extension",
            5,
            "union_replace",
            6));
    assertFields("SetResponse", Map.of("prefix", 1, "response", 2, "timestamp", 4, "extension", 5));
    assertFields("UpdateResult", Map.of("path", 2, "op", 4));
    assertFields(
        "GetRequest",
        Map.of("prefix", 1, "path", 2, "type", 3, "encoding", 5, "use_models", 6, "extension", 7));
    assertFields("GetResponse", Map.of("notification", 1, "extension", 3));
    assertFields(
        "CapabilityResponse",
        Map.of("supported_models", 1, "supported_encodings", 2, "gNMI_version", 3, "extension", 4));
    assertFields("SubscribeRequest", Map.of("subscribe", 1, "poll", 3, "extension", 5));
    assertFields("SubscribeResponse", Map.of("update", 1, "sync_response", 3, "extension", 5));
    assertFields(
        "Subscription",
        Map.of(
            "path",
            1,
            "mode",
            2,
            "sample_interval",
            3,
            "suppress_redundant",
            4,
            "heartbeat_interval",
            5));
    assertFields(
        "SubscriptionList",
        Map.of(
            "prefix",
            1,
            "subscription",
            2,
            "qos",
            4,
            "mode",
            5,
            "allow_aggregation",
            6,
            "use_models",
            7,
            "encoding",
            8,
            "updates_only",
            9));
    assertFields(
        "TypedValue",
        Map.ofEntries(
            Map.entry("string_val", 1),
            Map.entry("int_val", 2),
            Map.entry("uint_val", 3),
            Map.entry("bool_val", 4),
            Map.entry("bytes_val", 5),
            Map.entry("leaflist_val", 8),
            Map.entry("any_val", 9),
            Map.entry("json_val", 10),
            Map.entry("json_ietf_val", 11),
            Map.entry("ascii_val", 12),
            Map.entry("proto_bytes", 13),
            Map.entry("double_val", 14)));
    assertThat(SubscriptionList.Mode.STREAM_VALUE).isZero();
    assertThat(SubscriptionList.Mode.ONCE_VALUE).isEqualTo(1);
    assertThat(SubscriptionList.Mode.POLL_VALUE).isEqualTo(2);
  }

  private static void assertFields(String message, Map<String, Integer> numbers) {
    Descriptor type = GnmiProto.getDescriptor().findMessageTypeByName(message);
    Map<String, Integer> actual = new TreeMap<>();
    for (FieldDescriptor field : type.getFields()) {
      actual.put(field.getName(), field.getNumber());
    }
    assertThat(actual).as(message).isEqualTo(new TreeMap<>(numbers));
  }
}
