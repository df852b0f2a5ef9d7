package net.sluice.onos;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import net.sluice.core.ControllerException;
import net.sluice.intents.validate.Refusal;
import net.sluice.northbound.json.JsonContent;
import net.sluice.rest.host.SwitchDeclarations;
import net.sluice.rest.json.JsonValue;
import net.sluice.rest.switches.SwitchDocument;
import net.sluice.rest.switches.SwitchForm;
import org.onosproject.net.DeviceId;
import org.onosproject.store.service.StorageException;

/** The devices of ONOS's network configuration, which clients of the API can declare, too. */
final class DeclaredDevices implements SwitchDeclarations {
  private static final String SCHEME = "device:";

  private final SluiceSettings application;
  private final SwitchTargets targets;
  private final LeaderNetwork network;

  /** {@code network} drives what is declared. */
  DeclaredDevices(SluiceSettings application, SwitchTargets targets, LeaderNetwork network) {
    this.application = application;
    this.targets = targets;
    this.network = network;
  }

  /** A part of the configuration: the device that is the switch of a name, and its document. */
  private record Declared(DeviceId device, JsonValue.Obj document) {
    byte[] bytes() {
      return JsonContent.bytes(document::write);
    }
  }

  private static Map<String, Declared> byName(Map<DeviceId, JsonValue> devices) {
    Map<String, Declared> byName = new LinkedHashMap<>();
    devices.forEach(
        (device, declared) -> {
          List<JsonValue.Member> fields = new ArrayList<>(((JsonValue.Obj) declared).members());
          String name = SwitchSettings.name(device, declared);
          fields.removeIf(field -> field.name().equals(SwitchSettings.ID));
          if (!device.toString().equals(SCHEME + name)
              && fields.stream().noneMatch(field -> field.name().equals(SwitchForm.DEVICE))) {
            fields.add(
                new JsonValue.Member(SwitchForm.DEVICE, new JsonValue.Str(device.toString())));
          }
          byName.putIfAbsent(name, new Declared(device, new JsonValue.Obj(fields)));
        });
    return byName;
  }

  private interface Asking<T> {
    T ask();
  }

  private static <T> T answered(Asking<T> asking) {
    try {
      return asking.ask();
    } catch (StorageException e) {
      throw new ControllerException("the cluster's storage does not answer", e);
    }
  }

  @Override
  public Map<String, byte[]> documents() {
    Map<String, byte[]> documents = new LinkedHashMap<>();
    // A caller does not wait for the cluster's storage.
    byName(network.declared()).forEach((name, declared) -> documents.put(name, declared.bytes()));
    return documents;
  }

  @Override
  public boolean put(String name, JsonValue body, byte[] document, Requirement requirement)
      throws Refusal {
    synchronized (network) {
      Map<String, Declared> all = byName(answered(targets::declared));
      Optional<Declared> now = Optional.ofNullable(all.get(name));
      requirement.check(now.map(Declared::bytes));
      String byDefault = now.map(each -> each.device().toString()).orElse(SCHEME + name);
      SwitchDocument read = SwitchForm.read(body, new OnosHost(application.defaults(), byDefault));
      SwitchSettings wanted = SwitchSettings.of(name, read, application);
      DeviceId device = wanted.device().orElseThrow(() -> otherDevice("none", byDefault));
      if (now.isPresent() && !device.equals(now.get().device())) {
        throw otherDevice(device.toString(), byDefault + ", which switch " + name + " is");
      }
      requireFree(wanted, now.map(Declared::device));
      network.declare(wanted, () -> configure(device, name, (JsonValue.Obj) body, read));
      return now.isEmpty();
    }
  }

  private static Refusal otherDevice(String device, String allowed) {
    return WantedSwitches.conflict(SwitchForm.DEVICE, device, allowed);
  }

  /** Neither the device nor the name is another switch's. */
  private void requireFree(SwitchSettings wanted, Optional<DeviceId> own) throws Refusal {
    Map<DeviceId, JsonValue> others = new LinkedHashMap<>(answered(targets::declared));
    own.ifPresent(others::remove);
    WantedSwitches.add(
        new LinkedHashMap<>(WantedSwitches.of(application, others).byName()), wanted);
  }

  private void configure(
      DeviceId device, String name, JsonValue.Obj document, SwitchDocument read) {
    List<JsonValue.Member> fields = new ArrayList<>();
    if (!device.toString().equals(SCHEME + name)) {
      fields.add(new JsonValue.Member(SwitchSettings.ID, new JsonValue.Str(name)));
    }
    fields.addAll(document.members());
    answered(
        () -> {
          targets.declare(device, new JsonValue.Obj(fields), read);
          return device;
        });
  }

  @Override
  public void delete(String name, Requirement requirement) throws Refusal {
    synchronized (network) {
      Optional<Declared> now = Optional.ofNullable(byName(answered(targets::declared)).get(name));
      requirement.check(now.map(Declared::bytes));
      if (now.isEmpty() && network.drives(name)) {
        throw WantedSwitches.conflict(
            "switch", name, "one of a device's network configuration; the application's has this");
      }
      network.undeclare(
          name,
          () ->
              now.ifPresent(
                  declared ->
                      answered(
                          () -> {
                            targets.withdraw(declared.device());
                            return name;
                          })));
    }
  }
}
