package net.sluice.fpga;

import com.google.protobuf.ByteString;
import java.util.BitSet;
import net.sluice.fpga.v1.BatchRequest;
import net.sluice.fpga.v1.BatchResponse;
import net.sluice.fpga.v1.Failure;

/** Batches and their results as messages. */
final class BatchMessages {
  /** A request that cannot be a batch. */
  static final class RefusedException extends Exception {
    private static final long serialVersionUID = 1L;
    private final int index;

    RefusedException(int index, String reason) {
      super(reason);
      this.index = index;
    }

    /** The answer that says so; nothing was done. */
    BatchResponse response() {
      return BatchResponse.newBuilder()
          .setFailure(
              Failure.newBuilder()
                  .setKind(Failure.Kind.REFUSED)
                  .setIndex(index)
                  .setReason(getMessage()))
          .build();
    }
  }

  private BatchMessages() {}

  static BatchRequest request(RegisterBatch batch, long epoch) {
    BatchRequest.Builder request = BatchRequest.newBuilder().setEpoch(epoch);
    BitSet writes = new BitSet();
    for (int i = 0; i < batch.size(); i++) {
      request.addAddress(batch.address(i));
      if (batch.isWrite(i)) {
        writes.set(i);
        request.addValue(batch.value(i));
      }
    }
    return request.setWrite(ByteString.copyFrom(writes.toByteArray())).build();
  }

  /** Checks every access before the first can be done. */
  static RegisterBatch batch(BatchRequest request) throws RefusedException {
    int size = request.getAddressCount();
    if (size > RegisterBatch.MAX_OPERATIONS) {
      throw new RefusedException(
          RegisterBatch.MAX_OPERATIONS,
          "a batch has at most " + RegisterBatch.MAX_OPERATIONS + " accesses, not " + size);
    }
    BitSet writes = BitSet.valueOf(request.getWrite().asReadOnlyByteBuffer());
    if (writes.length() > size) {
      throw new RefusedException(
          size, "access " + (writes.length() - 1) + " is to write, but has no address");
    }
    if (writes.cardinality() != request.getValueCount()) {
      throw new RefusedException(
          0, writes.cardinality() + " writes have " + request.getValueCount() + " values");
    }
    RegisterBatch.Builder batch = RegisterBatch.builder();
    int value = 0;
    for (int i = 0; i < size; i++) {
      int address = request.getAddress(i);
      String fault = RegisterBatch.addressFault(address);
      if (fault != null) {
        throw new RefusedException(i, fault);
      }
      if (writes.get(i)) {
        batch.write(address, request.getValue(value));
        value++;
      } else {
        batch.read(address);
      }
    }
    return batch.build();
  }

  static BatchResponse response(BatchResult result) {
    BatchResponse.Builder response = BatchResponse.newBuilder().setDone(result.done());
    for (int i = 0; i < result.wordCount(); i++) {
      response.addValue(result.word(i));
    }
    result
        .failure()
        .ifPresent(
            failure ->
                response.setFailure(
                    Failure.newBuilder()
                        .setKind(Failure.Kind.BUS_ERROR)
                        .setIndex(failure.index())
                        .setReason(failure.reason())));
    return response.build();
  }

  /** The answer to a batch of a controller that has been taken over from; nothing was done. */
  static BatchResponse fenced(String reason) {
    return BatchResponse.newBuilder()
        .setFailure(Failure.newBuilder().setKind(Failure.Kind.FENCED).setReason(reason))
        .build();
  }

  /**
   * The result of {@code batch}.
   *
   * @throws RegisterBusException if the answer does not belong to it, or another controller has
   *     taken the registers over
   */
  static BatchResult result(RegisterBatch batch, BatchResponse response) {
    if (response.getFailure().getKind() == Failure.Kind.FENCED) {
      throw new RegisterBusException(response.getFailure().getReason());
    }
    int done = response.getDone();
    BatchResult.Failure failure = null;
    if (response.hasFailure()) {
      failure =
          new BatchResult.Failure(
              response.getFailure().getIndex(), response.getFailure().getReason());
    }
    int reads = 0;
    for (int i = 0; i < Math.min(done, batch.size()); i++) {
      reads += batch.isWrite(i) ? 0 : 1;
    }
    if (done < 0
        || done > batch.size()
        || (failure == null) != (done == batch.size())
        || response.getValueCount() != reads) {
      throw new RegisterBusException(
          "the register agent's answer fits no batch of %s accesses: %s done, %s words"
              .formatted(batch.size(), done, response.getValueCount()));
    }
    int[] words = new int[reads];
    for (int i = 0; i < reads; i++) {
      words[i] = response.getValue(i);
    }
    return new BatchResult(words, done, failure);
  }
}
