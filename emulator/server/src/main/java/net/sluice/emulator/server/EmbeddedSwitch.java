package net.sluice.emulator.server;

import com.google.protobuf.ByteString;
import com.google.protobuf.Message;
import com.google.protobuf.TextFormat;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import net.sluice.emulator.netsim.LineClock;
import net.sluice.emulator.netsim.Simulation;
import net.sluice.emulator.netsim.SwitchNode;
import net.sluice.emulator.netsim.SwitchPort;
import net.sluice.emulator.server.p4runtime.P4RuntimeServer;
import net.sluice.emulator.v1model.V1modelSwitch;
import p4.config.v1.P4InfoOuterClass.P4Info;
import p4.v1.P4RuntimeOuterClass.ForwardingPipelineConfig;
import p4.v1.P4RuntimeOuterClass.WriteRequest;

/**
 * A switch within a test: p4c's output in, frames in and out, P4Runtime in front, in virtual time.
 * The same program, entries, frames and seed have the same result. One thread drives it; P4Runtime
 * clients may be on others.
 *
 * <p>What it is made of can be had for more: rates, queues and links with delay, loss and hosts.
 */
public final class EmbeddedSwitch implements AutoCloseable {
  /** P4Runtime device id of a switch that was not given one. */
  public static final long DEVICE_ID = 1;

  private static final long SEED = 1;

  // P4Infos of later versions say more than this one needs to know.
  private static final TextFormat.Parser LENIENT =
      TextFormat.Parser.newBuilder().setAllowUnknownFields(true).build();

  private final Simulation simulation;
  private final V1modelSwitch device;
  private final SwitchNode node;
  private final P4RuntimeServer server;
  private final Map<Integer, List<byte[]>> received = new TreeMap<>();

  private EmbeddedSwitch(
      Simulation simulation, V1modelSwitch device, SwitchNode node, P4RuntimeServer server) {
    this.simulation = simulation;
    this.device = device;
    this.node = node;
    this.server = server;
  }

  private void add(int number) {
    List<byte[]> frames = new ArrayList<>();
    node.addPort(number, LineClock.UNLIMITED_BPS, Long.MAX_VALUE)
        .connect(
            (bytes, offset, length, tag, nowNanos) ->
                frames.add(Arrays.copyOfRange(bytes, offset, offset + length)));
    received.put(number, frames);
  }

  /**
   * A switch without program, which drops everything until a P4Runtime client has set one.
   *
   * @param deviceId P4Runtime device id
   * @param seed of all that is random
   * @param cpuPort port that packets from and to the controller use, 1..510, or 0 for none
   * @param ports that it has, 0..510 each
   * @throws IOException if P4Runtime cannot be served on the loopback address
   */
  public static EmbeddedSwitch start(long deviceId, long seed, int cpuPort, int... ports)
      throws IOException {
    Simulation simulation = new Simulation(seed);
    V1modelSwitch device = new V1modelSwitch(deviceId, seed, cpuPort);
    SwitchNode node = new SwitchNode(simulation, device);
    P4RuntimeServer server = P4RuntimeServer.start(device, new InetSocketAddress("127.0.0.1", 0));
    EmbeddedSwitch started = new EmbeddedSwitch(simulation, device, node, server);
    for (int port : ports) {
      started.add(port);
    }
    return started;
  }

  /**
   * A switch with a program.
   *
   * @param json p4c's BMv2 JSON
   * @param p4info its P4Info in text format
   * @param ports that it has, 0..510 each
   * @throws IOException if a file cannot be read, or P4Runtime not be served
   * @throws IllegalArgumentException if the switch cannot run the program; the text names what
   */
  public static EmbeddedSwitch load(Path json, Path p4info, int... ports) throws IOException {
    EmbeddedSwitch started = start(DEVICE_ID, SEED, 0, ports);
    boolean loaded = false;
    try {
      started.install(json, p4info);
      loaded = true;
    } finally {
      if (!loaded) {
        started.close();
      }
    }
    return started;
  }

  /**
   * Puts a program in force.
   *
   * @param json p4c's BMv2 JSON
   * @param p4info its P4Info in text format
   * @throws IOException if a file cannot be read
   * @throws IllegalArgumentException if the switch cannot run the program; the text names what
   */
  public void install(Path json, Path p4info) throws IOException {
    P4Info.Builder info = P4Info.newBuilder();
    merge(LENIENT, Files.readString(p4info), p4info + ": not a P4Info in text format", info);
    server.install(
        ForwardingPipelineConfig.newBuilder()
            .setP4Info(info)
            .setP4DeviceConfig(ByteString.copyFrom(Files.readAllBytes(json)))
            .build());
  }

  /**
   * Writes entities, as a controller would.
   *
   * @param writeRequest a P4Runtime WriteRequest in text format; device, role and election ids in
   *     it do not matter
   * @throws IllegalArgumentException if it is none, or an update is refused; the text tells which
   */
  public void write(String writeRequest) {
    WriteRequest.Builder request = WriteRequest.newBuilder();
    merge(TextFormat.getParser(), writeRequest, "not a WriteRequest in text format", request);
    server.write(request.getUpdatesList());
  }

  private static void merge(
      TextFormat.Parser parser, String text, String what, Message.Builder into) {
    try {
      parser.merge(text, into);
    } catch (TextFormat.ParseException e) {
      throw new IllegalArgumentException(what + ": line " + e.getMessage(), e);
    }
  }

  /**
   * A port. It sends at once, and its queues have no limits, unless it is told so. What leaves by
   * it is kept for {@link #received}, unless it is connected to something else.
   *
   * @throws IllegalArgumentException if there is none of this number
   */
  public SwitchPort port(int number) {
    return node.port(number);
  }

  /** Lets a frame arrive at a port now; it is switched when time goes on. */
  public void send(int port, byte[] frame) {
    SwitchPort in = port(port);
    byte[] copy = frame.clone();
    simulation.execute(
        () ->
            simulation.schedule(
                simulation.nowNanos(), (now, none) -> in.receive(copy, 0, copy.length, 0, now), 0));
  }

  /** Lets virtual time pass. */
  public void run(Duration time) {
    simulation.runUntil(Math.addExact(simulation.nowNanos(), time.toNanos()));
  }

  /** Frames that left by a port since the last call, in order. */
  public List<byte[]> received(int port) {
    port(port);
    List<byte[]> frames = List.copyOf(received.get(port));
    received.get(port).clear();
    return frames;
  }

  /** Port of 127.0.0.1 at which P4Runtime is served. */
  public int p4RuntimePort() {
    return server.port();
  }

  /** The virtual time that the switch is in. */
  public Simulation simulation() {
    return simulation;
  }

  /** The switch's ports and queues. */
  public SwitchNode node() {
    return node;
  }

  /** The switch's programmable part. */
  public V1modelSwitch device() {
    return device;
  }

  /** Ends P4Runtime's clients. */
  @Override
  public void close() {
    server.close();
  }
}
