package net.sluice.standalone;

import java.io.IOException;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.Stack;
import java.util.TreeSet;
import net.sluice.cli.ListenAddress;
import net.sluice.cli.OptionSource;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;
import org.yaml.snakeyaml.error.Mark;
import org.yaml.snakeyaml.error.MarkedYAMLException;
import org.yaml.snakeyaml.error.YAMLException;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.NodeTuple;
import org.yaml.snakeyaml.nodes.ScalarNode;
import org.yaml.snakeyaml.nodes.SequenceNode;
import org.yaml.snakeyaml.nodes.Tag;
import picocli.CommandLine.IParameterPreprocessor;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/**
 * Options that are not on the command line but in the environment ({@code SLUICE_HTTP} for {@code
 * --http}) or in the file of {@code --config}, YAML with an option's name a key. Of an option that
 * is in several the command line's values count, else the environment's. They are put in front of
 * the command line's, so that all are read and checked alike.
 */
final class ConfiguredOptions implements IParameterPreprocessor, OptionSource {
  private static final String CONFIG = "--config";
  private static final String ENVIRONMENT = "SLUICE_";
  private static final Set<String> NOT_CONFIGURED = Set.of(CONFIG, "--help", "--version");

  /** Variables of the launcher. */
  private static final Set<String> LAUNCHERS = Set.of("SLUICE_JAVA_OPTS");

  private final Map<String, String> environment;
  private final Map<String, String> sources = new LinkedHashMap<>();

  /** {@code environment}: the process's. */
  ConfiguredOptions(Map<String, String> environment) {
    this.environment = environment;
  }

  @Override
  public Optional<String> sourceOf(String option) {
    return Optional.ofNullable(sources.get(option));
  }

  @Override
  public boolean preprocess(
      Stack<String> args, CommandSpec command, ArgSpec arg, Map<String, Object> info) {
    sources.clear();
    List<String> given = new ArrayList<>();
    for (String text : args) {
      given.add(text.split("=", 2)[0]);
    }
    List<String> more = new ArrayList<>();
    Map<String, OptionSpec> options = new LinkedHashMap<>();
    for (OptionSpec option : command.options()) {
      String name = option.longestName();
      if (!NOT_CONFIGURED.contains(name)) {
        options.put(name, option);
        String variable = variable(name);
        String value = environment.get(variable);
        if (value != null && !given.contains(name)) {
          sources.put(name, variable);
          add(more, option, List.of(value), variable, command);
        }
      }
    }
    warnOfOthers(options.keySet(), command);
    file(args).ifPresent(file -> read(file, command, options, given, more));
    for (int i = more.size() - 1; i >= 0; i--) {
      args.push(more.get(i));
    }
    return false;
  }

  /** Names the variables that no option has: one that is misspelt changes nothing. */
  private void warnOfOthers(Set<String> options, CommandSpec command) {
    Set<String> known = new HashSet<>(LAUNCHERS);
    known.add(variable(CONFIG));
    options.forEach(name -> known.add(variable(name)));
    for (String variable : new TreeSet<>(environment.keySet())) {
      if (variable.startsWith(ENVIRONMENT) && !known.contains(variable)) {
        String option =
            "--"
                + variable
                    .substring(ENVIRONMENT.length())
                    .toLowerCase(Locale.ROOT)
                    .replace('_', '-');
        List<String> nearest =
            new UnmatchedArgumentException(command.commandLine(), List.of(option))
                .getSuggestions().stream()
                    .filter(options::contains)
                    .limit(1)
                    .map(ConfiguredOptions::variable)
                    .toList();
        command
            .commandLine()
            .getErr()
            .println(
                "sluice: "
                    + variable
                    + " in the environment is ignored: it is no option's"
                    + (nearest.isEmpty() ? "" : "; the nearest is " + nearest.get(0)));
      }
    }
  }

  private static String variable(String option) {
    return ENVIRONMENT + option.substring(2).toUpperCase(Locale.ROOT).replace('-', '_');
  }

