package net.sluice.pipeconf.profile;

import java.util.List;

/** A kind of target: a {@link SwitchTargetProfile} or an {@link FpgaTargetProfile}. */
public sealed interface TargetProfile permits SwitchTargetProfile, FpgaTargetProfile {
  /** The name it is asked for by, e.g. {@code stratum-tofino}. */
  String name();

  /** Its title for people. */
  String title();

  /** Notes about it for people. */
  List<String> notes();
}
