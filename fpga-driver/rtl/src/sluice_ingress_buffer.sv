// Keeps a packet until it is whole, so that its length is known before a buffer is chosen for it.
// A packet marked bad, or longer than MAX_PACKET_BYTES, is forgotten. What comes out is the length
// and queue of the next whole packet (meta_*) and its beats (out_*), in the order of arrival.
module sluice_ingress_buffer #(
    parameter int unsigned DATA_BYTES = 64,
    parameter int unsigned QUEUE_BITS = 18,
    parameter int unsigned MAX_PACKET_BYTES = 2048,
    // Beats of the buffer as a power of two; at least two of the longest packets.
    parameter int unsigned BEAT_BITS = $clog2(4 * MAX_PACKET_BYTES / DATA_BYTES),
    parameter int unsigned LENGTH_BITS = $clog2(MAX_PACKET_BYTES + 1)
) (
    input  logic                    clk,
    input  logic                    rst,
    input  logic                    in_valid,
    output logic                    in_ready,
    input  logic [8*DATA_BYTES-1:0] in_data,
    input  logic [  DATA_BYTES-1:0] in_keep,
    input  logic                    in_last,
    input  logic                    in_bad,
    input  logic [  QUEUE_BITS-1:0] in_queue,
    output logic                    meta_valid,
    input  logic                    meta_ready,
    output logic [  QUEUE_BITS-1:0] meta_queue,
    output logic [ LENGTH_BITS-1:0] meta_length,
    output logic                    out_valid,
    input  logic                    out_ready,
    output logic [8*DATA_BYTES-1:0] out_data,
    output logic                    out_last,
    // One clock each: a packet was taken in, or forgotten for its length alone.
    output logic                    received,
    output logic                    too_long
);
  localparam int unsigned COUNT_BITS = $clog2(DATA_BYTES + 1);

  logic [BEAT_BITS:0] write_pointer;
  // Beats before this one belong to whole packets.
  logic [BEAT_BITS:0] whole_pointer;
  logic [BEAT_BITS:0] read_pointer;
  logic [BEAT_BITS:0] used;
  logic room;
  logic beat_taken;
  logic [LENGTH_BITS:0] length_before;
  logic [LENGTH_BITS:0] length_now;
  logic [COUNT_BITS-1:0] beat_bytes;
  logic over;
  logic over_before;
  logic commit;
  logic meta_room;
  logic read;

  always_comb begin
    beat_bytes = '0;
    for (int unsigned i = 0; i < DATA_BYTES; i++) begin
      beat_bytes = beat_bytes + COUNT_BITS'(in_keep[i]);
    end
  end

  assign used = write_pointer - read_pointer;
  assign room = !used[BEAT_BITS];
  assign in_ready = room && meta_room;
  assign beat_taken = in_valid && in_ready;
  assign length_now = length_before + (LENGTH_BITS + 1)'(beat_bytes);
  assign over = over_before || length_now > (LENGTH_BITS + 1)'(MAX_PACKET_BYTES);
  assign commit = beat_taken && in_last && !in_bad && !over;
  assign read = read_pointer != whole_pointer && (!out_valid || out_ready);

  sluice_ram #(
      .WIDTH(8 * DATA_BYTES + 1),
      .ADDRESS_BITS(BEAT_BITS)
  ) beats (
      .clk,
      .write_enable(beat_taken && !over),
      .write_address(write_pointer[BEAT_BITS-1:0]),
      .write_data({in_last, in_data}),
      .read_enable(read),
      .read_address(read_pointer[BEAT_BITS-1:0]),
      .read_data({out_last, out_data})
  );

  sluice_fifo #(
      .WIDTH(QUEUE_BITS + LENGTH_BITS),
      .DEPTH_BITS(4)
  ) metas (
      .clk,
      .rst,
      .in_valid(commit),
      .in_ready(meta_room),
      .in_data({in_queue, length_now[LENGTH_BITS-1:0]}),
      .out_valid(meta_valid),
      .out_ready(meta_ready),
      .out_data({meta_queue, meta_length})
  );

  always_ff @(posedge clk) begin
    received <= commit;
    too_long <= beat_taken && in_last && !in_bad && over;
    if (beat_taken) begin
      if (!over) write_pointer <= write_pointer + 1'b1;
      length_before <= over ? '0 : length_now;
      over_before   <= over;
      if (in_last) begin
        length_before <= '0;
        over_before   <= 1'b0;
        if (commit) whole_pointer <= write_pointer + 1'b1;
        else write_pointer <= whole_pointer;
      end
    end
    if (read) begin
      read_pointer <= read_pointer + 1'b1;
      out_valid <= 1'b1;
    end else if (out_ready) begin
      out_valid <= 1'b0;
    end
    if (rst) begin
      write_pointer <= '0;
      whole_pointer <= '0;
      read_pointer <= '0;
      out_valid <= 1'b0;
      length_before <= '0;
      over_before <= 1'b0;
      received <= 1'b0;
      too_long <= 1'b0;
    end
  end
endmodule
