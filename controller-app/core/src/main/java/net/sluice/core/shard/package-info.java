/** One switch of the network: its declarations, its targets, its store and its changes. */
package net.sluice.core.shard;
