// Counters of every queue: 27 bits of packets above 37 bits of bytes, in one word, so that both are
// read as of one moment. Counts come at most every fourth clock.
module sluice_counters #(
    parameter int unsigned QUEUE_BITS = 18,
    parameter int unsigned LENGTH_BITS = 12
) (
    input  logic                   clk,
    input  logic                   rst,
    output logic                   busy,          // the memory is being cleared
    input  logic                   count_valid,
    input  logic [ QUEUE_BITS-1:0] count_queue,
    input  logic [LENGTH_BITS-1:0] count_length,
    // Held until select_done; the snapshot stays until the next one.
    input  logic                   select_valid,
    input  logic [ QUEUE_BITS-1:0] select_queue,
    output logic                   select_done,
    output logic [           63:0] snapshot
);
  typedef enum logic [2:0] {
    CLEAR,
    IDLE,
    COUNT_READ,
    COUNT_WRITE,
    SELECT_READ
  } state_t;

  state_t state;
  logic [QUEUE_BITS-1:0] clear_queue;
  logic pending;
  logic [QUEUE_BITS-1:0] queue;
  logic [LENGTH_BITS-1:0] length;
  logic [63:0] old;
  logic [63:0] increased;
  logic [26:0] packets;
  logic [36:0] bytes;

  assign packets = old[63:37] + 27'd1;
  assign bytes = old[36:0] + 37'(length);

  sluice_ram #(
      .WIDTH(64),
      .ADDRESS_BITS(QUEUE_BITS)
  ) words (
      .clk,
      .write_enable(state == CLEAR || state == COUNT_WRITE),
      .write_address(state == CLEAR ? clear_queue : queue),
      .write_data(state == CLEAR ? 64'd0 : increased),
      .read_enable(state == IDLE),
      .read_address(pending ? queue : select_queue),
      .read_data(old)
  );

  always_ff @(posedge clk) begin
    select_done <= 1'b0;
    if (count_valid) begin
      pending <= 1'b1;
      queue   <= count_queue;
      length  <= count_length;
    end
    case (state)
      CLEAR: begin
        clear_queue <= clear_queue + 1'b1;
        if (&clear_queue) begin
          state <= IDLE;
          busy  <= 1'b0;
        end
      end
      IDLE:
      if (pending) state <= COUNT_READ;
      else if (select_valid && !select_done) state <= SELECT_READ;
      COUNT_READ: begin
        increased <= {packets, bytes};
        state <= COUNT_WRITE;
      end
      COUNT_WRITE: begin
        // The next one may come just now.
        pending <= count_valid;
        state   <= IDLE;
      end
      default: begin  // SELECT_READ
        snapshot <= old;
        select_done <= 1'b1;
        state <= IDLE;
      end
    endcase
    if (rst) begin
      state <= CLEAR;
      busy <= 1'b1;
      clear_queue <= '0;
      pending <= 1'b0;
      select_done <= 1'b0;
    end
  end
endmodule
