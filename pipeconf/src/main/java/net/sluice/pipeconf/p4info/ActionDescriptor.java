package net.sluice.pipeconf.p4info;

import java.util.List;

/** An action of the program. */
public interface ActionDescriptor {
  /** P4Runtime's number of the action. */
  int id();

  /** Full name in the program. */
  String name();

  /** Its parameters, in the order of P4Info. */
  List<ParamDescriptor> params();
}
