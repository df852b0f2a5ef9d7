package net.sluice.core.change;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import net.sluice.core.ControllerException;
import net.sluice.core.Outcome;
import net.sluice.core.UnavailableException;
import net.sluice.core.change.GroupCommit.Waiting;
import net.sluice.core.testing.TestNetwork;
import net.sluice.intents.plan.Change;
import net.sluice.intents.validate.Problem;
import net.sluice.testing.Patience;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class GroupCommitTest {
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final List<List<String>> commits = new ArrayList<>();
  private final CountDownLatch firstBegun = new CountDownLatch(1);
  private final CountDownLatch goOn = new CountDownLatch(1);

  @AfterEach
  void stop() {
    threads.shutdownNow();
  }

  private int most = 100;

  private List<Outcome> commit(Iterator<Change> waiting) {
    List<Change> group = new ArrayList<>();
    while (group.size() < most && waiting.hasNext()) {
      group.add(waiting.next());
    }
    return commit(group);
  }

  /** Refuses every change, naming it, and holds the first commit back until told. */
  private List<Outcome> commit(List<Change> changes) {
    commits.add(changes.stream().map(Change::id).toList());
    if (commits.size() == 1) {
      firstBegun.countDown();
      Patience.await(goOn);
    }
    return changes.stream().<Outcome>map(GroupCommitTest::outcome).toList();
  }

  private static Outcome outcome(Change change) {
    return new Outcome.Refused(
        change, List.of(Problem.of(Problem.Code.INVALID, "id", change.id(), "another")));
  }

  private static final class Counting extends ConcurrentLinkedQueue<Waiting> {
    private static final long serialVersionUID = 1L;

    private final transient CountDownLatch left;

    Counting(int expected) {
      left = new CountDownLatch(expected);
    }

    @Override
    public boolean add(Waiting waiting) {
      boolean added = super.add(waiting);
      left.countDown();
      return added;
    }
  }

  private List<Future<Outcome>> start(GroupCommit group, int from, int to) {
    List<Future<Outcome>> started = new ArrayList<>();
    for (int i = from; i < to; i++) {
      Change change = TestNetwork.put("s" + i, "10.0.0." + i + "/32");
      started.add(threads.submit(() -> group.apply(change)));
    }
    return started;
  }

  @Test
  void whatComesDuringACommitSharesTheNextOne() throws Exception {
    Counting queue = new Counting(10);
    GroupCommit group = new GroupCommit(this::commit, queue);
    List<Future<Outcome>> started = start(group, 0, 1);
    Patience.await(firstBegun);
    started.addAll(start(group, 1, 10));
    Patience.await(queue.left);
    goOn.countDown();

    for (int i = 0; i < 10; i++) {
      assertThat(((Outcome.Refused) started.get(i).get()).change().id()).isEqualTo("s" + i);
    }
    assertThat(commits).hasSize(2);
    assertThat(commits.get(0)).containsExactly("s0");
    assertThat(commits.get(1))
        .containsExactlyInAnyOrder("s1", "s2", "s3", "s4", "s5", "s6", "s7", "s8", "s9");
  }

  @Test
  void aCommitHasNoMoreThanItsBound() throws Exception {
    Counting queue = new Counting(8);
    most = 3;
    GroupCommit group = new GroupCommit(this::commit, queue);
    List<Future<Outcome>> started = start(group, 0, 1);
    Patience.await(firstBegun);
    started.addAll(start(group, 1, 8));
    Patience.await(queue.left);
    goOn.countDown();
    for (Future<Outcome> each : started) {
      each.get();
    }
    assertThat(commits).extracting(List::size).containsExactly(1, 3, 3, 1);
  }

  @ParameterizedTest
  @MethodSource("failures")
  void aFailedCommitFailsEveryChangeInItAndNoOther(Throwable failure, String words)
      throws Exception {
    Counting queue = new Counting(4);
    GroupCommit group =
        new GroupCommit(
            changes -> {
              List<Outcome> outcomes = commit(changes);
              if (commits.size() == 2) {
                throw sneaky(failure);
              }
              return outcomes;
            },
            queue);
    List<Future<Outcome>> first = start(group, 0, 1);
    Patience.await(firstBegun);
    List<Future<Outcome>> next = start(group, 1, 4);
    Patience.await(queue.left);
    goOn.countDown();

    first.get(0).get();
    assertFailed(next, failure, words);
    start(group, 4, 5).get(0).get();
    assertThat(commits).extracting(List::size).containsExactly(1, 3, 1);
  }

  static Stream<Arguments> failures() {
    return Stream.of(
        Arguments.of(
            new UnavailableException("the change failed: disk full", Duration.ofSeconds(3)),
            "the change failed: disk full"),
        Arguments.of(new StackOverflowError("deep"), "java.lang.StackOverflowError: deep"),
        Arguments.of(new NoClassDefFoundError("Gone"), "java.lang.NoClassDefFoundError: Gone"));
  }

  private static RuntimeException sneaky(Throwable failure) {
    if (failure instanceof Error e) {
      throw e;
    }
    return (RuntimeException) failure;
  }

  private static void assertFailed(List<Future<Outcome>> all, Throwable failure, String words) {
    for (Future<Outcome> each : all) {
      assertThatThrownBy(each::get)
          .isInstanceOf(ExecutionException.class)
          .cause()
          .isInstanceOf(ControllerException.class)
          .hasMessage(words)
          .hasCause(failure);
    }
  }

  @Test
  void aCommitThatDoesNotBeginFailsAllThatWaitInsteadOfBeingTriedForEver() throws Exception {
    Counting queue = new Counting(4);
    IllegalStateException failure = new IllegalStateException("closed");
    GroupCommit group =
        new GroupCommit(
            changes -> {
              if (commits.isEmpty()) {
                return commit(changes);
              }
              throw failure;
            },
            queue);
    List<Future<Outcome>> first = start(group, 0, 1);
    Patience.await(firstBegun);
    List<Future<Outcome>> next = start(group, 1, 4);
    Patience.await(queue.left);
    goOn.countDown();
    first.get(0).get();
    assertFailed(next, failure, "java.lang.IllegalStateException: closed");
  }
}
