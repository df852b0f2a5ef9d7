/**
 * What is declared and allotted, as the compiler reads it: the state, and parts to build states of.
 */
package net.sluice.intents.state;
