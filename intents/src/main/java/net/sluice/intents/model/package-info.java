/**
 * The declarations of operators: subscribers, policies and rate limits. Every object is valid by
 * construction.
 */
package net.sluice.intents.model;
