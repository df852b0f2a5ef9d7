package net.sluice.onos.rest;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import net.sluice.northbound.caller.Caller;
import net.sluice.northbound.caller.Role;
import net.sluice.onos.cluster.MessageForm;
import org.onosproject.store.cluster.messaging.MessageSubject;

/**
 * The messages by which an instance that does not lead hands the leader a request of a client, who
 * has logged in at the former: messages between them carry no credentials. The body goes piece by
 * piece, each of which is answered when it has been read; so does the answer, which is asked for.
 */
sealed interface RequestMessage {
  /** Where instances hear them. */
  MessageSubject SUBJECT = new MessageSubject("net.sluice.request");

  /** Which request it is of. */
  UUID request();

  /**
   * A request, answered with an empty part.
   *
   * @param base the API's address as the client knows it, with a slash at its end
   * @param uri what the client asked for
   * @param headers those of the client's that are for the other end, by name
   * @param caller who has logged in at the instance that forwards
   * @param requestId by which the client knows it
   */
  record Open(
      UUID request,
      String method,
      URI base,
      URI uri,
      Map<String, List<String>> headers,
      Caller caller,
      String requestId)
      implements RequestMessage {}

  /** The next piece of its body, answered with an empty part once it has been read. */
  record Body(UUID request, byte[] bytes, boolean isLast) implements RequestMessage {}

  /** Asks for the next part of its answer, which may be empty if it takes long. */
  record Pull(UUID request) implements RequestMessage {}

  /** The client has gone away, or its body was cut off; answered with an empty part. */
  record Abandon(UUID request) implements RequestMessage {}

  /**
   * The answer to a message.
   *
   * @param status of the whole answer, in its first part; 0 otherwise
   * @param headers with the status, by name
   * @param isLast whether nothing follows
   * @param failure why the answer ends in its midst, or cannot be had; empty otherwise
   */
  record Part(
      int status, Map<String, List<String>> headers, byte[] bytes, boolean isLast, String failure) {
    static final Part EMPTY = new Part(0, Map.of(), new byte[0], false, "");

    static Part failed(String reason) {
      return new Part(0, Map.of(), new byte[0], true, reason);
    }

    byte[] encode() {
      return MessageForm.write(
          out -> {
            out.writeInt(status);
            putHeaders(out, headers);
            MessageForm.putBytes(out, bytes);
            out.writeBoolean(isLast);
            out.writeUTF(failure);
          });
    }

    static Part decode(byte[] message) {
      return MessageForm.read(
          message,
          in -> {
            int status = in.readInt();
            return new Part(
                status,
                RequestMessage.headers(in),
                MessageForm.bytes(in),
                in.readBoolean(),
                in.readUTF());
          });
    }
  }

  /** The message as it is sent. */
  default byte[] encode() {
    return MessageForm.write(
        out -> {
          out.writeByte(
              this instanceof Open
                  ? 'O'
                  : this instanceof Body ? 'B' : this instanceof Pull ? 'P' : 'A');
          out.writeLong(request().getMostSignificantBits());
          out.writeLong(request().getLeastSignificantBits());
          if (this instanceof Open open) {
            out.writeUTF(open.method());
            MessageForm.putBytes(out, open.base().toString().getBytes(StandardCharsets.UTF_8));
            MessageForm.putBytes(out, open.uri().toString().getBytes(StandardCharsets.UTF_8));
            putHeaders(out, open.headers());
            out.writeUTF(open.caller().name());
            out.writeUTF(open.caller().role().text());
            out.writeUTF(open.caller().from());
            out.writeUTF(open.requestId());
          } else if (this instanceof Body body) {
            MessageForm.putBytes(out, body.bytes());
            out.writeBoolean(body.isLast());
          }
        });
  }

  /** The message that was sent. */
  static RequestMessage decode(byte[] message) {
    return MessageForm.read(
        message,
        in -> {
          char kind = (char) in.readByte();
          UUID request = new UUID(in.readLong(), in.readLong());
          return switch (kind) {
            case 'O' -> {
              String method = in.readUTF();
              URI base = uri(in);
              URI uri = uri(in);
              Map<String, List<String>> headers = headers(in);
              String name = in.readUTF();
              Role role = Role.of(in.readUTF()).orElseThrow(() -> new IOException("no such role"));
              yield new Open(
                  request,
                  method,
                  base,
                  uri,
                  headers,
                  new Caller(name, role, in.readUTF()),
                  in.readUTF());
            }
            case 'B' -> new Body(request, MessageForm.bytes(in), in.readBoolean());
            case 'P' -> new Pull(request);
            case 'A' -> new Abandon(request);
            default -> throw new IOException("kind " + kind);
          };
        });
  }

  private static void putHeaders(DataOutputStream out, Map<String, List<String>> headers)
      throws IOException {
    out.writeInt(headers.values().stream().mapToInt(List::size).sum());
    for (Map.Entry<String, List<String>> header : headers.entrySet()) {
      for (String value : header.getValue()) {
        out.writeUTF(header.getKey());
        out.writeUTF(value);
      }
    }
  }

  private static Map<String, List<String>> headers(DataInputStream in) throws IOException {
    Map<String, List<String>> headers = new LinkedHashMap<>();
    for (int left = in.readInt(); left > 0; left--) {
      headers.computeIfAbsent(in.readUTF(), unused -> new ArrayList<>()).add(in.readUTF());
    }
    return headers;
  }

  private static URI uri(DataInputStream in) throws IOException {
    return URI.create(new String(MessageForm.bytes(in), StandardCharsets.UTF_8));
  }
}
