package net.sluice.onos.testing;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import net.sluice.core.Controller;
import net.sluice.core.engine.SlaController;
import net.sluice.core.shard.NetworkSwitch;
import net.sluice.core.store.NetworkStore;
import net.sluice.core.testing.VirtualTime;
import net.sluice.core.time.Scheduler;
import net.sluice.intents.compile.Compiler;
import net.sluice.onos.cluster.ClusterMember;
import net.sluice.onos.cluster.Led;
import net.sluice.onos.store.ClusterNetworkStore;
import net.sluice.onos.store.KnownCommits;
import net.sluice.onos.testing.TestCluster.Fault;

/** An instance of a cluster in virtual time, with everything that dies with it. */
public abstract class ClusterInstance {
  /** After which an operation of the storage is unanswered. */
  public static final Duration PATIENCE = Duration.ofMillis(5);

  public final TestCluster.Node node;
  public final ClusterMember member;
  private final VirtualTime time;
  private final List<Scheduler> schedulers = new ArrayList<>();

  /** One that stands for leader from {@link #begin} on. */
  protected ClusterInstance(TestCluster.Node node, VirtualTime time) {
    this.node = node;
    this.time = time;
    KnownCommits known = new KnownCommits();
    member =
        new ClusterMember(
            node.id,
            node.leadership,
            lost ->
                ClusterNetworkStore.open(
                    node.storage, node.id.toString(), PATIENCE, time, known, lost),
            store -> led(open(store)),
            controller -> {},
            scheduler(),
            time);
  }

  private static Led led(Controller controller) {
    return () -> controller;
  }

  private Controller open(NetworkStore store) {
    return new SlaController(
        switches(store),
        store,
        config -> new Compiler(config.topology(), config.switchProfile(), config.fpgaProfile()),
        time,
        name -> scheduler());
  }

  /** The network that it controls while it leads. */
  protected abstract List<NetworkSwitch> switches(NetworkStore store);

  /** Lets go of what does not notice by itself that the instance is gone. */
  protected abstract void letGo();

  /** A scheduler that ends with the instance. */
  protected final Scheduler scheduler() {
    Scheduler scheduler = time.scheduler();
    schedulers.add(scheduler);
    return scheduler;
  }

  /** Why it may not write to targets. */
  protected final Optional<String> obstacle() {
    return member.leads() ? Optional.empty() : Optional.of("this instance does not lead");
  }

  /** Stands for leader. */
  protected final void begin() {
    member.start();
    time.settle();
  }

  /** Ends without a word; the cluster notices after a while. */
  public final void die() {
    schedulers.forEach(Scheduler::close);
    letGo();
    node.kill();
  }

  /** The controller of the instance that leads, if one does. */
  public static Optional<Controller> leading(Collection<? extends ClusterInstance> instances) {
    return instances.stream().flatMap(each -> each.member.controller().stream()).findFirst();
  }

  /** One of the next operations of each instance's storage fails. */
  public static void failOne(Collection<? extends ClusterInstance> instances, Random random) {
    int failing = 1 + random.nextInt(30);
    Fault fault = List.of(Fault.LOST, Fault.UNANSWERED, Fault.LATE).get(random.nextInt(3));
    instances.forEach(
        each -> each.node.faults(operation -> operation == failing ? fault : Fault.NONE));
  }
}
