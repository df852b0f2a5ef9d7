package net.sluice.onos.southbound;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import net.sluice.core.ControllerException;
import net.sluice.core.target.WriteCode;
import net.sluice.intents.plan.Op;
import net.sluice.onos.cluster.MessageForm;
import net.sluice.onos.southbound.SwitchClient.PiAnswer;
import net.sluice.onos.southbound.SwitchClient.PiReadRequest;
import net.sluice.onos.southbound.SwitchClient.PiReading;
import net.sluice.onos.southbound.SwitchClient.PiUpdate;
import net.sluice.onos.southbound.SwitchClient.ReadEnd;
import org.onosproject.net.DeviceId;
import org.onosproject.net.pi.model.PiTableId;
import org.onosproject.net.pi.runtime.PiEntity;
import org.onosproject.net.pi.runtime.PiHandle;
import org.onosproject.store.cluster.messaging.MessageSubject;
import org.onosproject.store.serializers.KryoNamespaces;
import org.onosproject.store.service.Serializer;

/**
 * The calls of the instance that leads to the instance that is a switch's master, as messages of
 * the cluster. ONOS's own objects are written as ONOS writes them.
 */
sealed interface SwitchCall {
  /** Where masters hear calls. */
  MessageSubject SUBJECT = new MessageSubject("net.sluice.switch");

  /**
   * Begins a session; answered with its number.
   *
   * @param epoch number of the takeover of the switch that it is of
   */
  record Begin(DeviceId device, long epoch) implements SwitchCall {}

  /** {@link SwitchClient#check} of a session. */
  record Check(long session) implements SwitchCall {}

  /** {@link SwitchClient#write} of a session. */
  record Write(long session, List<PiUpdate> updates) implements SwitchCall {}

  /** {@link SwitchClient#read} of a session. */
  record Read(long session, PiReadRequest question) implements SwitchCall {}

  /** The call as a message. */
  default byte[] encode() {
    return MessageForm.write(
        out -> {
          if (this instanceof Begin begin) {
            out.writeByte(Form.BEGIN);
            out.writeUTF(begin.device().toString());
            out.writeLong(begin.epoch());
          } else if (this instanceof Check check) {
            out.writeByte(Form.CHECK);
            out.writeLong(check.session());
          } else if (this instanceof Write write) {
            out.writeByte(Form.WRITE);
            out.writeLong(write.session());
            out.writeInt(write.updates().size());
            for (PiUpdate update : write.updates()) {
              out.writeByte(update.op().ordinal());
            }
            Form.put(out, write.updates().stream().map(PiUpdate::entity).toList());
          } else if (this instanceof Read read
              && read.question() instanceof PiReadRequest.Tables t) {
            out.writeByte(Form.READ_TABLES);
            out.writeLong(read.session());
            Form.put(out, t.ids());
          } else if (this instanceof Read read && read.question() instanceof PiReadRequest.Keys k) {
            out.writeByte(Form.READ_KEYS);
            out.writeLong(read.session());
            Form.put(out, k.handles());
          }
        });
  }

  /** The call of a message. */
  static SwitchCall decode(byte[] message) {
    return MessageForm.read(
        message,
        in -> {
          byte kind = in.readByte();
          if (kind == Form.BEGIN) {
            return new Begin(DeviceId.deviceId(in.readUTF()), in.readLong());
          }
          long session = in.readLong();
          return switch (kind) {
            case Form.CHECK -> new Check(session);
            case Form.WRITE -> {
              byte[] ops = new byte[in.readInt()];
              in.readFully(ops);
              List<PiEntity> entities = Form.list(in);
              List<PiUpdate> updates = new ArrayList<>(ops.length);
              for (int i = 0; i < ops.length; i++) {
                updates.add(new PiUpdate(Op.values()[ops[i]], entities.get(i)));
              }
              yield new Write(session, updates);
            }
            case Form.READ_TABLES ->
                new Read(session, new PiReadRequest.Tables(Form.<PiTableId>list(in)));
            case Form.READ_KEYS ->
                new Read(session, new PiReadRequest.Keys(Form.<PiHandle>list(in)));
            default -> throw new IOException("kind " + kind);
          };
        });
  }

  /** The answers to calls, as messages. */
  final class Answers {
    private Answers() {}

    /** Why a call failed. */
    static byte[] failed(String reason) {
      return MessageForm.write(
          out -> {
            out.writeByte(Form.FAILED);
            Form.text(out, reason);
          });
    }

    /** A session has begun. */
    static byte[] begun(long session) {
      return Form.done(out -> out.writeLong(session));
    }

    /** The session stands. */
    static byte[] checked() {
      return Form.done(out -> {});
    }

    static byte[] written(List<PiAnswer> answers) {
      return Form.done(
          out -> {
            out.writeInt(answers.size());
            for (PiAnswer answer : answers) {
              out.writeByte(answer.code().ordinal());
              if (answer.code() != WriteCode.OK) {
                Form.text(out, answer.message());
              }
            }
          });
    }

    static byte[] read(PiReading reading) {
      return Form.done(
          out -> {
            out.writeByte(reading.end().ordinal());
            Form.text(out, reading.reason());
            Form.put(out, reading.entities());
          });
    }

    static long begun(byte[] answer) {
      return Form.answer(answer, DataInputStream::readLong);
    }

    /** Nothing, or the failure. */
    static Void checked(byte[] answer) {
      return Form.answer(answer, in -> null);
    }

    static List<PiAnswer> written(byte[] answer) {
      return Form.answer(
          answer,
          in -> {
            int count = in.readInt();
            List<PiAnswer> answers = new ArrayList<>(count);
            for (int i = 0; i < count; i++) {
              WriteCode code = WriteCode.values()[in.readByte()];
              answers.add(code == WriteCode.OK ? PiAnswer.OK : new PiAnswer(code, Form.text(in)));
            }
            return answers;
          });
    }

    static PiReading read(byte[] answer) {
      return Form.answer(
          answer,
          in -> new PiReading(ReadEnd.values()[in.readByte()], Form.text(in), Form.list(in)));
    }
  }

  /** How it is written. */
  final class Form {
    private static final byte BEGIN = 1;
    private static final byte CHECK = 2;
    private static final byte WRITE = 3;
    private static final byte READ_TABLES = 4;
    private static final byte READ_KEYS = 5;
    private static final byte DONE = 0;
    private static final byte FAILED = 1;

    /** Longer words are cut: a message's text has 65,535 bytes at most. */
    private static final int MOST_WORDS = 10_000;

    private static final Serializer ONOS = Serializer.using(KryoNamespaces.API);

    private Form() {}

    private static byte[] done(MessageForm.Out content) {
      return MessageForm.write(
          out -> {
            out.writeByte(DONE);
            content.to(out);
          });
    }

    private static <T> T answer(byte[] message, MessageForm.In<T> content) {
      return MessageForm.read(
          message,
          in -> {
            if (in.readByte() == FAILED) {
              throw new ControllerException(text(in));
            }
            return content.from(in);
          });
    }

    private static void text(DataOutputStream out, String text) throws IOException {
      out.writeUTF(text.substring(0, Math.min(text.length(), MOST_WORDS)));
    }

    private static String text(DataInputStream in) throws IOException {
      return in.readUTF();
    }

    private static void put(DataOutputStream out, List<?> objects) throws IOException {
      MessageForm.putBytes(out, ONOS.encode(new ArrayList<>(objects)));
    }

    private static <T> List<T> list(DataInputStream in) throws IOException {
      return ONOS.decode(MessageForm.bytes(in));
    }
  }
}
