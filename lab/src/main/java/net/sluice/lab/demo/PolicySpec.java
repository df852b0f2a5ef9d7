package net.sluice.lab.demo;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import net.sluice.cli.OptionException;
import net.sluice.intents.model.Kind;
import net.sluice.intents.model.Policy;
import net.sluice.intents.model.policy.BuiltInFunction;
import net.sluice.intents.model.policy.LikeFunction;
import net.sluice.intents.validate.Problem;
import net.sluice.intents.validate.Refusal;
import net.sluice.rest.form.DeclarationForm;

/**
 * A policy of the demo.
 *
 * @param policy the policy as the prediction reads it
 * @param body the body of its {@code PUT /policies/{id}}, sent as it is
 */
public record PolicySpec(Policy policy, String body) {
  static final String OPTION = "--policy";
  static final String FORM = "NAME=FILE, FILE holding the JSON body of PUT /policies/NAME";

  /** A policy whose function is built in, called like it. */
  public static PolicySpec builtIn(BuiltInFunction function) {
    return new PolicySpec(
        new Policy(function.text(), function),
        "{\"throughputValue\":{\"builtIn\":\"" + function.text() + "\"}}");
  }

  /** The same, whose subscribers' flows go as they come, as in the paper, which knows no flows. */
  public static PolicySpec ofPaper(BuiltInFunction function) {
    return new PolicySpec(
        new Policy(function.text(), function),
        "{\"throughputValue\":{\"builtIn\":\""
            + function.text()
            + "\"},\"flows\":\"as-they-come\"}");
  }

  /**
   * Reads {@code NAME=FILE}.
   *
   * @throws OptionException if the name, the file or its content cannot be used
   */
  public static PolicySpec parse(String text) {
    int equals = text.indexOf('=');
    if (equals < 1) {
      throw new OptionException(OPTION, text, FORM);
    }
    String name = text.substring(0, equals);
    String file = text.substring(equals + 1);
    for (BuiltInFunction function : BuiltInFunction.values()) {
      if (function.text().equals(name)) {
        throw new OptionException(
            OPTION, text, "NAME", name, "a name other than the built-in gold and silver");
      }
    }
    String body;
    try {
      body = Files.readString(Path.of(file), StandardCharsets.UTF_8);
    } catch (IOException | InvalidPathException e) {
      throw new OptionException(OPTION, text, "FILE", file, "a readable UTF-8 text file");
    }
    Policy policy;
    try {
      byte[] json = body.getBytes(StandardCharsets.UTF_8);
      policy = (Policy) DeclarationForm.read(Kind.POLICY, name, json).declaration();
    } catch (Refusal refusal) {
      Problem first = refusal.problems().get(0);
      throw new OptionException(OPTION, text, first.field(), first.value(), first.allowed());
    }
    if (policy.function() instanceof LikeFunction like) {
      throw new OptionException(
          OPTION, text, "throughputValue.like", like.policyId(), "a function of its own");
    }
    return new PolicySpec(policy, body);
  }
}
