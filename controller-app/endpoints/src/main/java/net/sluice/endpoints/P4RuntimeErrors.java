package net.sluice.endpoints;

import com.google.protobuf.Any;
import com.google.protobuf.InvalidProtocolBufferException;
import io.grpc.Status;
import io.grpc.protobuf.StatusProto;
import net.sluice.core.target.RpcErrors;
import net.sluice.core.target.Target.WriteHandler;
import net.sluice.core.target.WriteCode;
import net.sluice.core.target.WriteResults;
import p4.v1.P4RuntimeOuterClass;

/**
 * The answer of a P4Runtime server that has not done everything (specification 1.3, "Error
 * Reporting Messages"): status UNKNOWN with one {@code p4.v1.Error} per update, in order.
 */
final class P4RuntimeErrors {
  private P4RuntimeErrors() {}

  /** Tells the handler of {@code updates} updates what the failure says. */
  static void answer(Throwable failure, int updates, WriteHandler handler) {
    com.google.rpc.Status details = StatusProto.fromThrowable(failure);
    if (details != null && details.getDetailsCount() == updates) {
      handler.done(perUpdate(details));
      return;
    }
    if (RpcErrors.isSessionLost(failure)) {
      handler.lost(RpcErrors.text(failure));
      return;
    }
    WriteResults results = new WriteResults(updates);
    for (int i = 0; i < updates; i++) {
      results.set(i, WriteCode.REFUSED, RpcErrors.text(failure));
    }
    handler.done(results);
  }

  private static WriteResults perUpdate(com.google.rpc.Status details) {
    WriteResults results = new WriteResults(details.getDetailsCount());
    for (int i = 0; i < details.getDetailsCount(); i++) {
      Any detail = details.getDetails(i);
      P4RuntimeOuterClass.Error error;
      try {
        error = detail.unpack(P4RuntimeOuterClass.Error.class);
      } catch (InvalidProtocolBufferException e) {
        results.set(i, WriteCode.REFUSED, "an error that cannot be read: " + detail.getTypeUrl());
        continue;
      }
      Status.Code code = Status.fromCodeValue(error.getCanonicalCode()).getCode();
      if (code != Status.Code.OK) {
        String words =
            error.getMessage().isEmpty() ? code.toString() : code + ": " + error.getMessage();
        results.set(i, RpcErrors.writeCode(code), words);
      }
    }
    return results;
  }
}
