// Hands out packet buffers of two sizes. Buffers are numbered 0 .. LARGE_BLOCKS-1, then the small
// ones. A packet that fits a small buffer gets one while there are any, else a large one: small
// packets then stay in the fast memory and do not cost the slow one short bursts. The number of a
// buffer is also that of the packet's descriptor in the queue memory.
module sluice_buffer_allocator #(
    parameter int unsigned LARGE_BLOCKS = 16384,
    parameter int unsigned SMALL_BLOCKS = 4096,  // 0: none
    parameter int unsigned SMALL_BYTES = 512,
    parameter int unsigned LENGTH_BITS = 12,
    parameter int unsigned BLOCK_BITS = $clog2(LARGE_BLOCKS + SMALL_BLOCKS)
) (
    input  logic                   clk,
    input  logic                   rst,
    // The buffer that a packet of this length would get; valid is 0 if there is none.
    input  logic [LENGTH_BITS-1:0] take_length,
    output logic                   take_valid,
    input  logic                   take,
    output logic [ BLOCK_BITS-1:0] take_block,
    // Two users return buffers: the queue memory (drops), which never waits, and the tx handler.
    input  logic                   drop_valid,
    input  logic [ BLOCK_BITS-1:0] drop_block,
    input  logic                   sent_valid,
    output logic                   sent_ready,
    input  logic [ BLOCK_BITS-1:0] sent_block
);
  localparam int unsigned LARGE_BITS = $clog2(LARGE_BLOCKS);
  localparam int unsigned SMALL_BITS = SMALL_BLOCKS > 1 ? $clog2(SMALL_BLOCKS) : 1;

  logic large_valid;
  logic [LARGE_BITS-1:0] large_index;
  logic small_valid;
  logic [SMALL_BITS-1:0] small_index;
  logic use_small;
  logic give_valid;
  logic give_small;
  logic [BLOCK_BITS-1:0] give_block;

  assign sent_ready = !drop_valid;
  assign give_valid = drop_valid || sent_valid;
  assign give_block = drop_valid ? drop_block : sent_block;
  assign give_small = 32'(give_block) >= LARGE_BLOCKS;
  assign use_small = small_valid && 32'(take_length) <= SMALL_BYTES;
  assign take_valid = use_small || large_valid;
  assign take_block = use_small ? BLOCK_BITS'(LARGE_BLOCKS + 32'(small_index)) : BLOCK_BITS'(large_index);

  sluice_free_list #(
      .BLOCKS(LARGE_BLOCKS)
  ) large_list (
      .clk,
      .rst,
      .take_valid(large_valid),
      .take_ready(take && !use_small),
      .take_index(large_index),
      .give_valid(give_valid && !give_small),
      .give_index(LARGE_BITS'(give_block))
  );

  generate
    if (SMALL_BLOCKS > 0) begin : g_small
      sluice_free_list #(
          .BLOCKS(SMALL_BLOCKS),
          .INDEX_BITS(SMALL_BITS)
      ) small_list (
          .clk,
          .rst,
          .take_valid(small_valid),
          .take_ready(take && use_small),
          .take_index(small_index),
          .give_valid(give_valid && give_small),
          .give_index(SMALL_BITS'(32'(give_block) - LARGE_BLOCKS))
      );
    end else begin : g_no_small
      assign small_valid = 1'b0;
      assign small_index = '0;
    end
  endgenerate
endmodule
