/**
 * One kind of entity: how it is written, taken back and read. The packages of the kinds build on
 * it.
 */
package net.sluice.emulator.server.p4runtime.entity;
