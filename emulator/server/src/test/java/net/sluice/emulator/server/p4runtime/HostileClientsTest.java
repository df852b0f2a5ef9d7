package net.sluice.emulator.server.p4runtime;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.rpc.Code;
import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import net.sluice.emulator.server.p4runtime.fuzz.WriteFuzz;
import net.sluice.emulator.server.p4runtime.status.RpcException;
import net.sluice.testing.Patience;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import p4.v1.P4RuntimeGrpc;
import p4.v1.P4RuntimeOuterClass.Entity;
import p4.v1.P4RuntimeOuterClass.Error;
import p4.v1.P4RuntimeOuterClass.ForwardingPipelineConfig;
import p4.v1.P4RuntimeOuterClass.SetForwardingPipelineConfigRequest.Action;
import p4.v1.P4RuntimeOuterClass.TableEntry;
import p4.v1.P4RuntimeOuterClass.Update;
import p4.v1.P4RuntimeOuterClass.WriteRequest;
import p4.v1.P4RuntimeOuterClass.WriteRequest.Atomicity;

/**
 * Controllers that write at random, send what is no message, go away in the middle or claim to be
 * somebody else, over connections; after each of them the switch holds what a {@link WriteFuzz}'s
 * model says and serves the others.
 */
class HostileClientsTest extends ServedTest {

  private static final long SEED = Long.getLong("sluice.fuzz.seed", 1);

  HostileClientsTest() {
    super(null, 7);
  }

  /** The switch as a controller reaches it. */
  private final class Remote implements WriteFuzz.Target {
    @Override
    public RpcException[] write(List<Update> updates, Atomicity atomicity) {
      WriteRequest request =
          controller.writeRequest(updates.toArray(new Update[0])).setAtomicity(atomicity).build();
      try {
        controller.stub.write(request);
        return null;
      } catch (StatusRuntimeException e) {
        List<Error> details = Controller.details(e);
        assertThat(details).hasSameSizeAs(updates);
        RpcException[] errors = new RpcException[details.size()];
        for (int i = 0; i < errors.length; i++) {
          Code code = Code.forNumber(details.get(i).getCanonicalCode());
          errors[i] = code == Code.OK ? null : new RpcException(code, details.get(i).getMessage());
        }
        return errors;
      }
    }

    @Override
    public List<Entity> read(Entity filter) {
      return controller.read(filter);
    }
  }

  private WriteFuzz fuzz(String program) throws IOException {
    ForwardingPipelineConfig config = WriteFuzz.config(program);
    controller.setPipeline(Action.VERIFY_AND_COMMIT, config);
    return new WriteFuzz(config.getP4Info(), SEED, new Remote());
  }

  @ParameterizedTest
  @ValueSource(strings = {"entities", "profiles"})
  void everyBatchIsAppliedOrRefusedAsTheSpecificationSays(String program) throws Exception {
    // What there is is compared after every single batch: none leaves a part of itself behind.
    fuzz(program).run(200, 1).assertAllKindsMet();
  }

  // ---- bytes that are no messages ----

  private static final class Bytes implements MethodDescriptor.Marshaller<byte[]> {
    @Override
    public InputStream stream(byte[] value) {
      return new ByteArrayInputStream(value);
    }

