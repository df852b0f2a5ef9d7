package net.sluice.pipeconf.profile;

import java.util.List;
import net.sluice.intents.profile.FpgaProfile;

/**
 * A kind of queueing FPGA.
 *
 * @param name the name it is asked for by
 * @param title what it is, for people
 * @param notes what people should know of it
 * @param fpga what it can hold and represent
 */
public record FpgaTargetProfile(String name, String title, List<String> notes, FpgaProfile fpga)
    implements TargetProfile {
  public FpgaTargetProfile {
    notes = List.copyOf(notes);
  }
}
