package net.sluice.fpga;

/** The registers could not be reached, or answered what they cannot. */
public class RegisterBusException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** For people. */
  public RegisterBusException(String message) {
    super(message);
  }

  /** For people, with what lies behind it. */
  public RegisterBusException(String message, Throwable cause) {
    super(message, cause);
  }

  /** More batches wait than the bus takes; nothing of this one was done. */
  public static final class Busy extends RegisterBusException {
    private static final long serialVersionUID = 1L;

    Busy(int limit) {
      super("the register bus has " + limit + " batches waiting already");
    }
  }
}
