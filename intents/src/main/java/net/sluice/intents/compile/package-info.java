/** The compiler from declarations to plans, the state it reads, and a state in memory. */
package net.sluice.intents.compile;
