/**
 * The gRPC Network Management Interface, version 0.10: messages and stubs are generated into {@code
 * net.sluice.gnmi.wire}; here are helpers for paths and values. Only a wire definition: it knows no
 * model and no target.
 */
package net.sluice.gnmi;
