package net.sluice.emulator.ports.stf;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import net.sluice.emulator.switching.CloneSession;
import net.sluice.emulator.switching.Replicas;
import net.sluice.emulator.switching.ReplicationEngine;

/**
 * Mirroring and multicast commands as bmv2's command line has them. A node is a set of ports with
 * one instance number; it makes copies once it is associated with a group. Nodes are numbered from
 * 0, the lowest free number first.
 */
final class StfReplication {

  private static final int MAX_PORT = 511;

  /** Ports that get copies with an instance number. */
  private static final class MulticastNode {
    private final int instance;
    private Set<Integer> ports;
    private Integer group;

    MulticastNode(int instance, Set<Integer> ports) {
      this.instance = instance;
      this.ports = ports;
    }
  }

  private final ReplicationEngine engine;
  private final TreeMap<Integer, MulticastNode> nodes = new TreeMap<>();
  private final TreeMap<Integer, List<MulticastNode>> groups = new TreeMap<>();

  StfReplication(ReplicationEngine engine) {
    this.engine = engine;
  }

  /**
   * Executes a command, if it is one of these.
   *
   * @return whether it is
   */
  boolean execute(StfStatement.Direct command) {
    List<String> args = command.arguments();
    int line = command.line();
    switch (command.name()) {
      case "mirroring_add":
        StfRunner.arity(command, 2);
        int port = port(args.get(1), line);
        engine.setSession(
            session(args.get(0), line),
            new CloneSession(Replicas.of(List.of(new Replicas.Replica(port, 0))), 0, 0, 0));
        return true;
      case "mirroring_add_mc":
        StfRunner.arity(command, 2);
        engine.setSession(
            session(args.get(0), line),
            new CloneSession(Replicas.NONE, groupNumber(args.get(1), line), 0, 0));
        return true;
      case "mirroring_delete":
        StfRunner.arity(command, 1);
        engine.setSession(existingSession(args.get(0), line), null);
        return true;
      case "mirroring_get":
        StfRunner.arity(command, 1);
        existingSession(args.get(0), line);
        return true;
      case "mc_mgrp_create":
        StfRunner.arity(command, 1);
        int created = groupNumber(args.get(0), line);
        groups.putIfAbsent(created, new ArrayList<>());
        publish(created);
        return true;
      case "mc_mgrp_destroy":
        StfRunner.arity(command, 1);
        int destroyed = existingGroup(args.get(0), line);
        groups.remove(destroyed).forEach(node -> node.group = null);
        engine.setGroup(destroyed, null);
        return true;
      case "mc_node_create":
        int instance =
            number(least(command, 2).get(0), ReplicationEngine.MAX_INSTANCE, "instance", line);
        int free = 0;
        while (nodes.containsKey(free)) {
          free++;
        }
        nodes.put(free, new MulticastNode(instance, ports(args, line)));
        return true;
      case "mc_node_update":
        MulticastNode updated = node(least(command, 2).get(0), line);
        updated.ports = ports(args, line);
        if (updated.group != null) {
          publish(updated.group);
        }
        return true;
      case "mc_node_associate":
        StfRunner.arity(command, 2);
        int joined = existingGroup(args.get(0), line);
        MulticastNode joining = node(args.get(1), line);
        if (joining.group != null) {
          throw new StfException(
              line, "node " + args.get(1) + " is in group " + joining.group + " already");
        }
        joining.group = joined;
        groups.get(joined).add(joining);
        publish(joined);
        return true;
      case "mc_node_dissociate":
        StfRunner.arity(command, 2);
        int left = existingGroup(args.get(0), line);
        MulticastNode leaving = node(args.get(1), line);
        if (leaving.group == null || leaving.group != left) {
          throw new StfException(line, "node " + args.get(1) + " is not in group " + left);
        }
        leave(leaving);
        return true;
      case "mc_node_destroy":
        StfRunner.arity(command, 1);
        leave(node(args.get(0), line));
        nodes.remove(Integer.valueOf(args.get(0)));
        return true;
      default:
        return false;
    }
  }

  private void leave(MulticastNode node) {
    if (node.group != null) {
      int group = node.group;
      groups.get(group).remove(node);
      node.group = null;
      publish(group);
    }
  }

  private void publish(int group) {
    List<Replicas.Replica> replicas = new ArrayList<>();
    for (MulticastNode node : groups.get(group)) {
      for (int port : node.ports) {
        replicas.add(new Replicas.Replica(port, node.instance));
      }
    }
    engine.setGroup(group, Replicas.of(replicas));
  }

  private static List<String> least(StfStatement.Direct command, int arguments) {
    if (command.arguments().size() < arguments) {
      throw new StfException(
          command.line(),
          "'%s' takes at least %s arguments, not %s"
              .formatted(command.name(), arguments, command.arguments().size()));
    }
    return command.arguments();
  }

  private static Set<Integer> ports(List<String> args, int line) {
    Set<Integer> ports = new TreeSet<>();
    for (String arg : args.subList(1, args.size())) {
      if (arg.equals("|")) {
        throw new StfException(line, "link aggregation groups are not supported");
      }
      ports.add(port(arg, line));
    }
    return ports;
  }

  private static int port(String text, int line) {
    return number(text, MAX_PORT, "port", line);
  }

  private static int session(String text, int line) {
    return number(text, ReplicationEngine.MAX_SESSION, "mirroring session", line);
  }

  private int existingSession(String text, int line) {
    int session = session(text, line);
    if (engine.session(session) == null) {
      throw new StfException(line, "there is no mirroring session " + session);
    }
    return session;
  }

  private static int groupNumber(String text, int line) {
    int group = number(text, ReplicationEngine.MAX_GROUP, "multicast group", line);
    if (group == 0) {
      throw new StfException(line, "multicast group 0 means none; the first is 1");
    }
    return group;
  }

  private int existingGroup(String text, int line) {
    int group = groupNumber(text, line);
    if (!groups.containsKey(group)) {
      throw new StfException(line, "there is no multicast group " + group);
    }
    return group;
  }

  private MulticastNode node(String text, int line) {
    MulticastNode node = nodes.get(number(text, Integer.MAX_VALUE, "node", line));
    if (node == null) {
      throw new StfException(line, "there is no node " + text);
    }
    return node;
  }

  private static int number(String text, int most, String what, int line) {
    try {
      int value = Integer.parseInt(text);
      if (value >= 0 && value <= most) {
        return value;
      }
    } catch (NumberFormatException e) {
      // Refused below, with what is allowed.
    }
    throw new StfException(
        line, what + " '" + text + "' must be a decimal number from 0 to " + most);
  }
}
