package net.sluice.onos.cli;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import net.sluice.core.Outcome;
import net.sluice.core.shard.NetworkSwitch;
import net.sluice.intents.model.Kind;
import net.sluice.intents.plan.Change;
import net.sluice.intents.plan.Grant;
import net.sluice.intents.plan.Plan;
import net.sluice.intents.plan.TargetKey;
import net.sluice.intents.validate.Problem;
import net.sluice.intents.validate.Refusal;
import net.sluice.onos.SluiceService;
import net.sluice.rest.answer.AnswerWriter;
import net.sluice.rest.answer.JsonAnswer;
import net.sluice.rest.form.DeclarationForm;
import org.apache.karaf.shell.api.action.Argument;
import org.apache.karaf.shell.api.action.Command;
import org.apache.karaf.shell.api.action.Completion;
import org.apache.karaf.shell.api.action.lifecycle.Service;

/** {@code sluice:plan}: what a change would do; it changes nothing. */
@Service
@Command(
    scope = SluiceCommand.SCOPE,
    name = "plan",
    description = "Shows what a change would write and grant, without making it")
public class PlanCommand extends SluiceCommand {
  static final List<String> OPERATIONS = List.of("put", "delete");
  static final List<String> KINDS = Arrays.stream(Kind.values()).map(Kind::text).toList();

  @Argument(index = 0, name = "operation", description = "put or delete", required = true)
  @Completion(OperationCompleter.class)
  private String operation = null;

  @Argument(
      index = 1,
      name = "kind",
      description = "policy, subscriber, rate-limit or tariff",
      required = true)
  @Completion(KindCompleter.class)
  private String kind = null;

  @Argument(index = 2, name = "id", description = "Identifier", required = true)
  @Completion(DeclarationIdCompleter.class)
  private String id = null;

  @Argument(
      index = 3,
      name = "declaration",
      description = "What to put, as the JSON the REST interface takes",
      required = false)
  private String declaration = null;

  @Override
  void run(SluiceService sluice) throws Refusal, IOException {
    require("operation", operation, OPERATIONS);
    require("kind", kind, KINDS);
    boolean put = operation.equals("put");
    if (put == (declaration == null)) {
      throw new Refusal(
          List.of(
              Problem.of(
                  Problem.Code.MALFORMED,
                  "declaration",
                  put ? "absent" : "present",
                  put ? "the JSON to put" : "nothing for a deletion")));
    }
    Outcome outcome = sluice.controller().dryRun(change(Kind.of(kind).orElseThrow()));
    if (outcome instanceof Outcome.Refused refused) {
      throw new Refusal(refused.problems());
    }
    Outcome.Accepted accepted = (Outcome.Accepted) outcome;
    if (outputJson()) {
      printJson(new JsonAnswer(json -> AnswerWriter.writeDryRun(json, accepted)));
    } else {
      printPlan(accepted);
    }
  }

  private static void require(String field, String value, List<String> allowed) throws Refusal {
    if (!allowed.contains(value)) {
      throw new Refusal(
          List.of(Problem.of(Problem.Code.MALFORMED, field, value, String.join(", ", allowed))));
    }
  }

  private Change change(Kind of) throws Refusal {
    if (declaration == null) {
      return new Change.Delete(of, id);
    }
    return DeclarationForm.read(of, id, declaration.getBytes(StandardCharsets.UTF_8));
  }

  private void printPlan(Outcome.Accepted accepted) {
    Plan plan = accepted.plan();
    if (accepted.plans().isEmpty()) {
      printWrites(NetworkSwitch.ONLY, plan);
    }
    accepted.plans().forEach(each -> printWrites(each.switchName(), each.plan()));
    for (Grant grant : plan.grants()) {
      print(
          "field=%s, requested=%s, granted=%s, unit=%s",
          grant.field(),
          Double.toString(grant.requested()),
          Double.toString(grant.granted()),
          grant.unit());
    }
    plan.notes().forEach(note -> print("note: %s", note));
  }

  private void printWrites(String switchName, Plan plan) {
    for (TargetKey<?> target : TargetKey.all()) {
      int writes = plan.writes(target).size();
      if (target == TargetKey.SWITCH || writes > 0) {
        print("target=%s, writes=%d", NetworkSwitch.targetName(switchName, target), writes);
      }
    }
  }
}
