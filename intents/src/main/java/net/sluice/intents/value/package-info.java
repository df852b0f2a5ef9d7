/** Values that the model and what admits it have in common: ids, directions, ranges, refusals. */
package net.sluice.intents.value;
