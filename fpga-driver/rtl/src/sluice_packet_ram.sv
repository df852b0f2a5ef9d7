// Packet memory inside the FPGA: a slave for bursts, one write burst and one read burst at a time.
// It is the fast memory for small packets, and stands for the external memory in simulation. It
// takes the part of AXI4 that the handlers use: full-width incrementing bursts, all byte lanes.
module sluice_packet_ram #(
    parameter int unsigned DATA_BYTES = 64,
    parameter int unsigned SIZE_BYTES = 2097152  // a power of two
) (
    input  logic                    clk,
    input  logic                    rst,
    input  logic                    aw_valid,
    output logic                    aw_ready,
    input  logic [            31:0] aw_addr,
    input  logic                    w_valid,
    output logic                    w_ready,
    input  logic [8*DATA_BYTES-1:0] w_data,
    input  logic                    w_last,
    output logic                    b_valid,
    input  logic                    b_ready,
    input  logic                    ar_valid,
    output logic                    ar_ready,
    input  logic [            31:0] ar_addr,
    input  logic [             7:0] ar_len,
    output logic                    r_valid,
    input  logic                    r_ready,
    output logic [8*DATA_BYTES-1:0] r_data,
    output logic                    r_last
);
  localparam int unsigned BEAT_SHIFT = $clog2(DATA_BYTES);
  localparam int unsigned ADDRESS_BITS = $clog2(SIZE_BYTES) - BEAT_SHIFT;

  logic writing;
  logic [ADDRESS_BITS-1:0] write_beat;
  logic reading;
  logic [ADDRESS_BITS-1:0] read_beat;
  logic [7:0] beats_left;
  logic read;

  assign aw_ready = !writing;
  // The answer of the burst before is gone before the next one ends.
  assign w_ready = writing && !b_valid;
  assign ar_ready = !reading;
  assign read = reading && (!r_valid || r_ready);

  sluice_ram #(
      .WIDTH(8 * DATA_BYTES),
      .ADDRESS_BITS(ADDRESS_BITS)
  ) beats (
      .clk,
      .write_enable(w_valid && w_ready),
      .write_address(write_beat),
      .write_data(w_data),
      .read_enable(read),
      .read_address(read_beat),
      .read_data(r_data)
  );

  always_ff @(posedge clk) begin
    if (aw_valid && aw_ready) begin
      writing <= 1'b1;
      write_beat <= ADDRESS_BITS'(aw_addr >> BEAT_SHIFT);
    end
    if (b_valid && b_ready) b_valid <= 1'b0;
    if (w_valid && w_ready) begin
      write_beat <= write_beat + 1'b1;
      if (w_last) begin
        writing <= 1'b0;
        b_valid <= 1'b1;
      end
    end
    if (r_valid && r_ready) r_valid <= 1'b0;
    if (read) begin
      r_valid <= 1'b1;
      r_last <= beats_left == 8'd0;
      read_beat <= read_beat + 1'b1;
      beats_left <= beats_left - 8'd1;
      if (beats_left == 8'd0) reading <= 1'b0;
    end
    if (ar_valid && ar_ready) begin
      reading <= 1'b1;
      read_beat <= ADDRESS_BITS'(ar_addr >> BEAT_SHIFT);
      beats_left <= ar_len;
    end
    if (rst) begin
      writing <= 1'b0;
      b_valid <= 1'b0;
      reading <= 1'b0;
      r_valid <= 1'b0;
    end
  end
endmodule
