// The free ones of BLOCKS equal packet buffers. A buffer that was never used comes from a counter, so
// the list needs no filling after a reset; the others come from the list of returned ones.
module sluice_free_list #(
    parameter int unsigned BLOCKS = 16384,
    parameter int unsigned INDEX_BITS = $clog2(BLOCKS)
) (
    input  logic                  clk,
    input  logic                  rst,
    output logic                  take_valid,
    input  logic                  take_ready,
    output logic [INDEX_BITS-1:0] take_index,
    input  logic                  give_valid,
    input  logic [INDEX_BITS-1:0] give_index
);
  logic [INDEX_BITS:0] fresh;
  logic [INDEX_BITS-1:0] write_pointer;
  logic [INDEX_BITS-1:0] read_pointer;
  logic [INDEX_BITS:0] listed;
  logic list_read;
  logic list_read_done;
  logic any_fresh;
  logic [INDEX_BITS-1:0] list_data;
  logic used_up;

  assign any_fresh = fresh != (INDEX_BITS + 1)'(BLOCKS);
  // One buffer is shown ahead, so that it can be taken without waiting for the memory.
  assign used_up = !take_valid || take_ready;
  assign list_read = !any_fresh && used_up && !list_read_done && listed != '0;

  sluice_ram #(
      .WIDTH(INDEX_BITS),
      .ADDRESS_BITS(INDEX_BITS)
  ) list (
      .clk,
      .write_enable(give_valid),
      .write_address(write_pointer),
      .write_data(give_index),
      .read_enable(list_read),
      .read_address(read_pointer),
      .read_data(list_data)
  );

  always_ff @(posedge clk) begin
    list_read_done <= list_read;
    if (take_ready) take_valid <= 1'b0;
    if (list_read_done) begin
      take_valid <= 1'b1;
      take_index <= list_data;
    end else if (any_fresh && used_up) begin
      take_valid <= 1'b1;
      take_index <= fresh[INDEX_BITS-1:0];
      fresh <= fresh + 1'b1;
    end
    if (give_valid) begin
      write_pointer <= write_pointer == INDEX_BITS'(BLOCKS - 1) ? '0 : write_pointer + 1'b1;
    end
    if (list_read) begin
      read_pointer <= read_pointer == INDEX_BITS'(BLOCKS - 1) ? '0 : read_pointer + 1'b1;
    end
    // A buffer given in this clock is written at its end and may be read in the next.
    listed <= listed + (INDEX_BITS + 1)'(give_valid) - (INDEX_BITS + 1)'(list_read);
    if (rst) begin
      fresh <= '0;
      write_pointer <= '0;
      read_pointer <= '0;
      listed <= '0;
      list_read_done <= 1'b0;
      take_valid <= 1'b0;
    end
  end
endmodule
