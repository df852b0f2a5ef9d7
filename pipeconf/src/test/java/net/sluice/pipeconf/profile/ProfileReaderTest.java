package net.sluice.pipeconf.profile;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.LinkedHashMap;
import java.util.Map;
import net.sluice.intents.value.InvalidValueException;
import net.sluice.testing.Golden;
import org.junit.jupiter.api.Test;

/** What a profile's file may not say, and the words that say so. */
class ProfileReaderTest {
  @Test
  void everyMistakeIsNamed() {
    Map<String, String> cases = new LinkedHashMap<>();
    String emulator = TargetProfilesTest.text("emulator");
    cases.put("no key and value", "kind = switch\nwhat is this\n");
    cases.put("no value", "kind =\n");
    cases.put("unknown kind", "kind = router\n");
    cases.put("missing key", emulator.replaceAll("(?m)^title.*\n", ""));
    cases.put("key twice", emulator + "title = again\n");
    cases.put("unknown key", emulator + "table.ipv5-prefix = 1\n");
    cases.put("an FPGA's key", emulator + "clock.hz = 1000000\n");
    change(cases, "not a number", "subscribers", "subscribers = many");
    change(cases, "out of range", "p4runtime.port", "p4runtime.port = 65536");
    change(cases, "too small a table", "table.policy-value", "table.policy-value = 1024");
    change(cases, "no yes or no", "counter.writable", "counter.writable = maybe");
    change(cases, "no rate", "rate.max-subscriber", "rate.max-subscriber = fast");
    change(cases, "settings over no gNMI", "gnmi.port", "gnmi.port = none");
    change(cases, "unknown choice", "meter.update", "meter.update = never");
    cases.put("no ports", emulator.replaceAll("(?m)^ports.*\n", ""));
    cases.put("port of no number", emulator + "port = one name=a speed=1G\n");
    cases.put("port without name", emulator + "port = 100 speed=1G\n");
    cases.put("port without speed", emulator + "port = 100 name=a\n");
    cases.put("port twice", emulator + "port = 64 name=a speed=1G\n");
    cases.put("port attribute twice", emulator + "port = 100 name=a name=b speed=1G\n");
    cases.put("unknown port attribute", emulator + "port = 100 name=a speed=1G colour=red\n");
    cases.put("port number beyond nine bits", emulator + "port = 511 name=a speed=1G\n");
    cases.put("same number in packets", emulator + "port = 100 name=a speed=1G device=5\n");
    cases.put("range backwards", emulator + "ports = 101..100 name=a speed=1G\n");
    cases.put("parts that lanes do not give", emulator + "port.split = 4x25G\n");
    cases.put("no parts", emulator + "port.lanes = 4\nport.split = four\n");
    String tofino = TargetProfilesTest.text("stratum-tofino");
    cases.put("subscribers beside a program's instances", tofino + "subscribers = 1000\n");
    cases.put("counter cells beside a program's", tofino + "counter.cells = 1000\n");
    String tofino2 = TargetProfilesTest.text("stratum-tofino2");
    cases.put("subscribers beside instances", tofino2 + "subscribers = 1000\n");
    cases.put("size missing without a program", tofino2.replaceAll("(?m)^table.vlan.*\n", ""));
    cases.put(
        "more subscribers than can be counted",
        TargetProfilesTest.changed(
            tofino2,
            "marker.subscribers-per-instance",
            "marker.subscribers-per-instance = 600000"));
    cases.put(
        "pipes of no size",
        TargetProfilesTest.changed(tofino2, "marker.pipes", "marker.pipes = 2"));
    cases.put(
        "fewer counter cells than instances",
        TargetProfilesTest.changed(tofino2, "counter.cells", "counter.cells = 15"));
    change(cases, "unknown algorithm", "aqm.kinds", "aqm.kinds = codel-act pie");
    change(cases, "algorithm twice", "aqm.kinds", "aqm.kinds = rfc8289 rfc8289");
    cases.put("half a chassis", emulator + "chassis.name = box\n");
    StringBuilder text = new StringBuilder();
    cases.forEach(
        (title, profile) -> {
          text.append("== ").append(title).append('\n');
          try {
            ProfileReader.read("emulator", profile);
            text.append("accepted\n\n");
          } catch (InvalidValueException e) {
            text.append(e.field()).append("\n  is ").append(e.value());
            text.append("\n  allowed: ").append(e.allowed()).append("\n\n");
          }
        });
    assertThat(text.toString()).doesNotContain("accepted");
    Golden.check("profile-refusals.txt", text.toString());
  }

  private static void change(
      Map<String, String> cases, String title, String key, String replacement) {
    cases.put(title, TargetProfilesTest.changed(key, replacement));
  }
}