    @Override
    public byte[] parse(InputStream stream) {
      try {
        return stream.readAllBytes();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  /** Sends bytes to a method; answers how the call ends. */
  private Status call(MethodDescriptor<?, ?> method, byte[] request) throws Exception {
    MethodDescriptor<byte[], byte[]> raw =
        MethodDescriptor.<byte[], byte[]>newBuilder()
            .setType(method.getType())
            .setFullMethodName(method.getFullMethodName())
            .setRequestMarshaller(new Bytes())
            .setResponseMarshaller(new Bytes())
            .build();
    CompletableFuture<Status> end = new CompletableFuture<>();
    ClientCall<byte[], byte[]> call = controller.channel.newCall(raw, CallOptions.DEFAULT);
    call.start(
        new ClientCall.Listener<byte[]>() {
          @Override
          public void onClose(Status status, Metadata trailers) {
            end.complete(status);
          }
        },
        new Metadata());
    call.request(1_000);
    call.sendMessage(request);
    call.halfClose();
    return end.get(Patience.SECONDS, TimeUnit.SECONDS);
  }

  /** A message with some bytes overwritten, left out or doubled, or nothing but noise. */
  private static byte[] damaged(byte[] message, Random random) {
    if (random.nextInt(10) == 0) {
      byte[] noise = new byte[random.nextInt(200)];
      random.nextBytes(noise);
      return noise;
    }
    List<Byte> bytes = new ArrayList<>();
    for (byte b : message) {
      bytes.add(b);
    }
    for (int i = random.nextInt(4); i >= 0 && !bytes.isEmpty(); i--) {
      int at = random.nextInt(bytes.size());
      switch (random.nextInt(3)) {
        case 0 -> bytes.set(at, (byte) random.nextInt(256));
        case 1 -> bytes.remove(at);
        default -> bytes.add(at, (byte) random.nextInt(256));
      }
    }
    byte[] damaged = new byte[bytes.size()];
    for (int i = 0; i < damaged.length; i++) {
      damaged[i] = bytes.get(i);
    }
    return damaged;
  }

  @Test
  void bytesThatAreNoMessageHarmNobody() throws Exception {
    WriteFuzz fuzz = fuzz("entities");
    fuzz.run(20, 20);
    Random random = new Random(SEED);
    for (MethodDescriptor<?, ?> method :
        List.of(P4RuntimeGrpc.getWriteMethod(), P4RuntimeGrpc.getStreamChannelMethod())) {
      Status status = call(method, new byte[] {0x12, 0x7f, 1});
      assertThat(status.getCode()).isEqualTo(Status.Code.INVALID_ARGUMENT);
      assertThat(status.getDescription())
          .startsWith("the request is no message of " + method.getFullMethodName() + ": While")
          .contains("the input ended unexpectedly in the middle of a field");
    }
    List<MethodDescriptor<?, ?>> methods =
        List.of(
            P4RuntimeGrpc.getReadMethod(),
            P4RuntimeGrpc.getStreamChannelMethod(),
            P4RuntimeGrpc.getGetForwardingPipelineConfigMethod(),
            P4RuntimeGrpc.getSetForwardingPipelineConfigMethod(),
            P4RuntimeGrpc.getCapabilitiesMethod());
    for (int i = 0; i < 300; i++) {
      byte[] noise = new byte[random.nextInt(60)];
      random.nextBytes(noise);
      Status status = call(methods.get(random.nextInt(methods.size())), noise);
      assertThat(status.getCode()).isNotEqualTo(Status.Code.UNKNOWN);
    }
    int refused = 0;
    for (int i = 0; i < 300; i++) {
      // Without the primary's election id nothing may come of it, whatever it is.
      WriteRequest request =
          WriteRequest.newBuilder()
              .setDeviceId(Controller.DEVICE)
              .setElectionId(Controller.id(3))
              .addAllUpdates(fuzz.updates(4))
              .build();
      Status status = call(P4RuntimeGrpc.getWriteMethod(), damaged(request.toByteArray(), random));
      assertThat(status.isOk()).isFalse();
      assertThat(status.getCode()).isNotEqualTo(Status.Code.UNKNOWN);
      assertThat(status.getDescription()).hasSizeGreaterThan(15);
      refused += status.getCode() == Status.Code.PERMISSION_DENIED ? 1 : 0;
    }
    assertThat(refused).isPositive();
    fuzz.compareState();
    fuzz.run(20, 20);
  }

  // ---- clients that go away ----

  private static TableEntry entry(int value) {
    return TestInfo.host(0x0a000000L + value, value % 100);
  }

  @ParameterizedTest
  @ValueSource(strings = {"CONTINUE_ON_ERROR", "ROLLBACK_ON_ERROR", "DATAPLANE_ATOMIC"})
  void aClientThatGoesInMidBatchLeavesNoPartOfWhatIsAtomic(Atomicity atomicity) throws Exception {
    controller.setPipeline(Action.VERIFY_AND_COMMIT, TestInfo.CONFIG);
    int size =
        (int)
            TestInfo.INFO.getTablesList().stream()
                .filter(t -> t.getPreamble().getName().equals("In.lpm_table"))
                .findFirst()
                .orElseThrow()
                .getSize();
    List<Update> updates = new ArrayList<>();
    for (int i = 0; i < size; i++) {
      updates.add(TestInfo.insert(entry(i)));
    }
    Controller leaving = Controller.primary(server.port(), 8);
    var gone =
        P4RuntimeGrpc.newFutureStub(leaving.channel)
            .write(
                leaving
                    .writeRequest(updates.toArray(new Update[0]))
                    .setAtomicity(atomicity)
                    .build());
    leaving.close();
    try {
      gone.get(Patience.SECONDS, TimeUnit.SECONDS);
    } catch (ExecutionException cut) {
      // The answer may have been quicker than the end; mostly it is not.
      assertThat(Status.fromThrowable(cut).getCode()).isEqualTo(Status.Code.UNAVAILABLE);
    }
    // The next primary's write comes behind whatever was under way.
    try (Controller next = Controller.primary(server.port(), 9)) {
      next.write();
      int there = next.readEntries(TestInfo.entry("In.lpm_table").build()).size();
      if (atomicity != Atomicity.CONTINUE_ON_ERROR) {
        assertThat(there).isIn(0, size);
      }
      next.write(TestInfo.update(there == 0 ? Update.Type.INSERT : Update.Type.MODIFY, entry(0)));
    }
  }

  // ---- clients that are somebody else ----

  @Test
  void whoClaimsAnothersElectionIdChangesNothing() throws Exception {
    WriteFuzz fuzz = fuzz("profiles");
    fuzz.run(20, 20);
    for (int i = 0; i < 5; i++) {
      try (Controller thief = new Controller(server.port())) {
        thief.claim(7);
        Status end = thief.streamStatus();
        assertThat(end.getCode()).isEqualTo(Status.Code.INVALID_ARGUMENT);
        assertThat(end.getDescription())
            .isEqualTo("election_id 7 is in use by another controller of the default role");
      }
      fuzz.compareState();
      fuzz.run(5, 5);
    }
    assertThat(controller.heardNothingMore()).isTrue();
  }
}
