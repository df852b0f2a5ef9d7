/** A demo that goes on: a network in real time, for looking at it. */
package net.sluice.lab.demo.live;
