package net.sluice.onos.cli;

import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;
import net.sluice.core.Controller;
import net.sluice.core.InstallSummary;
import net.sluice.core.PortSummary;
import net.sluice.core.SwitchStatus;
import net.sluice.core.traffic.PortStatus;
import net.sluice.intents.plan.TableUse;
import net.sluice.onos.SluiceService;
import net.sluice.onos.cluster.ClusterMember.Role;
import net.sluice.onos.cluster.ClusterMember.Standing;
import net.sluice.rest.answer.AnswerWriter;
import net.sluice.rest.answer.JsonAnswer;
import org.apache.karaf.shell.api.action.Command;
import org.apache.karaf.shell.api.action.lifecycle.Service;

/** {@code sluice:status}: who leads, how far the targets are, how ports are, how full tables. */
@Service
@Command(
    scope = SluiceCommand.SCOPE,
    name = "status",
    description = "Shows who leads, how far the targets have got and how full the switch is")
public class StatusCommand extends SluiceCommand {
  private static final double PERCENT = 100;

  @Override
  void run(SluiceService sluice) throws IOException {
    Standing standing = sluice.standing();
    if (!outputJson()) {
      printStanding(standing);
      sluice.refusedConfiguration().forEach((name, why) -> print("configuration refused: %s", why));
      sluice.notes().forEach(note -> print("note: %s", note));
    }
    if (standing.role() != Role.LEADER && !outputJson()) {
      return;
    }
    Controller controller = sluice.controller();
    InstallSummary summary = controller.summary();
    List<SwitchStatus> switches = controller.switches();
    if (outputJson()) {
      printJson(
          new JsonAnswer(
              json ->
                  AnswerWriter.write(
                      json, summary, controller.needs().lacks(), switches, sluice.notes())));
      return;
    }
    for (InstallSummary.PerTarget target : summary.targets()) {
      print(
          "target=%s, session=%s, installed=%d, pending=%d, failed=%d, queuedWrites=%d,"
              + " inFlightWrites=%d%s",
          target.target(),
          target.session(),
          target.installed(),
          target.pending(),
          target.failed(),
          target.queuedWrites(),
          target.inFlightWrites(),
          target.sessionDetail().map(detail -> ", detail=" + detail).orElse(""));
    }
    for (SwitchStatus each : switches) {
      if (switches.size() > 1) {
        print("switch=%s", each.name());
      }
      each.ports().ifPresent(this::printPorts);
      for (TableUse table : each.tables()) {
        print(
            "resource=%s, used=%d, size=%d%s",
            table.resource(),
            table.used(),
            table.size(),
            table.note().map(note -> ", note=" + note).orElse(""));
      }
    }
  }

  private void printPorts(PortSummary ports) {
    print(
        "target=ports, session=%s%s",
        ports.session(), ports.detail().map(detail -> ", detail=" + detail).orElse(""));
    for (PortStatus port : ports.ports()) {
      print(
          "port=%d, name=%s, state=%s%s%s, rateBps=%d%s%s%s%s",
          port.port(),
          port.name().orElse("unknown"),
          port.up().map(up -> up ? "UP" : "DOWN").orElse("UNKNOWN"),
          port.enabled().filter(enabled -> !enabled).map(not -> ", enabled=false").orElse(""),
          port.since().map(since -> ", since=" + since).orElse(""),
          port.rateBps(),
          bps(", inBps=", port.inBps()),
          bps(", outBps=", port.outBps()),
          port.utilisation().isPresent()
              ? String.format(
                  Locale.ROOT, ", utilisation=%.1f%%", PERCENT * port.utilisation().getAsDouble())
              : "",
          port.note().map(note -> ", note=" + note).orElse(""));
    }
  }

  private static String bps(String name, OptionalDouble bps) {
    return bps.isPresent() ? name + Math.round(bps.getAsDouble()) : "";
  }

  private void printStanding(Standing standing) {
    print(
        "role=%s, leader=%s, since=%s%s%s",
        standing.role(),
        standing.leader().map(Object::toString).orElse("none"),
        standing.since(),
        standing.detail().map(detail -> ", detail=" + detail).orElse(""),
        standing.next().map(next -> ", next=" + next).orElse(""));
  }
}
