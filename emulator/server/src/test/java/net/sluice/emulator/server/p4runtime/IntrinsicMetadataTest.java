package net.sluice.emulator.server.p4runtime;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.protobuf.ByteString;
import java.io.IOException;
import java.util.Iterator;
import org.junit.jupiter.api.Test;
import p4.v1.P4RuntimeOuterClass.ForwardingPipelineConfig;
import p4.v1.P4RuntimeOuterClass.Replica;
import p4.v1.P4RuntimeOuterClass.Update;

/** Programs whose intrinsic metadata are a header instance of that name, as bmv2 finds them. */
class IntrinsicMetadataTest {
  private static final String STANDARD = "standard_metadata";
  private static final String INTRINSIC = "intrinsic_metadata";
  private static final ObjectMapper MAPPER = new ObjectMapper();

  /** Ingress asks for group 7, of which egress has nothing to do. */
  private static final String TO_GROUP_7 =
      "100000000000" + "0000" + "0007" + "0000" + "0190" + "00000000";

  /** The program "copies" with a header of its own for the multicast group, and no alias. */
  private static ForwardingPipelineConfig config() throws IOException {
    ForwardingPipelineConfig config = P4Text.config("copies");
    ObjectNode program = (ObjectNode) MAPPER.readTree(config.getP4DeviceConfig().toByteArray());
    use(program, "mcast_grp");
    use(program, "egress_rid");
    ObjectNode type = ((ArrayNode) program.get("header_types")).addObject();
    type.put("name", "intrinsic_t").put("id", 900);
    ArrayNode fields = type.putArray("fields");
    fields.addArray().add("mcast_grp").add(16).add(false);
    fields.addArray().add("egress_rid").add(16).add(false);
    ((ArrayNode) program.get("headers"))
        .addObject()
        .put("name", INTRINSIC)
        .put("id", 900)
        .put("header_type", "intrinsic_t")
        .put("metadata", true)
        .put("pi_omit", true);
    for (Iterator<JsonNode> alias = program.get("field_aliases").iterator(); alias.hasNext(); ) {
      if (alias.next().get(1).get(0).asText().equals(INTRINSIC)) {
        alias.remove();
      }
    }
    return config.toBuilder()
        .setP4DeviceConfig(ByteString.copyFrom(MAPPER.writeValueAsBytes(program)))
        .build();
  }

  /** Has each use of a field of the standard metadata be one of the own header's. */
  private static void use(JsonNode in, String field) {
    if (in instanceof ArrayNode pair
        && pair.size() == 2
        && pair.get(0).asText().equals(STANDARD)
        && pair.get(1).asText().equals(field)) {
      pair.set(0, MAPPER.getNodeFactory().textNode(INTRINSIC));
    } else {
      in.forEach(below -> use(below, field));
    }
  }

  @Test
  void aHeaderInstanceOfThatNameNeedsNoAlias() throws IOException {
    try (ServedNode served = new ServedNode(config(), 0);
        Controller controller = served.primary(1)) {
      Update.Builder group = Update.newBuilder().setType(Update.Type.INSERT);
      group
          .getEntityBuilder()
          .getPacketReplicationEngineEntryBuilder()
          .getMulticastGroupEntryBuilder()
          .setMulticastGroupId(7)
          .addReplicas(Replica.newBuilder().setEgressPort(1).setInstance(10))
          .addReplicas(Replica.newBuilder().setEgressPort(3).setInstance(11));
      controller.write(group.build());
      served.receive(1, TO_GROUP_7);
      served.pass(10_000);
      assertThat(served.sent).extracting(frame -> frame.charAt(0)).containsExactly('1', '3');
    }
  }
}
