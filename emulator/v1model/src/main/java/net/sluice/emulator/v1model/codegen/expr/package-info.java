/** Java code of expressions: narrow values in a long, wide ones in pieces. */
package net.sluice.emulator.v1model.codegen.expr;
