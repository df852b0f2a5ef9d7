package net.sluice.onos.southbound;

import static net.sluice.onos.southbound.TestSwitch.DEVICE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.mockito.Mockito.mock;

import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import net.sluice.core.ports.GnmiConnection;
import net.sluice.core.target.NotReadyException;
import net.sluice.core.target.Targets;
import net.sluice.core.testing.SessionNews;
import net.sluice.onos.SwitchTargets.SwitchConnection;
import net.sluice.pipeconf.profile.TargetProfiles;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.onosproject.mastership.MastershipServiceAdapter;
import org.onosproject.net.config.NetworkConfigServiceAdapter;
import org.onosproject.net.pi.PiPipeconfServiceAdapter;
import org.onosproject.p4runtime.api.P4RuntimeController;

/** The component that opens switches, against ONOS's test adapters, which know no device. */
@Timeout(300)
class OnosSwitchTargetsTest {
  private final OnosSwitchTargets targets = new OnosSwitchTargets();

  OnosSwitchTargetsTest() {
    targets.controller = mock(P4RuntimeController.class);
    targets.pipeconfService = new PiPipeconfServiceAdapter();
    targets.mastershipService = new MastershipServiceAdapter();
    targets.networkConfigService = new NetworkConfigServiceAdapter();
  }

  @Test
  void aDeviceThatOnosDoesNotKnowIsSaidToBeSo() throws Exception {
    SwitchConnection connection = targets.open(DEVICE);
    try {
      assertThat(connection.target().name()).isEqualTo(Targets.SWITCH);
      BlockingQueue<String> session = new LinkedBlockingQueue<>();
      connection.target().connect(new SessionNews(session));
      assertThat(session.poll(60, TimeUnit.SECONDS))
          .isEqualTo(
              "down: device:switch1 has no managementAddress in ONOS's network configuration");
      assertThat(connection.counters().readCounters(1)).isCompletedExceptionally();
    } finally {
      connection.target().close();
    }
  }

  @Test
  void itsGnmiServerIsLookedForInTheNetworkConfiguration() {
    GnmiConnection.Access access =
        targets.gnmi(DEVICE, TargetProfiles.loadSwitch("emulator"), Optional::empty);
    assertThatThrownBy(access::open)
        .isInstanceOf(NotReadyException.class)
        .hasMessage("device:switch1 has no managementAddress in ONOS's network configuration");
  }
}
