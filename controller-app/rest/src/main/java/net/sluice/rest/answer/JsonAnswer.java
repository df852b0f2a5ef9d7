package net.sluice.rest.answer;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.filter.FilteringGeneratorDelegate;
import com.fasterxml.jackson.core.filter.TokenFilter;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.function.Predicate;
import javax.ws.rs.core.MediaType;
import javax.ws.rs.core.Response;
import javax.ws.rs.core.StreamingOutput;
import net.sluice.northbound.json.JsonContent;

/** An answer that is written as JSON in UTF-8 while it is sent, and followed by a line end. */
public final class JsonAnswer implements StreamingOutput {
  private final JsonContent content;

  /** An answer of {@code content}, which is asked when the answer is sent. */
  public JsonAnswer(JsonContent content) {
    this.content = content;
  }

  /** The response 200 with it. */
  public Response ok() {
    return Response.ok(this, MediaType.APPLICATION_JSON_TYPE).build();
  }

  @Override
  public void write(OutputStream output) throws IOException {
    JsonGenerator json = JsonContent.generator(output);
    content.write(json);
    json.writeRaw('\n');
    // Not closed when the content fails: closing would send what there is of it, with status 200.
    json.close();
  }

  /**
   * Writes a JSON value, in one line.
   *
   * @param value its text
   * @throws IOException if that is none
   */
  public static void copy(JsonGenerator json, byte[] value) throws IOException {
    ByteArrayOutputStream copy = new ByteArrayOutputStream();
    try (JsonParser parser = JsonContent.FACTORY.createParser(value);
        JsonGenerator compact = JsonContent.generator(copy)) {
      parser.nextToken();
      compact.copyCurrentStructure(parser);
      if (parser.nextToken() != null) {
        throw new IOException("there is more than one value");
      }
    }
    json.writeRawValue(copy.toString(StandardCharsets.UTF_8));
  }

  /** An object without those of its fields whose names are not {@code wanted}. */
  public static JsonContent only(Predicate<String> wanted, JsonContent object) {
    TokenFilter fields =
        new TokenFilter() {
          @Override
          public TokenFilter includeProperty(String name) {
            return wanted.test(name) ? TokenFilter.INCLUDE_ALL : null;
          }
        };
    return json ->
        object.write(
            new FilteringGeneratorDelegate(
                json, fields, TokenFilter.Inclusion.INCLUDE_ALL_AND_PATH, true));
  }
}
