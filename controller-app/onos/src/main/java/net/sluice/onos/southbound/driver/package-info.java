/** For ONOS itself: programs as its pipeconfs, and a driver that describes and loads switches. */
package net.sluice.onos.southbound.driver;
