/**
 * What operators declare: subscribers, policies and rate limits. Every object is valid by
 * construction.
 */
package net.sluice.intents.model;
