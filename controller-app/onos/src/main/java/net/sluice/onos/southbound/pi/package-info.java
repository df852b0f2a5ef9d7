/** P4Runtime's entities as the objects that ONOS's client takes. */
package net.sluice.onos.southbound.pi;
