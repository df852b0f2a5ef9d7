// Small first-in first-out queue in registers; the oldest entry is shown without a request.
module sluice_fifo #(
    parameter int unsigned WIDTH = 32,
    parameter int unsigned DEPTH_BITS = 2
) (
    input  logic             clk,
    input  logic             rst,
    input  logic             in_valid,
    output logic             in_ready,
    input  logic [WIDTH-1:0] in_data,
    output logic             out_valid,
    input  logic             out_ready,
    output logic [WIDTH-1:0] out_data
);
  localparam int unsigned DEPTH = 2 ** DEPTH_BITS;

  logic [WIDTH-1:0] entries[DEPTH];
  logic [DEPTH_BITS:0] written;
  logic [DEPTH_BITS:0] taken;
  logic [DEPTH_BITS:0] held;

  assign held = written - taken;
  assign in_ready = held != (DEPTH_BITS + 1)'(DEPTH);
  assign out_valid = held != '0;
  assign out_data = entries[taken[DEPTH_BITS-1:0]];

  always_ff @(posedge clk) begin
    if (in_valid && in_ready) begin
      entries[written[DEPTH_BITS-1:0]] <= in_data;
      written <= written + 1'b1;
    end
    if (out_valid && out_ready) taken <= taken + 1'b1;
    if (rst) begin
      written <= '0;
      taken   <= '0;
    end
  end
endmodule
