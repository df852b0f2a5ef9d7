package net.sluice.embedded.fpga;

import net.sluice.emulator.netsim.fpga.FpgaModel;
import net.sluice.fpga.FpgaRegisters;
import net.sluice.fpga.LocalBus;
import net.sluice.fpga.LocalRegisterBus;
import net.sluice.intents.value.Direction;

/** The registers of an emulated FPGA, as the driver reaches those of a card. */
public record ModelRegisters(FpgaModel fpga) implements LocalBus {
  /** The driver of an emulated FPGA in the same process; what it does is done when it returns. */
  public static FpgaRegisters driverOf(FpgaModel fpga, Direction direction) {
    return new FpgaRegisters(
        new LocalRegisterBus(new ModelRegisters(fpga), Runnable::run), direction);
  }

  @Override
  public int readWord(int address) {
    return fpga.readRegister(address);
  }

  @Override
  public void writeWord(int address, int value) {
    fpga.writeRegister(address, value);
  }
}
