/** The store on disk and the gRPC targets of a controller outside ONOS. */
package net.sluice.endpoints;
