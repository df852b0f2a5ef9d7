/** Limits shaped in the switch (paper 004). */
package net.sluice.intents.limit.shape;
