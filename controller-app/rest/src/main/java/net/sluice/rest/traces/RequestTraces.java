package net.sluice.rest.traces;

import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanBuilder;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.api.trace.propagation.W3CTraceContextPropagator;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.propagation.TextMapGetter;
import io.opentelemetry.exporter.otlp.http.trace.OtlpHttpSpanExporter;
import io.opentelemetry.sdk.resources.Resource;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.export.BatchSpanProcessor;
import io.opentelemetry.sdk.trace.samplers.Sampler;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import net.sluice.core.trace.Trace;

/**
 * The traces of requests, sent by OTLP in the background: a collector that is slow or away costs
 * traces and no request's time. A span tells route, status, targets and numbers, and nothing of
 * what is declared.
 */
public final class RequestTraces implements AutoCloseable {
  private static final String SCOPE = "net.sluice";
  private static final Duration EXPORT = Duration.ofSeconds(5);
  private static final long END_SECONDS = 2;

  private static final AttributeKey<String> SERVICE = AttributeKey.stringKey("service.name");
  private static final AttributeKey<String> VERSION = AttributeKey.stringKey("service.version");
  private static final AttributeKey<String> METHOD = AttributeKey.stringKey("http.request.method");
  private static final AttributeKey<String> ROUTE = AttributeKey.stringKey("http.route");
  private static final AttributeKey<Long> STATUS =
      AttributeKey.longKey("http.response.status_code");
  private static final AttributeKey<Long> CHANGES = AttributeKey.longKey("sluice.changes");
  private static final AttributeKey<String> TARGET = AttributeKey.stringKey("sluice.target");
  private static final AttributeKey<Long> ENTRIES = AttributeKey.longKey("sluice.entries");

  /** The sender of traces by the settings that were in force when it was begun. */
  private record Sender(TraceSettings settings, SdkTracerProvider provider) {
    Tracer tracer() {
      return provider.get(SCOPE);
    }
  }

  private final Supplier<Optional<TraceSettings>> settings;
  private final String version;
  private volatile Optional<Sender> sender = Optional.empty();
  private boolean isClosed;

  /** Sends traces by the settings in force, which are asked at each request; none if empty. */
  public RequestTraces(Supplier<Optional<TraceSettings>> settings, String version) {
    this.settings = settings;
    this.version = version;
  }

  private Optional<Tracer> tracer() {
    Optional<TraceSettings> wanted = settings.get();
    if (!sender.map(Sender::settings).equals(wanted)) {
      renew(wanted);
    }
    return sender.map(Sender::tracer);
  }

  private synchronized void renew(Optional<TraceSettings> wanted) {
    if (!isClosed && !sender.map(Sender::settings).equals(wanted)) {
      sender.ifPresent(each -> each.provider().shutdown());
      sender = wanted.map(this::begin);
    }
  }

  private Sender begin(TraceSettings wanted) {
    return new Sender(
        wanted,
        SdkTracerProvider.builder()
            .setResource(Resource.create(Attributes.of(SERVICE, "sluice", VERSION, version)))
            .setSampler(Sampler.parentBased(Sampler.traceIdRatioBased(wanted.percent() / 100.0)))
            .addSpanProcessor(
                BatchSpanProcessor.builder(
                        OtlpHttpSpanExporter.builder()
                            .setEndpoint(wanted.endpoint().toString())
                            .setTimeout(EXPORT)
                            .setConnectTimeout(EXPORT)
                            .build())
                    .build())
            .build());
  }

  /** The values of a header, as a request has them. */
  @FunctionalInterface
  public interface Headers {
    List<String> values(String name);
  }

  /** Reads the headers of Trace Context, of which {@code traceparent} has to be the only one. */
  private static final TextMapGetter<Headers> HEADERS =
      new TextMapGetter<>() {
        @Override
        public Iterable<String> keys(Headers headers) {
          return W3CTraceContextPropagator.getInstance().fields();
        }

        @Override
        public String get(Headers headers, String name) {
          List<String> values = headers == null ? List.of() : headers.values(name);
          if (values.isEmpty() || (name.equals("traceparent") && values.size() > 1)) {
            return null;
          }
          return String.join(",", values);
        }
      };

