/**
 * The verdict on what limits a subscriber, told from what was declared and from what was measured
 * of all that share its switch: pure functions of numbers.
 */
package net.sluice.intents.verdict;
