/**
 * Declarations and allotments as the compiler reads them: the state, and parts to build states of.
 */
package net.sluice.intents.state;
