/** Operations on disk. */
package net.sluice.standalone.operation;
