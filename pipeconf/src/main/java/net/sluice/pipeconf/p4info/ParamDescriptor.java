package net.sluice.pipeconf.p4info;

/**
 * A parameter of an action.
 *
 * @param id P4Runtime's number of the parameter within its action
 * @param name name within the action
 * @param bits width
 */
public record ParamDescriptor(int id, String name, int bits) {}
