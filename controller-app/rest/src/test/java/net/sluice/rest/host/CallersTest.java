package net.sluice.rest.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import javax.servlet.http.HttpServletRequest;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CallersTest {
  @ParameterizedTest
  @CsvSource({"192.0.2.7,192.0.2.7", "[2001:db8::7],2001:db8::7", "2001:db8::7,2001:db8::7"})
  void anAddressHasNoBrackets(String told, String address) {
    HttpServletRequest request = mock(HttpServletRequest.class);
    when(request.getRemoteAddr()).thenReturn(told);
    assertThat(Callers.address(request)).isEqualTo(address);
  }
}
