package net.sluice.rest.switches;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import net.sluice.core.Servers.FpgaEndpoint;
import net.sluice.intents.marker.csaqm.tables.RandomRates;
import net.sluice.intents.profile.FpgaProfile;
import net.sluice.intents.profile.MarkerSettings;
import net.sluice.intents.profile.Topology;
import net.sluice.intents.validate.Problem;
import net.sluice.intents.validate.Problem.Code;
import net.sluice.intents.validate.Refusal;
import net.sluice.intents.value.Direction;
import net.sluice.intents.value.InvalidValueException;
import net.sluice.northbound.json.JsonContent;
import net.sluice.pipeconf.profile.SwitchTargetProfile;
import net.sluice.pipeconf.profile.TargetProfiles;
import net.sluice.rest.host.Capability.Present;
import net.sluice.rest.json.JsonTree;
import net.sluice.rest.json.JsonValue;
import net.sluice.rest.json.ObjectReader;
import net.sluice.rest.switches.SwitchDocument.Gnmi;
import net.sluice.rest.switches.SwitchDocument.Reached;

/**
 * A {@link SwitchDocument} as JSON (docs/operators-guide.md describes the fields). All problems are
 * found together, and each names its field.
 */
public final class SwitchForm {
  /** Lowest clock of an FPGA, Hz. */
  public static final long MIN_CLOCK_HZ = 1_000_000;

  /** Highest clock of an FPGA, Hz. */
  public static final long MAX_CLOCK_HZ = 1_000_000_000;

  /** Clock of FPGAs unless another one is given, Hz. */
  public static final long DEFAULT_CLOCK_HZ = 156_250_000;

  /** The field of a device of ONOS. */
  public static final String DEVICE = "device";

  /** The field of a P4Runtime server. */
  public static final String P4RUNTIME = "p4runtime";

  /** The field of what a switch loads. */
  public static final String DEVICE_CONFIG = "deviceConfig";

  private static final String SET_PORTS = "setPorts";
  private static final String GNMI = "gnmi";
  private static final String NONE = "none";
  private static final String HOST_PORT = "HOST:PORT";
  private static final String MAPPED = "mmap:";
  private static final String CODEL = "fpgaCodel";
  private static final String CODEL_GONE =
      "absent: aqm of a limit, or limitAqm of its policy, says how its delay is kept low";

  private SwitchForm() {}

  /** The field of an FPGA's registers. */
  public static String fpgaField(Direction direction) {
    return direction == Direction.DOWN ? "fpgaDown" : "fpgaUp";
  }

  /** An FPGA's registers as their field has them: {@code HOST:PORT} or {@code mmap:FILE}. */
  public static String text(FpgaEndpoint fpga) {
    return fpga instanceof FpgaEndpoint.Agent agent
        ? new HostPort(agent.host(), agent.port()).toString()
        : MAPPED + ((FpgaEndpoint.Mapped) fpga).resource();
  }

  /**
   * The switch of a whole document.
   *
   * @throws Refusal with every problem of it
   */
  public static SwitchDocument read(JsonValue document, SwitchDocument.Host host) throws Refusal {
    List<Problem> problems = new ArrayList<>();
    ObjectReader body = new ObjectReader(document, "", problems);
    Optional<SwitchDocument> read = body.isObject() ? read(body, host) : Optional.empty();
    return read.orElseThrow(() -> new Refusal(problems));
  }

  /**
   * The same of a document as text.
   *
   * @throws Refusal with every problem of it
   */
  public static SwitchDocument read(byte[] document, SwitchDocument.Host host) throws Refusal {
    return read(JsonTree.read(document, 0, document.length), host);
  }

  /**
   * The switch in an object, whose reader is told what is wrong with it. Fields that were asked for
   * before are not of the switch.
   */
  public static Optional<SwitchDocument> read(ObjectReader body, SwitchDocument.Host host) {
    return new Reading(body, host).all();
  }