  /** The value of {@code --config}; the top of the stack is the first argument. */
  private Optional<String> file(Stack<String> args) {
    for (int i = args.size() - 1; i >= 0; i--) {
      if (args.get(i).startsWith(CONFIG + "=")) {
        return Optional.of(args.get(i).substring(CONFIG.length() + 1));
      }
      if (args.get(i).equals(CONFIG)) {
        return i == 0 ? Optional.empty() : Optional.of(args.get(i - 1));
      }
    }
    return Optional.ofNullable(environment.get(variable(CONFIG)));
  }

  private void read(
      String file,
      CommandSpec command,
      Map<String, OptionSpec> options,
      List<String> given,
      List<String> more) {
    Node root;
    LoaderOptions loading = new LoaderOptions();
    loading.setAllowDuplicateKeys(false);
    try (Reader text = Files.newBufferedReader(Path.of(file), StandardCharsets.UTF_8)) {
      root = new Yaml(new SafeConstructor(loading)).compose(text);
    } catch (MarkedYAMLException e) {
      String problem = e.getProblem() == null ? "it is no YAML" : e.getProblem();
      throw refusal(command, at(file, e.getProblemMark()), problem);
    } catch (YAMLException | IOException | InvalidPathException e) {
      throw refusal(command, file, "it cannot be read: " + ListenAddress.reason(e));
    }
    if (root == null) {
      return;
    }
    if (!(root instanceof MappingNode all)) {
      throw refusal(command, at(file, root.getStartMark()), "allowed: OPTION: VALUE a line");
    }
    for (NodeTuple each : all.getValue()) {
      String where = at(file, each.getKeyNode().getStartMark());
      String key = each.getKeyNode() instanceof ScalarNode text ? text.getValue() : "";
      String name = "--" + key;
      OptionSpec option = options.get(name);
      if (option == null) {
        throw refusal(
            command,
            where,
            "there is no option '" + key + "'; 'sluice serve --help' lists them, without --");
      }
      List<String> values = values(file, each.getValueNode(), key, option, command);
      if (sources.containsKey(name) && sources.get(name).startsWith(file + ":")) {
        throw refusal(command, where, "'" + key + "' is there twice");
      }
      if (!given.contains(name) && !sources.containsKey(name)) {
        sources.put(name, at(file, each.getValueNode().getStartMark()));
        add(more, option, values, sources.get(name), command);
      }
    }
  }

  private static List<String> values(
      String file, Node value, String key, OptionSpec option, CommandSpec command) {
    List<Node> nodes = List.of(value);
    if (value instanceof SequenceNode list && option.isMultiValue()) {
      nodes = list.getValue();
    }
    List<String> values = new ArrayList<>();
    for (Node node : nodes) {
      if (!(node instanceof ScalarNode text) || text.getTag().equals(Tag.NULL)) {
        throw refusal(
            command,
            at(file, node.getStartMark()),
            "'" + key + "' needs a value" + (option.isMultiValue() ? " or a list of them" : ""));
      }
      values.add(text.getValue());
    }
    return values;
  }

  private static void add(
      List<String> more,
      OptionSpec option,
      List<String> values,
      String where,
      CommandSpec command) {
    boolean isFlag = option.arity().max() == 0;
    for (String value : values) {
      if (!isFlag) {
        more.add(option.longestName() + "=" + value);
      } else if (value.equals("true")) {
        more.add(option.longestName());
      } else if (!value.equals("false")) {
        throw refusal(command, where, "'" + value + "'; allowed: true or false");
      }
    }
  }

  private static String at(String file, Mark mark) {
    return mark == null ? file : file + ":" + (mark.getLine() + 1) + ":" + (mark.getColumn() + 1);
  }

  private static ParameterException refusal(CommandSpec command, String where, String what) {
    return new ParameterException(command.commandLine(), where + ": " + what);
  }
}
