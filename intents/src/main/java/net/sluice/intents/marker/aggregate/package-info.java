/** Contracts for aggregates of flows, paper 003: what a switch marks IN and OUT. */
package net.sluice.intents.marker.aggregate;