  /** The parts of one document. */
  private record Reading(ObjectReader body, SwitchDocument.Host host) {
    Optional<SwitchDocument> all() {
      host.device().whyAbsent().ifPresent(reason -> refuse(DEVICE, reason));
      host.deviceConfigs().whyAbsent().ifPresent(reason -> refuse(DEVICE_CONFIG, reason));
      Optional<SwitchTargetProfile> profile = profile();
      Optional<String> config = deviceConfig(profile);
      Optional<HostPort> p4runtime = server();
      Optional<Gnmi> gnmi = gnmi();
      boolean setsPorts = setsPorts(gnmi);
      OptionalLong deviceId = inRange("deviceId", 0, Long.MAX_VALUE, "0 or more");
      if (deviceId.isPresent() && !body.has(P4RUNTIME)) {
        body.problem(Code.INVALID, "deviceId", deviceId.getAsLong(), "a number beside p4runtime");
      }
      Optional<String> device = device();
      Optional<FpgaEndpoint> down = fpga(Direction.DOWN);
      Optional<FpgaEndpoint> up = fpga(Direction.UP);
      Optional<FpgaProfile> fpgas = fpgas();
      Optional<MarkerSettings> marker = marker();
      Optional<Topology> topology = topology();
      body.finish();
      if (!body.sound()) {
        return Optional.empty();
      }
      Optional<Reached.Server> server =
          p4runtime.map(
              at ->
                  new Reached.Server(
                      at, deviceId.orElse(profile.get().management().deviceId()), config));
      return Optional.of(
          new SwitchDocument(
              profile.get(),
              device
                  .<Reached>map(id -> new Reached.Device(id, server))
                  .orElseGet(server::orElseThrow),
              gnmi.get(),
              setsPorts,
              fpgas.get(),
              down,
              up,
              marker.get(),
              topology.get()));
    }

    private void refuse(String field, String reason) {
      if (body.has(field)) {
        body.problem(Code.INVALID, field, body.any(field, "").shown(), "absent, because " + reason);
      }
    }

    private Optional<SwitchTargetProfile> profile() {
      String name =
          body.optionalString("profile", "the name of a profile").orElse(host.defaults().profile());
      try {
        return Optional.of(TargetProfiles.loadSwitch(name));
      } catch (InvalidValueException e) {
        body.invalid("profile", e);
        return Optional.empty();
      }
    }

    private Optional<String> deviceConfig(Optional<SwitchTargetProfile> profile) {
      if (!(host.deviceConfigs() instanceof Present<SwitchDocument.Configs> configs)) {
        return Optional.empty();
      }
      Optional<String> name =
          body.optionalString(DEVICE_CONFIG, "the name of a device configuration");
      if (profile.isPresent() && (name.isPresent() || !body.has(DEVICE_CONFIG))) {
        configs
            .service()
            .refuses(profile.get(), name)
            .ifPresent(
                allowed ->
                    body.problem(Code.INVALID, DEVICE_CONFIG, name.orElse("absent"), allowed));
      }
      return name;
    }

    private Optional<HostPort> server() {
      return host.device() instanceof Present
          ? body.optionalString(P4RUNTIME, HOST_PORT).flatMap(at -> address(P4RUNTIME, at))
          : Optional.ofNullable(body.string(P4RUNTIME, HOST_PORT))
              .flatMap(at -> address(P4RUNTIME, at));
    }

    private Optional<HostPort> address(String field, String text) {
      Optional<HostPort> address = HostPort.of(text);
      Optional<String> allowed =
          address.isEmpty() ? Optional.of(HostPort.ALLOWED) : host.refuses(field, address.get());
      allowed.ifPresent(form -> body.problem(Code.INVALID, field, text, form));
      return address;
    }

