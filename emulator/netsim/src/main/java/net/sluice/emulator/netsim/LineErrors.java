package net.sluice.emulator.netsim;

/** Errors that the line behind a port has seen; they only grow. */
public interface LineErrors {

  /** A line without errors. */
  LineErrors NONE =
      new LineErrors() {
        @Override
        public long inErrors() {
          return 0;
        }

        @Override
        public long inDiscards() {
          return 0;
        }

        @Override
        public long outErrors() {
          return 0;
        }
      };

  /** Frames that arrived and could not be used. */
  long inErrors();

  /** Frames that arrived and found no room. */
  long inDiscards();

  /** Frames that could not be sent. */
  long outErrors();
}
