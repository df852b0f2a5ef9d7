/** Java source text, method by method. */
package net.sluice.emulator.v1model.codegen.source;
