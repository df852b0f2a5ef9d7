/** Keeps declarations: durable in RocksDB, or in memory for tests. */
package net.sluice.core.store;
