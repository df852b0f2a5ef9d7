package net.sluice.rest.operation;

import java.util.Collection;
import java.util.Date;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import javax.ws.rs.container.AsyncResponse;
import javax.ws.rs.container.TimeoutHandler;

/** The answer of a resource whose client waits no more: whoever it is told to has the operation. */
public final class EndingResponse implements AsyncResponse {
  private final Consumer<Object> answered;
  private volatile boolean isDone;

  /** Passes the answer, a response or what was thrown, on. */
  public EndingResponse(Consumer<Object> answered) {
    this.answered = answered;
  }

  @Override
  public boolean resume(Object response) {
    isDone = true;
    answered.accept(response);
    return true;
  }

  @Override
  public boolean resume(Throwable response) {
    return resume((Object) response);
  }

  @Override
  public boolean isSuspended() {
    return !isDone;
  }

  @Override
  public boolean isDone() {
    return isDone;
  }

  @Override
  public boolean isCancelled() {
    return false;
  }

  @Override
  public boolean cancel() {
    return false;
  }

  @Override
  public boolean cancel(int retryAfter) {
    return false;
  }

  @Override
  public boolean cancel(Date retryAfter) {
    return false;
  }

  @Override
  public boolean setTimeout(long time, TimeUnit unit) {
    return false;
  }

  @Override
  public void setTimeoutHandler(TimeoutHandler handler) {}

  @Override
  public Collection<Class<?>> register(Class<?> callback) {
    throw new UnsupportedOperationException();
  }

  @Override
  public Map<Class<?>, Collection<Class<?>>> register(Class<?> callback, Class<?>... callbacks) {
    throw new UnsupportedOperationException();
  }

  @Override
  public Collection<Class<?>> register(Object callback) {
    throw new UnsupportedOperationException();
  }

  @Override
  public Map<Class<?>, Collection<Class<?>>> register(Object callback, Object... callbacks) {
    throw new UnsupportedOperationException();
  }
}