  /**
   * A request has come, whose trace goes on if its headers name one (W3C Trace Context).
   *
   * @param nanos time of its head, of {@link System#nanoTime}
   * @return empty if it is not traced
   */
  public Optional<RequestTrace> begin(Headers headers, long nanos) {
    return tracer().flatMap(tracer -> begin(tracer, headers, nanos));
  }

  private static Optional<RequestTrace> begin(Tracer tracer, Headers headers, long nanos) {
    Context caller =
        W3CTraceContextPropagator.getInstance().extract(Context.root(), headers, HEADERS);
    Instant now = Instant.now();
    long offset =
        TimeUnit.SECONDS.toNanos(now.getEpochSecond()) + now.getNano() - System.nanoTime();
    Span span =
        tracer
            .spanBuilder("request")
            .setParent(caller)
            .setSpanKind(SpanKind.SERVER)
            .setStartTimestamp(nanos + offset, TimeUnit.NANOSECONDS)
            .startSpan();
    return span.isRecording()
        ? Optional.of(new RequestTrace(tracer, span, Context.root().with(span), offset))
        : Optional.empty();
  }

  /** The trace of a request. */
  public static final class RequestTrace implements Trace {
    private final Tracer tracer;
    private final Span span;
    private final Context context;
    private final long offset;

    private RequestTrace(Tracer tracer, Span span, Context context, long offset) {
      this.tracer = tracer;
      this.span = span;
      this.context = context;
      this.offset = offset;
    }

    /**
     * The request was answered.
     *
     * @param route the template of its path; empty if it is no path of the API
     */
    public void answered(String method, Optional<String> route, int status) {
      span.updateName(route.map(path -> method + " " + path).orElse(method));
      span.setAttribute(METHOD, method);
      route.ifPresent(path -> span.setAttribute(ROUTE, path));
      span.setAttribute(STATUS, (long) status);
      if (status >= 500) {
        span.setStatus(StatusCode.ERROR);
      }
      span.end(System.nanoTime() + offset, TimeUnit.NANOSECONDS);
    }

    /** The headers by which another process goes on with it, by name. */
    public Map<String, String> headers() {
      Map<String, String> headers = new LinkedHashMap<>();
      W3CTraceContextPropagator.getInstance().inject(context, headers, Map::put);
      return headers;
    }

    @Override
    public void compiled(int changes, long begunNanos, long endedNanos) {
      step("compile", changes, begunNanos, endedNanos);
    }

    @Override
    public void committed(int changes, long begunNanos, long endedNanos) {
      step("commit", changes, begunNanos, endedNanos);
    }

    private void step(String name, int changes, long begunNanos, long endedNanos) {
      begin(name, SpanKind.INTERNAL, begunNanos)
          .setAttribute(CHANGES, (long) changes)
          .startSpan()
          .end(endedNanos + offset, TimeUnit.NANOSECONDS);
    }

    private SpanBuilder begin(String name, SpanKind kind, long nanos) {
      return tracer
          .spanBuilder(name)
          .setParent(context)
          .setSpanKind(kind)
          .setStartTimestamp(nanos + offset, TimeUnit.NANOSECONDS);
    }

    @Override
    public Writing writing(String target, int entries) {
      Span write =
          begin("target write", SpanKind.CLIENT, System.nanoTime())
              .setAttribute(TARGET, target)
              .setAttribute(ENTRIES, (long) entries)
              .startSpan();
      return answered -> {
        if (!answered) {
          write.setStatus(StatusCode.ERROR);
        }
        write.end(System.nanoTime() + offset, TimeUnit.NANOSECONDS);
      };
    }
  }

  /** Sends what there is, for a moment, and nothing more. */
  @Override
  public synchronized void close() {
    isClosed = true;
    sender.ifPresent(each -> each.provider().shutdown().join(END_SECONDS, TimeUnit.SECONDS));
    sender = Optional.empty();
  }
}
