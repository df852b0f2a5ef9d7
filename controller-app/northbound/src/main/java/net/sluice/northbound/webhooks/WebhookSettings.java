package net.sluice.northbound.webhooks;

import java.util.function.Supplier;
import javax.net.ssl.SSLContext;

/**
 * How events are sent.
 *
 * @param allowed where they may be sent
 * @param tls with the authorities of receivers; asked at each connection
 * @param timing how long requests and the waits between them may take
 */
public record WebhookSettings(
    Destinations allowed, Supplier<SSLContext> tls, WebhookTiming timing) {}
