// Reads the packets that the scheduler has let go from the packet memory and sends them, in that
// order and one after the other; several reads are under way at once. A buffer is free again when its last beat
// has been read.
module sluice_tx_handler #(
    parameter int unsigned DATA_BYTES = 64,
    parameter int unsigned QUEUE_BITS = 18,
    parameter int unsigned LENGTH_BITS = 12,
    parameter int unsigned BLOCK_BITS = 15,
    parameter int unsigned LARGE_BLOCKS = 16384,
    parameter int unsigned LARGE_BYTES = 2048,
    parameter int unsigned SMALL_BYTES = 512,
    parameter int unsigned EXTERNAL_MEMORIES = 1,
    parameter int unsigned MEMORIES = 2,
    parameter int unsigned OUTSTANDING_BITS = 2  // 2^n packets on their way out
) (
    input  logic                    clk,
    input  logic                    rst,
    input  logic                    send_valid,
    output logic                    send_ready,
    input  logic [  QUEUE_BITS-1:0] send_queue,
    input  logic [ LENGTH_BITS-1:0] send_length,
    input  logic [  BLOCK_BITS-1:0] send_block,
    output logic [    MEMORIES-1:0] ar_valid,
    input  logic [    MEMORIES-1:0] ar_ready,
    output logic [            31:0] ar_addr,
    output logic [             7:0] ar_len,
    input  logic [    MEMORIES-1:0] r_valid,
    output logic [    MEMORIES-1:0] r_ready,
    input  logic [8*DATA_BYTES-1:0] r_data     [MEMORIES],
    input  logic [    MEMORIES-1:0] r_last,
    output logic                    free_valid,
    input  logic                    free_ready,
    output logic [  BLOCK_BITS-1:0] free_block,
    output logic                    out_valid,
    input  logic                    out_ready,
    output logic [8*DATA_BYTES-1:0] out_data,
    output logic [  DATA_BYTES-1:0] out_keep,
    output logic                    out_last,
    output logic [  QUEUE_BITS-1:0] out_queue
);
  localparam int unsigned MEMORY_BITS = 2;
  localparam int unsigned BEAT_SHIFT = $clog2(DATA_BYTES);

  logic [MEMORY_BITS-1:0] send_memory;
  logic [31:0] send_address;
  logic asking;
  logic [MEMORY_BITS-1:0] ask_memory;
  logic reading_valid;
  logic reading_room;
  logic [MEMORY_BITS-1:0] reading_memory;
  logic [QUEUE_BITS-1:0] reading_queue;
  logic [BLOCK_BITS-1:0] reading_block;
  logic [BEAT_SHIFT-1:0] reading_tail;
  logic beat_last;
  logic beat_taken;
  logic [8*DATA_BYTES-1:0] beat_data;
  logic sent;

  sluice_block_place #(
      .LARGE_BLOCKS(LARGE_BLOCKS),
      .BLOCK_BITS(BLOCK_BITS),
      .LARGE_BYTES(LARGE_BYTES),
      .SMALL_BYTES(SMALL_BYTES),
      .EXTERNAL_MEMORIES(EXTERNAL_MEMORIES),
      .MEMORY_BITS(MEMORY_BITS)
  ) place (
      .block(send_block),
      .memory(send_memory),
      .address(send_address)
  );

  assign send_ready = !asking && reading_room;

  always_comb begin
    ar_valid = '0;
    r_ready = '0;
    beat_last = 1'b0;
    beat_data = '0;
    for (int unsigned m = 0; m < MEMORIES; m++) begin
      if (32'(ask_memory) == m) ar_valid[m] = asking;
      if (reading_valid && 32'(reading_memory) == m) begin
        beat_last = r_last[m];
        beat_data = r_data[m];
        // The buffer's return is the only thing that may wait at a last beat.
        r_ready[m] = (!out_valid || out_ready) && (!r_last[m] || !free_valid || free_ready);
      end
    end
  end

  assign beat_taken = |(r_valid & r_ready);
  assign sent = beat_taken && beat_last;

  sluice_fifo #(
      .WIDTH(MEMORY_BITS + QUEUE_BITS + BLOCK_BITS + BEAT_SHIFT),
      .DEPTH_BITS(OUTSTANDING_BITS)
  ) reading (
      .clk,
      .rst,
      .in_valid(send_valid && send_ready),
      .in_ready(reading_room),
      .in_data({send_memory, send_queue, send_block, send_length[BEAT_SHIFT-1:0]}),
      .out_valid(reading_valid),
      .out_ready(sent),
      .out_data({reading_memory, reading_queue, reading_block, reading_tail})
  );

  always_ff @(posedge clk) begin
    if (|(ar_valid & ar_ready)) asking <= 1'b0;
    if (send_valid && send_ready) begin
      asking <= 1'b1;
      ask_memory <= send_memory;
      ar_addr <= send_address;
      ar_len <= 8'((send_length - 1'b1) >> BEAT_SHIFT);
    end
    if (free_ready) free_valid <= 1'b0;
    if (sent) begin
      free_valid <= 1'b1;
      free_block <= reading_block;
    end
    if (!out_valid || out_ready) begin
      out_valid <= beat_taken;
      out_data <= beat_data;
      out_last <= beat_last;
      out_queue <= reading_queue;
      // A tail of 0 stands for a full last beat.
      for (int unsigned i = 0; i < DATA_BYTES; i++) begin
        out_keep[i] <= !beat_last || reading_tail == '0 || 32'(reading_tail) > i;
      end
    end
    if (rst) begin
      asking <= 1'b0;
      free_valid <= 1'b0;
      out_valid <= 1'b0;
    end
  end

endmodule
