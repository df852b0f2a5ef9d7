// Writes whole packets into buffers of the packet memory and hands their descriptors to the queue
// memory. A descriptor goes on when the memory has confirmed the write, and in the order in which
// the packets came, whichever memory is faster: the packets of a queue never change places.
// Several writes are under way at once.
module sluice_rx_handler #(
    parameter int unsigned DATA_BYTES = 64,
    parameter int unsigned QUEUE_BITS = 18,
    parameter int unsigned LENGTH_BITS = 12,
    parameter int unsigned BLOCK_BITS = 15,
    parameter int unsigned LARGE_BLOCKS = 16384,
    parameter int unsigned LARGE_BYTES = 2048,
    parameter int unsigned SMALL_BYTES = 512,
    parameter int unsigned EXTERNAL_MEMORIES = 1,
    parameter int unsigned MEMORIES = 2,
    parameter int unsigned OUTSTANDING_BITS = 3  // 2^n writes under way
) (
    input  logic                    clk,
    input  logic                    rst,
    input  logic                    meta_valid,
    output logic                    meta_ready,
    input  logic [  QUEUE_BITS-1:0] meta_queue,
    input  logic [ LENGTH_BITS-1:0] meta_length,
    input  logic                    in_valid,
    output logic                    in_ready,
    input  logic [8*DATA_BYTES-1:0] in_data,
    input  logic                    in_last,
    output logic [ LENGTH_BITS-1:0] take_length,
    input  logic                    take_valid,
    output logic                    take,
    input  logic [  BLOCK_BITS-1:0] take_block,
    output logic [    MEMORIES-1:0] aw_valid,
    input  logic [    MEMORIES-1:0] aw_ready,
    output logic [            31:0] aw_addr,
    output logic [             7:0] aw_len,
    output logic [    MEMORIES-1:0] w_valid,
    input  logic [    MEMORIES-1:0] w_ready,
    output logic [8*DATA_BYTES-1:0] w_data,
    output logic                    w_last,
    input  logic [    MEMORIES-1:0] b_valid,
    output logic                    push_valid,
    input  logic                    push_ready,
    output logic [  QUEUE_BITS-1:0] push_queue,
    output logic [ LENGTH_BITS-1:0] push_length,
    output logic [  BLOCK_BITS-1:0] push_block,
    // One clock: a packet was dropped because no buffer was free.
    output logic                    no_buffer
);
  localparam int unsigned MEMORY_BITS = 2;
  localparam int unsigned BEAT_SHIFT = $clog2(DATA_BYTES);

  typedef enum logic [1:0] {
    IDLE,
    ADDRESS,
    DATA,
    DRAIN
  } state_t;

  state_t state;
  logic [MEMORY_BITS-1:0] memory;
  logic [MEMORY_BITS-1:0] take_memory;
  logic [31:0] take_address;
  logic [QUEUE_BITS-1:0] queue;
  logic [LENGTH_BITS-1:0] length;
  logic [BLOCK_BITS-1:0] block;
  logic pending_room;
  logic pending_valid;
  logic [MEMORY_BITS-1:0] pending_memory;
  // Confirmed writes whose descriptor has not been handed on, by memory.
  logic [OUTSTANDING_BITS:0] confirmed[MEMORIES];
  logic pushed;
  logic any_confirmed;

  sluice_block_place #(
      .LARGE_BLOCKS(LARGE_BLOCKS),
      .BLOCK_BITS(BLOCK_BITS),
      .LARGE_BYTES(LARGE_BYTES),
      .SMALL_BYTES(SMALL_BYTES),
      .EXTERNAL_MEMORIES(EXTERNAL_MEMORIES),
      .MEMORY_BITS(MEMORY_BITS)
  ) place (
      .block(take_block),
      .memory(take_memory),
      .address(take_address)
  );

  assign take_length = meta_length;
  assign take = state == IDLE && meta_valid && take_valid;
  assign meta_ready = state == IDLE;
  assign w_data = in_data;
  assign w_last = in_last;

  always_comb begin
    aw_valid = '0;
    w_valid = '0;
    in_ready = state == DRAIN;
    any_confirmed = 1'b0;
    for (int unsigned m = 0; m < MEMORIES; m++) begin
      if (32'(memory) == m) begin
        aw_valid[m] = state == ADDRESS && pending_room;
        w_valid[m] = state == DATA && in_valid;
        if (state == DATA) in_ready = w_ready[m];
      end
      if (32'(pending_memory) == m) any_confirmed = confirmed[m] != '0;
    end
  end

  assign push_valid = pending_valid && any_confirmed;
  assign pushed = push_valid && push_ready;

  sluice_fifo #(
      .WIDTH(QUEUE_BITS + LENGTH_BITS + BLOCK_BITS + MEMORY_BITS),
      .DEPTH_BITS(OUTSTANDING_BITS)
  ) pending (
      .clk,
      .rst,
      .in_valid(|(aw_valid & aw_ready)),
      .in_ready(pending_room),
      .in_data({queue, length, block, memory}),
      .out_valid(pending_valid),
      .out_ready(pushed),
      .out_data({push_queue, push_length, push_block, pending_memory})
  );

  always_ff @(posedge clk) begin
    no_buffer <= 1'b0;
    case (state)
      IDLE:
      if (meta_valid) begin
        queue <= meta_queue;
        length <= meta_length;
        block <= take_block;
        memory <= take_memory;
        aw_addr <= take_address;
        aw_len <= 8'((meta_length - 1'b1) >> BEAT_SHIFT);
        state <= take_valid ? ADDRESS : DRAIN;
        no_buffer <= !take_valid;
      end
      ADDRESS: if (|(aw_valid & aw_ready)) state <= DATA;
      default: if (in_valid && in_ready && in_last) state <= IDLE;
    endcase
    for (int unsigned m = 0; m < MEMORIES; m++) begin
      confirmed[m] <= confirmed[m] + (OUTSTANDING_BITS + 1)'(b_valid[m])
          - (OUTSTANDING_BITS + 1)'(pushed && 32'(pending_memory) == m);
    end
    if (rst) begin
      state <= IDLE;
      no_buffer <= 1'b0;
      for (int unsigned m = 0; m < MEMORIES; m++) confirmed[m] <= '0;
    end
  end
endmodule
