package net.sluice.pipeconf.profile;

import java.util.List;

/** A kind of target: a {@link SwitchTargetProfile} or an {@link FpgaTargetProfile}. */
public sealed interface TargetProfile permits SwitchTargetProfile, FpgaTargetProfile {
  /** The name it is asked for by, e.g. {@code stratum-tofino}. */
  String name();

  /** What it is, for people. */
  String title();

  /** What people should know of it. */
  List<String> notes();
}
