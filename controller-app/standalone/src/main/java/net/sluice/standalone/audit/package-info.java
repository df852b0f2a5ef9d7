/** The audit log on disk. */
package net.sluice.standalone.audit;
