/** The audit log on disk. */
package net.sluice.northbound.audit;