    private Optional<Gnmi> gnmi() {
      if (body.absent(GNMI)) {
        return Optional.of(
            host.device() instanceof Present ? new Gnmi.OfProfile() : new Gnmi.None());
      }
      return body.optionalString(GNMI, HOST_PORT + ", or " + NONE)
          .flatMap(
              text ->
                  text.equals(NONE)
                      ? Optional.of(new Gnmi.None())
                      : address(GNMI, text).map(Gnmi.At::new));
    }

    private boolean setsPorts(Optional<Gnmi> gnmi) {
      boolean given = body.has(SET_PORTS);
      boolean sets = body.flag(SET_PORTS, host.defaults().setsPorts());
      boolean cannot = gnmi.orElse(null) instanceof Gnmi.None;
      if (given && sets && cannot) {
        body.problem(Code.INVALID, SET_PORTS, true, "true beside gnmi, by which it is done");
      }
      return sets && !cannot;
    }

    private Optional<String> device() {
      if (!(host.device() instanceof Present<String> byDefault)) {
        return Optional.empty();
      }
      String id = body.optionalString(DEVICE, "a device of ONOS").orElseGet(byDefault::service);
      if (!isDevice(id)) {
        body.problem(Code.INVALID, DEVICE, id, "a device of ONOS, such as device:leaf1");
      }
      return Optional.of(id);
    }

    private static boolean isDevice(String id) {
      try {
        return new URI(id).getScheme() != null;
      } catch (URISyntaxException e) {
        return false;
      }
    }

    private Optional<FpgaEndpoint> fpga(Direction direction) {
      String field = fpgaField(direction);
      Optional<String> text = body.optionalString(field, HOST_PORT);
      return text.isPresent() && text.get().startsWith(MAPPED)
          ? mapped(field, text.get())
          : text.flatMap(at -> address(field, at))
              .map(at -> new FpgaEndpoint.Agent(at.host(), at.port()));
    }

    private Optional<FpgaEndpoint> mapped(String field, String text) {
      Path file;
      try {
        file = Path.of(text.substring(MAPPED.length()));
      } catch (InvalidPathException e) {
        body.problem(Code.INVALID, field, text, "mmap:FILE with the name of a file");
        return Optional.empty();
      }
      Optional<String> refused =
          host.mappedRegisters() instanceof Present<SwitchDocument.Mapped> mapped
              ? mapped.service().refuses(field, file)
              : host.mappedRegisters()
                  .whyAbsent()
                  .map(reason -> "HOST:PORT of a register agent, because " + reason);
      refused.ifPresent(allowed -> body.problem(Code.INVALID, field, text, allowed));
      return Optional.of(new FpgaEndpoint.Mapped(file));
    }

    private Optional<FpgaProfile> fpgas() {
      FpgaProfile byDefault = host.defaults().fpgas();
      OptionalLong clockHz =
          inRange("fpgaClockHz", MIN_CLOCK_HZ, MAX_CLOCK_HZ, MIN_CLOCK_HZ + " to " + MAX_CLOCK_HZ);
      boolean classes = body.flag("fpgaClasses", byDefault.classShares());
      boolean bursts = body.flag("fpgaCustomerBursts", byDefault.customerBursts());
      checkCodel();
      return Optional.of(
          (clockHz.isPresent() ? FpgaProfile.withClock(clockHz.getAsLong()) : byDefault)
              .withClassShares(classes)
              .withCustomerBursts(bursts));
    }

    /** FPGAs once had one CoDel for all queues: false, which stored documents have, is none. */
    private void checkCodel() {
      if (body.has(CODEL) && body.any(CODEL, CODEL_GONE) != JsonValue.Literal.FALSE) {
        body.problem(Code.INVALID, CODEL, "given", CODEL_GONE);
      }
    }

