package net.sluice.rest;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import net.sluice.northbound.json.JsonContent;
import org.junit.jupiter.api.Test;

class WebhookResourceTest {
  private static String logged(String body) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (JsonGenerator json = JsonContent.generator(bytes)) {
      new WebhookResource(null).writeAsked(json, body.getBytes(StandardCharsets.UTF_8));
    }
    return bytes.toString(StandardCharsets.UTF_8);
  }

  @Test
  void theAuditLogHasNoQueryOfAUrl() throws IOException {
    assertThat(logged("{\"url\":\"https://oss.example/hook?token=s3cret&x=1\"}"))
        .isEqualTo("{\"url\":\"https://oss.example/hook?(left out)\",\"maxEvents\":1}");
    assertThat(logged("{\"url\":\"https://oss.example/hook\"}"))
        .isEqualTo("{\"url\":\"https://oss.example/hook\",\"maxEvents\":1}");
  }
}
