package net.sluice.core;

import java.time.Duration;

/**
 * The result of a reconciliation of a target.
 *
 * @param target name of the target
 * @param read entries or settings read back
 * @param wrong of those, held with other data than declared, and corrected
 * @param unknown of those, not declared, and removed or reset
 * @param rewritten entries sent because they were missing or changed meanwhile
 * @param elapsed from the start of reading until the corrections were queued
 */
public record ReconcileReport(
    String target, long read, long wrong, long unknown, long rewritten, Duration elapsed) {}
