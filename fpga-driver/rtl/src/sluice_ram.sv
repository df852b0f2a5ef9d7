// Memory with one write port and one read port, inferred as block RAM (or UltraRAM where the
// tool prefers that for the size). The read value follows the address by one clock and stays while
// read_enable is low. A read of the address that is being written gives the old value.
module sluice_ram #(
    parameter int unsigned WIDTH = 32,
    parameter int unsigned ADDRESS_BITS = 10
) (
    input  logic                    clk,
    input  logic                    write_enable,
    input  logic [ADDRESS_BITS-1:0] write_address,
    input  logic [       WIDTH-1:0] write_data,
    input  logic                    read_enable,
    input  logic [ADDRESS_BITS-1:0] read_address,
    output logic [       WIDTH-1:0] read_data
);
  // No reset: block RAM has none. Whoever needs known contents writes them after the reset.
  logic [WIDTH-1:0] memory[2**ADDRESS_BITS];

  always_ff @(posedge clk) begin
    if (write_enable) memory[write_address] <= write_data;
    if (read_enable) read_data <= memory[read_address];
  end
endmodule
