package net.sluice.p4runtime;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.EnumDescriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Descriptors.FileDescriptor;
import io.grpc.MethodDescriptor;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import p4.config.v1.P4InfoOuterClass;
import p4.config.v1.P4Types;
import p4.v1.P4DataOuterClass;
import p4.v1.P4RuntimeGrpc;
import p4.v1.P4RuntimeOuterClass;
import stratum.barefoot.BfPipelineConfig;

/** The names and numbers that other implementations put on the wire (P4Runtime 1.5.0). */
class WireTest {

  @Test
  void methodsHaveTheNamesThatClientsCall() {
    assertThat(P4RuntimeGrpc.getServiceDescriptor().getMethods())
        .extracting(MethodDescriptor::getFullMethodName)
        .containsExactlyInAnyOrder(
            "p4.v1.P4Runtime/Write",
            "p4.v1.P4Runtime/Read",
            "p4.v1.P4Runtime/SetForwardingPipelineConfig",
            "p4.v1.P4Runtime/GetForwardingPipelineConfig",
            "p4.v1.P4Runtime/StreamChannel",
            "p4.v1.P4Runtime/Capabilities");
    assertThat(P4RuntimeGrpc.getReadMethod().getType())
        .isEqualTo(MethodDescriptor.MethodType.SERVER_STREAMING);
    assertThat(P4RuntimeGrpc.getStreamChannelMethod().getType())
        .isEqualTo(MethodDescriptor.MethodType.BIDI_STREAMING);
  }

  /** Messages with {@code name number type} of their fields, enumerations with their values. */
  @Test
  void fieldsHaveTheSpecificationsNamesNumbersAndTypes() throws IOException {
    List<String> lines = new ArrayList<>();
    for (FileDescriptor file :
        List.of(
            P4RuntimeOuterClass.getDescriptor(),
            P4DataOuterClass.getDescriptor(),
            P4InfoOuterClass.getDescriptor(),
            P4Types.getDescriptor(),
            BfPipelineConfig.getDescriptor().getFile())) {
      file.getMessageTypes().forEach(message -> describe(message, lines));
      file.getEnumTypes().forEach(type -> describe(type, lines));
    }
    lines.sort(Comparator.naturalOrder());
    try (InputStream specified = WireTest.class.getResourceAsStream("specified.txt")) {
      assertThat(lines)
          .containsExactlyElementsOf(new String(specified.readAllBytes(), UTF_8).lines().toList());
    }
  }

  private static void describe(Descriptor message, List<String> lines) {
    lines.add(
        message.getFields().stream()
            .sorted(Comparator.comparingInt(FieldDescriptor::getNumber))
            .map(WireTest::text)
            .collect(Collectors.joining(", ", message.getFullName() + ": ", "")));
    message.getNestedTypes().forEach(nested -> describe(nested, lines));
    message.getEnumTypes().forEach(type -> describe(type, lines));
  }

  private static String text(FieldDescriptor field) {
    String type =
        switch (field.getJavaType()) {
          case MESSAGE -> field.getMessageType().getName();
          case ENUM -> field.getEnumType().getName();
          default -> field.getType().name().toLowerCase(Locale.ROOT);
        };
    return field.getName()
        + " "
        + field.getNumber()
        + " "
        + type
        + (field.isRepeated() ? "*" : "")
        + (field.getContainingOneof() == null ? "" : "|" + field.getContainingOneof().getName());
  }

  private static void describe(EnumDescriptor type, List<String> lines) {
    lines.add(
        type.getValues().stream()
            .map(value -> value.getName() + " " + value.getNumber())
            .collect(Collectors.joining(", ", type.getFullName() + ": ", "")));
  }
}
