package net.sluice.rest.edge;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.never;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.verifyNoInteractions;
import static org.mockito.Mockito.when;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.time.Duration;
import javax.servlet.AsyncContext;
import javax.servlet.AsyncEvent;
import javax.servlet.AsyncListener;
import javax.servlet.FilterChain;
import javax.servlet.ReadListener;
import javax.servlet.ServletInputStream;
import javax.servlet.ServletOutputStream;
import javax.servlet.WriteListener;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;
import org.junit.jupiter.api.Test;
import org.mockito.ArgumentCaptor;

/** Bodies that do not come. */
class WholeBodiesTest {
  /** The deadline is the web server's to watch. */
  @Test
  void aBodyThatDoesNotComeInTimeIsRefused() throws Exception {
    HttpServletRequest request = mock(HttpServletRequest.class);
    HttpServletResponse response = mock(HttpServletResponse.class);
    FilterChain chain = mock(FilterChain.class);
    AsyncContext context = mock(AsyncContext.class);
    ServletInputStream body = mock(ServletInputStream.class);
    ByteArrayOutputStream told = new ByteArrayOutputStream();
    when(request.getMethod()).thenReturn("PUT");
    when(request.getContentLengthLong()).thenReturn(7L);
    when(request.startAsync()).thenReturn(context);
    when(request.getInputStream()).thenReturn(body);
    when(response.getOutputStream()).thenReturn(into(told));
    new WholeBodies(Duration.ofSeconds(30)).take(request, response, chain);
    verify(context).setTimeout(30_000);
    ArgumentCaptor<AsyncListener> listener = ArgumentCaptor.forClass(AsyncListener.class);
    verify(context).addListener(listener.capture());
    ArgumentCaptor<ReadListener> reader = ArgumentCaptor.forClass(ReadListener.class);
    verify(body).setReadListener(reader.capture());

    listener.getValue().onTimeout(new AsyncEvent(context));
    verify(response).setStatus(408);
    assertThat(told.toString(US_ASCII)).contains("The body has not come within 30 s.");
    verify(context).complete();
    reader.getValue().onAllDataRead();
    reader.getValue().onError(new IOException("gone"));
    verify(request, never()).setAttribute(any(), any());
    verify(context, never()).dispatch();
    verifyNoInteractions(chain);
  }

  private static ServletOutputStream into(ByteArrayOutputStream told) {
    return new ServletOutputStream() {
      @Override
      public void write(int one) {
        told.write(one);
      }

      @Override
      public boolean isReady() {
        return true;
      }

      @Override
      public void setWriteListener(WriteListener listener) {}
    };
  }
}
