package net.sluice.onos.store;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import net.sluice.core.store.StoreException;

/**
 * The commit record of the cluster's store. Replacing it, if it is still what was read, commits a
 * batch; raising its epoch bars whoever led before.
 *
 * @param epoch of the instance that may write; one more at each takeover
 * @param sequence number of the last batch committed
 * @param nonce changes whenever a replacement that may be under way is to miss
 * @param owner who leads, for people
 * @param parts number of values the last batch's changes are in; 0 if they are in {@code inline}
 * @param partsEpoch epoch under which those values were written
 * @param inline the last batch's changes
 */
record CommitRecord(
    long epoch, long sequence, int nonce, String owner, int parts, long partsEpoch, byte[] inline) {
  /** Version of this form, and of {@link RecordBlock}. */
  static final int FORMAT = 1;

  /** Of a store in which nothing has been committed. */
  static CommitRecord first(String owner) {
    return new CommitRecord(1, 0, 0, owner, 0, 1, new byte[0]);
  }

  /** The same under a new leader. */
  CommitRecord takenOverBy(String newOwner) {
    return new CommitRecord(epoch + 1, sequence, nonce, newOwner, parts, partsEpoch, inline);
  }

  /** The same under the same leader, but another value. */
  CommitRecord renewed() {
    return new CommitRecord(epoch, sequence, nonce + 1, owner, parts, partsEpoch, inline);
  }

  /** With a batch more, whose changes are in the value. */
  CommitRecord next(byte[] changes) {
    return new CommitRecord(epoch, sequence + 1, nonce, owner, 0, epoch, changes);
  }

  /** With a batch more, whose changes are in {@code count} values. */
  CommitRecord next(int count) {
    return new CommitRecord(epoch, sequence + 1, nonce, owner, count, epoch, new byte[0]);
  }

  /** Key of one of the values that the last batch's changes are in. */
  String partKey(int part) {
    return "part-" + partsEpoch + "-" + sequence + "-" + part;
  }

  byte[] encode() {
    byte[] name = owner.getBytes(StandardCharsets.UTF_8);
    return ByteBuffer.allocate(1 + 8 + 8 + 4 + 2 + name.length + 4 + 8 + inline.length)
        .put((byte) FORMAT)
        .putLong(epoch)
        .putLong(sequence)
        .putInt(nonce)
        .putShort((short) name.length)
        .put(name)
        .putInt(parts)
        .putLong(partsEpoch)
        .put(inline)
        .array();
  }

  static CommitRecord decode(byte[] bytes) {
    ByteBuffer in = ByteBuffer.wrap(bytes);
    try {
      int format = in.get();
      if (format != FORMAT) {
        throw new StoreException(
            "the cluster's store has format "
                + format
                + "; this release reads format "
                + FORMAT
                + "; nothing was changed");
      }
      long epoch = in.getLong();
      long sequence = in.getLong();
      int nonce = in.getInt();
      byte[] owner = new byte[in.getShort()];
      in.get(owner);
      int parts = in.getInt();
      long partsEpoch = in.getLong();
      byte[] inline = new byte[in.remaining()];
      in.get(inline);
      return new CommitRecord(
          epoch,
          sequence,
          nonce,
          new String(owner, StandardCharsets.UTF_8),
          parts,
          partsEpoch,
          inline);
    } catch (BufferUnderflowException e) {
      throw new StoreException("the commit record of the cluster's store is cut short", e);
    }
  }
}
