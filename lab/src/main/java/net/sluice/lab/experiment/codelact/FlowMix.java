package net.sluice.lab.experiment.codelact;

import net.sluice.emulator.netsim.host.tcp.congestion.CongestionAlgorithm;

/** Which congestion control the flows of a cell use. */
enum FlowMix {
  /** All CUBIC. */
  CUBIC("cubic"),
  /** All BBR, version 1. */
  BBR("bbr"),
  /** CUBIC and BBR by turns, beginning with CUBIC. */
  MIX("mix");

  private final String text;

  FlowMix(String text) {
    this.text = text;
  }

  /** Its name on the command line and in rows' names. */
  String text() {
    return text;
  }

  /** The congestion control of a flow, from 0. */
  CongestionAlgorithm of(int flow) {
    boolean bbr = this == BBR || this == MIX && flow % 2 == 1;
    return bbr ? CongestionAlgorithm.BBR : CongestionAlgorithm.CUBIC;
  }
}
