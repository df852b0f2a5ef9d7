package net.sluice.intents.compile;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import net.sluice.intents.plan.FpgaSetting;
import net.sluice.intents.plan.Grant;
import net.sluice.intents.plan.Plan;
import net.sluice.intents.plan.SwitchEntry;
import net.sluice.intents.plan.TargetKey;
import net.sluice.intents.plan.Write;
import net.sluice.intents.validate.Problem;
import net.sluice.intents.validate.Refusal;
import net.sluice.intents.value.Direction;

/** Plans and refusals as text for golden files. */
final class PlanText {
  private static final int SHOWN = 12;

  private PlanText() {}

  static String of(Plan plan) {
    StringBuilder out = new StringBuilder();
    List<Write<SwitchEntry>> writes = plan.writes(TargetKey.SWITCH);
    for (int i = 0; i < writes.size() && i < SHOWN; i++) {
      Write<SwitchEntry> write = writes.get(i);
      line(out, "switch " + write.op() + " " + write.entity() + of(write.grant()));
    }
    if (writes.size() > SHOWN) {
      line(out, "switch ... " + (writes.size() - SHOWN) + " more");
    }
    for (Direction direction : Direction.values()) {
      for (Write<FpgaSetting> write : plan.writes(TargetKey.fpga(direction))) {
        int previous = write.previous().orElseThrow().value();
        line(out, "fpga " + write.entity() + " was " + previous + of(write.grant()));
      }
    }
    plan.grants().forEach(grant -> line(out, "grant" + of(Optional.of(grant))));
    plan.notes().forEach(note -> line(out, "note " + note));
    line(out, "number " + plan.delta().number());
    plan.delta()
        .allotments()
        .forEach(a -> line(out, "queue of " + a.subscriberIndex() + ": " + a.value()));
    return out.toString();
  }

  static String of(Refusal refusal) {
    StringBuilder out = new StringBuilder();
    line(out, "refused " + refusal.code());
    for (Problem problem : refusal.problems()) {
      line(out, problem.code() + " " + problem.field() + " = " + problem.value());
      line(out, "  allowed: " + problem.allowed());
      line(out, "  " + problem.detail());
    }
    return out.toString();
  }

  private static String of(Optional<Grant> grant) {
    if (grant.isEmpty()) {
      return "";
    }
    Grant g = grant.get();
    return String.format(
        Locale.ROOT,
        " [%s%s: requested %.1f, granted %.1f %s]",
        g.field(),
        g.direction().map(d -> " " + d.text()).orElse(""),
        g.requested(),
        g.granted(),
        g.unit());
  }

  private static void line(StringBuilder out, String text) {
    out.append(text).append('\n');
  }
}
