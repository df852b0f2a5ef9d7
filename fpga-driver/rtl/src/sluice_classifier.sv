// Takes the queue id, a 32-bit big-endian prefix, off a packet and moves the rest to the front.
// Byte k of a beat is data[8k +: 8]; keep is contiguous from byte 0 and full before the last beat.
// A packet without a queue of this build, or that the MAC marked bad (in_bad with the last beat),
// leaves with out_bad at its last beat, so that the buffer behind forgets it. A packet with
// nothing behind the id does not leave at all; both show in `malformed` for one clock.
module sluice_classifier #(
    parameter int unsigned DATA_BYTES = 64,
    parameter int unsigned QUEUE_BITS = 18
) (
    input  logic                    clk,
    input  logic                    rst,
    input  logic                    in_valid,
    output logic                    in_ready,
    input  logic [8*DATA_BYTES-1:0] in_data,
    input  logic [  DATA_BYTES-1:0] in_keep,
    input  logic                    in_last,
    input  logic                    in_bad,
    output logic                    out_valid,
    input  logic                    out_ready,
    output logic [8*DATA_BYTES-1:0] out_data,
    output logic [  DATA_BYTES-1:0] out_keep,
    output logic                    out_last,
    output logic                    out_bad,
    output logic [  QUEUE_BITS-1:0] out_queue,
    output logic                    malformed
);
  localparam int unsigned PREFIX_BYTES = 4;
  localparam int unsigned REST_BYTES = DATA_BYTES - PREFIX_BYTES;

  // Bytes of the beat before, whose place is at the front of the next beat out.
  logic [8*REST_BYTES-1:0] rest_data;
  logic [REST_BYTES-1:0] rest_keep;
  logic first;
  // The packet has ended, but some of its bytes are still in rest_data.
  logic flush;
  logic flush_bad;
  logic [31:0] prefix;
  logic unknown_queue;
  logic step;
  logic bad_so_far;

  assign prefix = {in_data[7:0], in_data[15:8], in_data[23:16], in_data[31:24]};
  assign step = !out_valid || out_ready;
  assign in_ready = step && !flush;

  generate
    if (QUEUE_BITS < 32) begin : g_range
      assign unknown_queue = prefix[31:QUEUE_BITS] != '0;
    end else begin : g_no_range
      assign unknown_queue = 1'b0;
    end
  endgenerate

  always_ff @(posedge clk) begin
    malformed <= 1'b0;
    if (step) begin
      out_valid <= 1'b0;
      out_last  <= 1'b0;
      if (flush) begin
        out_valid <= 1'b1;
        out_data  <= {{8 * PREFIX_BYTES{1'b0}}, rest_data};
        out_keep  <= {{PREFIX_BYTES{1'b0}}, rest_keep};
        out_last  <= 1'b1;
        out_bad   <= flush_bad;
        flush     <= 1'b0;
      end else if (in_valid) begin
        rest_data <= in_data[8*DATA_BYTES-1:8*PREFIX_BYTES];
        rest_keep <= in_keep[DATA_BYTES-1:PREFIX_BYTES];
        first     <= in_last;
        if (first) begin
          out_queue  <= prefix[QUEUE_BITS-1:0];
          bad_so_far <= unknown_queue;
          if (in_last) begin
            flush     <= in_keep[PREFIX_BYTES];
            flush_bad <= unknown_queue || in_bad;
            malformed <= !in_keep[PREFIX_BYTES] || unknown_queue || in_bad;
          end
        end else begin
          out_valid <= 1'b1;
          out_data  <= {in_data[8*PREFIX_BYTES-1:0], rest_data};
          out_keep  <= {in_keep[PREFIX_BYTES-1:0], rest_keep};
          out_last  <= in_last && !in_keep[PREFIX_BYTES];
          out_bad   <= bad_so_far || in_bad;
          if (in_last) begin
            flush     <= in_keep[PREFIX_BYTES];
            flush_bad <= bad_so_far || in_bad;
            malformed <= bad_so_far || in_bad;
          end
        end
      end
    end
    if (rst) begin
      out_valid <= 1'b0;
      flush     <= 1'b0;
      first     <= 1'b1;
      malformed <= 1'b0;
    end
  end
endmodule
