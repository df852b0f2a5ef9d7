package net.sluice.intents.verdict;

/**
 * Where a subscriber stands in one direction; numbers as of a {@link Tally}.
 *
 * @param ownBps what its own limit is granted, bit/s; infinite for none
 * @param tree its tree, or {@link net.sluice.intents.share.Sharers#NONE}
 * @param port its BNG port, likewise
 * @param line the port that it leaves by, likewise
 * @param function what its traffic is worth
 * @param fpga whether an FPGA enforces one of its limits
 */
public record Stand(double ownBps, int tree, int port, int line, int function, boolean fpga) {}
