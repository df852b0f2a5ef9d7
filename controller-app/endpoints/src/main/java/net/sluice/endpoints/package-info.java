/** What a controller outside ONOS keeps declarations in and reaches targets by: disk and gRPC. */
package net.sluice.endpoints;
