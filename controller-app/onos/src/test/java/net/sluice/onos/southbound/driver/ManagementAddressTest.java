package net.sluice.onos.southbound.driver;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Addresses of switches as ONOS's network configuration has them. */
class ManagementAddressTest {
  private static String parsed(String text) {
    return ManagementAddress.parse(text)
        .map(address -> address.server() + " device " + address.p4DeviceId())
        .orElse("none");
  }

  @Test
  void anAddressHasServerAndDeviceId() {
    assertThat(parsed("grpc://10.0.0.1:9559?device_id=7")).isEqualTo("10.0.0.1:9559 device 7");
    assertThat(parsed("grpc://[::1]:1?a=b&device_id=0")).isEqualTo("[::1]:1 device 0");
    for (String wrong :
        new String[] {
          "grpc://h:1?device_id=x", "grpc://h:1", "grpc://h?device_id=1", "no address %", ""
        }) {
      assertThat(parsed(wrong)).as(wrong).isEqualTo("none");
    }
  }
}
