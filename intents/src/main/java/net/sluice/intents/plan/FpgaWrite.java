package net.sluice.intents.plan;

import java.util.Optional;

/**
 * A write to the FPGA of {@code setting.direction()}.
 *
 * @param setting the setting afterwards
 * @param previous the value before
 * @param grant requested and granted; empty if the setting stands for no declared number (a bucket
 *     that is not limited) and so nothing is lost
 */
public record FpgaWrite(FpgaSetting setting, int previous, Optional<Grant> grant) {}
