package net.sluice.rest.api;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import javax.xml.parsers.DocumentBuilderFactory;
import net.sluice.rest.testing.MemoryController;
import net.sluice.rest.testing.TestServer;
import net.sluice.rest.testing.Transcript;
import net.sluice.testing.Golden;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Throughput-value functions declared by a share, and curves, over HTTP. */
class CurvesContract {
  private final TestServer server = new TestServer(new MemoryController(3));

  @AfterEach
  void stop() throws Exception {
    server.close();
  }

  private static String policy(String function) {
    return "{\"throughputValue\":" + function + "}";
  }

  @Test
  void aShareIsAnsweredAsDeclaredAndItsCurveAsPoints() throws Exception {
    Transcript transcript = new Transcript(server);
    transcript.json("PUT", "/policies/w3", policy("{\"weight\":3}"));
    transcript.json("GET", "/policies/w3/curve", null);
    transcript.json("PUT", "/policies/safe", policy("{\"guaranteedBps\":5000000,\"weight\":2}"));
    transcript.json("PUT", "/policies/also", policy("{\"like\":\"w3\"}"));
    transcript.json("GET", "/policies/also", null);
    transcript.json("GET", "/policies/also/curve", null);
    for (String wrong :
        new String[] {
          "{}",
          "{\"weight\":0}",
          "{\"weight\":1001}",
          "{\"weight\":\"3\"}",
          "{\"guaranteedBps\":5000000}",
          "{\"guaranteedBps\":0,\"weight\":2}",
          "{\"guaranteedBps\":5000000,\"like\":\"w3\"}",
          "{\"weight\":2,\"builtIn\":\"gold\"}",
          "{\"like\":\"no such id\"}"
        }) {
      transcript.json("PUT", "/policies/wrong", policy(wrong));
    }
    transcript.json("GET", "/policies/w3/curve?format=png", null);
    transcript.json("GET", "/policies/wrong/curve", null);
    Golden.check("api-curves.txt", transcript.toString());
  }

  @Test
  void aCurveIsDrawnWhereAPictureIsAskedFor() throws Exception {
    server.send("PUT", "/policies/safe", policy("{\"guaranteedBps\":5000000,\"weight\":2}"));
    HttpResponse<String> drawn = server.send("GET", "/policies/safe/curve?format=svg", null);
    assertThat(drawn.statusCode()).isEqualTo(200);
    assertThat(drawn.headers().firstValue("Content-Type")).contains("image/svg+xml");
    assertThat(
            DocumentBuilderFactory.newInstance()
                .newDocumentBuilder()
                .parse(new ByteArrayInputStream(drawn.body().getBytes(StandardCharsets.UTF_8)))
                .getElementsByTagName("path")
                .getLength())
        .isOne();
    Golden.check("curve.svg", drawn.body());
  }
}
