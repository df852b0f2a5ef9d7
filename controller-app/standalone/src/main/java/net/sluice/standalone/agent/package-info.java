/** The register agent: what runs beside an FPGA and serves its registers to controllers. */
package net.sluice.standalone.agent;
