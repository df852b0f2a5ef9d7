// Where a packet buffer is: its memory and its byte address there. Large buffers alternate between
// the external memories 0 .. EXTERNAL_MEMORIES-1, which shares their bandwidth; the small ones are
// in the memory behind those.
module sluice_block_place #(
    parameter int unsigned LARGE_BLOCKS = 16384,
    parameter int unsigned BLOCK_BITS = 15,
    parameter int unsigned LARGE_BYTES = 2048,  // a power of two
    parameter int unsigned SMALL_BYTES = 512,  // a power of two
    parameter int unsigned EXTERNAL_MEMORIES = 1,  // 1 or 2
    parameter int unsigned MEMORY_BITS = 2
) (
    input  logic [ BLOCK_BITS-1:0] block,
    output logic [MEMORY_BITS-1:0] memory,
    output logic [           31:0] address
);
  localparam int unsigned SPLIT = $clog2(EXTERNAL_MEMORIES);

  logic [31:0] number;
  logic small_block;

  assign number = 32'(block);
  assign small_block = number >= LARGE_BLOCKS;
  assign memory = small_block ? MEMORY_BITS'(EXTERNAL_MEMORIES)
      : MEMORY_BITS'(number & (EXTERNAL_MEMORIES - 1));
  assign address = small_block ? (number - LARGE_BLOCKS) << $clog2(SMALL_BYTES)
      : (number >> SPLIT) << $clog2(LARGE_BYTES);
endmodule
