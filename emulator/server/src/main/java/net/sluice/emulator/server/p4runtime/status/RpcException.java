package net.sluice.emulator.server.p4runtime.status;

import com.google.rpc.Code;

/**
 * A request, or one element of a batch, is refused. Has no stack trace: refusing is ordinary, and
 * there may be thousands in a batch.
 */
public final class RpcException extends Exception {

  private static final long serialVersionUID = 1L;

  private final Code code;

  public RpcException(Code code, String message) {
    super(message, null, false, false);
    this.code = code;
  }

  public Code code() {
    return code;
  }

  public static RpcException invalid(String message) {
    return new RpcException(Code.INVALID_ARGUMENT, message);
  }

  /** The same, with values in the places of {@code %s}. */
  public static RpcException invalid(String format, Object... values) {
    return invalid(format.formatted(values));
  }
}
