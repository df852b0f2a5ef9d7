package net.sluice.onos.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import net.sluice.core.Controller;
import net.sluice.core.store.InMemoryNetworkStore;
import net.sluice.core.store.StoreException;
import net.sluice.core.testing.VirtualTime;
import net.sluice.onos.cluster.ClusterMember.Role;
import net.sluice.onos.testing.TestCluster;
import org.junit.jupiter.api.Test;

/** What an instance is asked to do while it is taking over, which may take it a while. */
class ClusterMemberTest {
  private final VirtualTime time = new VirtualTime();
  private final TestCluster.Node node = new TestCluster().node("only");
  private final List<String> calls = new ArrayList<>();
  private Runnable whileOpening = () -> {};
  private Consumer<StoreException> lost;
  private ClusterMember member;

  private void start() {
    member =
        new ClusterMember(
            node.id,
            node.leadership,
            whenLost -> {
              lost = whenLost;
              return new InMemoryNetworkStore();
            },
            store -> {
              whileOpening.run();
              Controller opened = controller();
              return () -> opened;
            },
            controller -> calls.add("leads as " + member.standing().role()),
            time.scheduler(),
            time);
    member.start();
    time.settle();
  }

  /** A controller that notes what it is asked for. */
  private Controller controller() {
    return (Controller)
        Proxy.newProxyInstance(
            Controller.class.getClassLoader(),
            new Class<?>[] {Controller.class},
            (proxy, method, arguments) -> calls.add(method.getName()) ? null : proxy);
  }

  @Test
  void whoIsToldOfAControllerCanAskForIt() {
    start();
    assertThat(calls).containsExactly("leads as LEADER");
    assertThat(member.controller()).isPresent();
    member.close();
    assertThat(calls).containsExactly("leads as LEADER", "close");
  }

  @Test
  void whoIsClosedWhileTakingOverDoesNotLead() {
    whileOpening = () -> member.close();
    start();
    assertThat(calls).containsExactly("close");
    assertThat(member.controller()).isEmpty();
    assertThat(member.standing().role()).isEqualTo(Role.CLOSED);
  }

  @Test
  void whatNobodyForesawIsToldAndTriedAgain() {
    whileOpening =
        () -> {
          throw new NoClassDefFoundError("net/sluice/Gone");
        };
    start();
    assertThat(member.standing().role()).isEqualTo(Role.TAKING_OVER);
    assertThat(member.standing().detail())
        .hasValue("given up: java.lang.NoClassDefFoundError: net/sluice/Gone");
    whileOpening = () -> {};
    time.pass(Duration.ofSeconds(1));
    assertThat(calls).containsExactly("leads as LEADER");
  }

  /** A warning every few seconds, with a stack trace, would bury what else the log says. */
  @Test
  void whatStaysAmissIsAWarningOnceAndHasNoStackTrace() {
    PrintStream err = System.err;
    ByteArrayOutputStream log = new ByteArrayOutputStream();
    System.setErr(new PrintStream(log, true, StandardCharsets.UTF_8));
    try {
      String[] reason = {"the cluster does not answer"};
      whileOpening =
          () -> {
            throw new StoreException(reason[0], new IllegalStateException("inside"));
          };
      start();
      time.pass(Duration.ofMinutes(5));
      reason[0] = "the cluster's map is gone";
      time.pass(Duration.ofMinutes(5));
    } finally {
      System.setErr(err);
    }
    assertThat(log.toString(StandardCharsets.UTF_8).lines())
        .hasSize(2)
        .allMatch(line -> line.contains("WARN"))
        .anyMatch(line -> line.contains("the cluster does not answer"))
        .anyMatch(line -> line.contains("the cluster's map is gone"));
  }

  @Test
  void whoIsClosedWhileTakingOverFailsDoesNotTryAgain() {
    whileOpening =
        () -> {
          member.close();
          throw new StoreException("interrupted");
        };
    start();
    assertThat(calls).isEmpty();
    assertThat(member.standing().role()).isEqualTo(Role.CLOSED);
    assertThat(member.standing().next()).isEmpty();
    lost.accept(new StoreException("too late"));
    time.settle();
    assertThat(member.standing().role()).isEqualTo(Role.CLOSED);
  }
}