    private Optional<MarkerSettings> marker() {
      MarkerSettings byDefault = host.defaults().marker();
      OptionalLong rate =
          inRange(
              "maxSubscriberRateBps",
              MarkerSettings.MIN_RATE_BPS,
              MarkerSettings.MAX_RATE_BPS,
              MarkerSettings.MIN_RATE_BPS + " to " + MarkerSettings.MAX_RATE_BPS);
      OptionalLong bits = body.optionalWhole("randomBits");
      try {
        return Optional.of(
            new MarkerSettings(
                rate.isPresent() ? rate : byDefault.maxRateBps(),
                bits.isPresent()
                    ? RandomRates.ofBits((int) Math.min(bits.getAsLong(), Integer.MAX_VALUE))
                    : byDefault.randomRates()));
      } catch (InvalidValueException e) {
        body.invalid(e.field(), e);
        return Optional.empty();
      }
    }

    private Optional<Topology> topology() {
      ObjectReader cabled = body.object("topology");
      Optional<Topology> topology =
          cabled == null || !cabled.isObject() ? Optional.empty() : TopologyForm.read(cabled);
      for (Direction direction : Direction.values()) {
        String field = fpgaField(direction);
        boolean wanted =
            topology.map(of -> of.sidecar(direction).isPresent()).orElse(body.has(field));
        if (wanted && !body.has(field)) {
          body.problem(
              Code.INVALID,
              field,
              "absent",
              "where the FPGA's registers are, because the topology has a sidecar of direction "
                  + direction.text());
        } else if (!wanted && body.has(field)) {
          body.problem(
              Code.INVALID,
              field,
              body.optionalString(field, HOST_PORT).orElse("given"),
              "absent, because the topology has no sidecar of direction " + direction.text());
        }
      }
      return topology;
    }

    private OptionalLong inRange(String field, long low, long high, String allowed) {
      OptionalLong given = body.optionalWhole(field);
      if (given.isPresent() && (given.getAsLong() < low || given.getAsLong() > high)) {
        body.problem(Code.INVALID, field, given.getAsLong(), allowed);
        return OptionalLong.empty();
      }
      return given;
    }
  }

  /**
   * The document as text, with every field that has a value, so that no default of a start is
   * needed again.
   */
  public static byte[] bytes(SwitchDocument document) {
    return JsonContent.object(json -> write(json, document));
  }

  private static void write(JsonGenerator json, SwitchDocument document) throws IOException {
    json.writeStringField("profile", document.profile().name());
    write(json, document.reached());
    if (document.gnmi() instanceof Gnmi.At at) {
      json.writeStringField(GNMI, at.address().toString());
    } else if (document.gnmi() instanceof Gnmi.None) {
      json.writeStringField(GNMI, NONE);
    }
    json.writeBooleanField(SET_PORTS, document.setsPorts());
    for (Direction direction : Direction.values()) {
      Optional<FpgaEndpoint> fpga = document.fpga(direction);
      if (fpga.isPresent()) {
        json.writeStringField(fpgaField(direction), text(fpga.get()));
      }
    }
    json.writeNumberField("fpgaClockHz", Math.round(document.fpgas().clockHz()));
    json.writeBooleanField("fpgaClasses", document.fpgas().classShares());
    json.writeBooleanField("fpgaCustomerBursts", document.fpgas().customerBursts());
    if (document.marker().maxRateBps().isPresent()) {
      json.writeNumberField("maxSubscriberRateBps", document.marker().maxRateBps().getAsLong());
    }
    json.writeNumberField("randomBits", document.marker().randomRates().bits());
    json.writeFieldName("topology");
    TopologyForm.write(json, document.topology());
  }

  private static void write(JsonGenerator json, Reached reached) throws IOException {
    if (reached instanceof Reached.Device device) {
      json.writeStringField(DEVICE, device.id());
      if (device.server().isPresent()) {
        write(json, device.server().get());
      }
    } else if (reached instanceof Reached.Server server) {
      json.writeStringField(P4RUNTIME, server.p4runtime().toString());
      json.writeNumberField("deviceId", server.deviceId());
      if (server.deviceConfig().isPresent()) {
        json.writeStringField(DEVICE_CONFIG, server.deviceConfig().get());
      }
    }
  }
}
