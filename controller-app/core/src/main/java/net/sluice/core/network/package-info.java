/**
 * The network of switches: routes of ids to switches, changes of several switches, moves, and
 * switches that come and go.
 */
package net.sluice.core.network;
