// The queues: linked lists of descriptors, one list a queue. A descriptor has the number of the
// packet's buffer and holds the packet's length and the next descriptor. One state machine does
// pushes and pops by turns, so that they never meet in one queue. A push to a queue that holds
// more bytes than its customer's limit, or else its class's, is dropped. A pop asks CoDel, where that
// is built in, and drops as long as CoDel says so.
//
// A bit a queue tells whether it holds a packet. The bits are kept twice: the search reads a
// window of 32 in every clock, whatever the state machine does.
module sluice_queue_memory #(
    parameter int unsigned QUEUE_BITS = 18,
    parameter int unsigned BLOCK_BITS = 15,
    parameter int unsigned LENGTH_BITS = 12,
    parameter bit CODEL = 1'b1,
    parameter bit CUSTOMERS = 1'b1,  // each customer may have a depth and times of CoDel of its own
    parameter int unsigned CODEL_MTU_BYTES = 1600
) (
    input  logic                   clk,
    input  logic                   rst,
    output logic                   busy,            // the memories are being cleared
    input  logic                   push_valid,
    output logic                   push_ready,
    input  logic [ QUEUE_BITS-1:0] push_queue,
    input  logic [LENGTH_BITS-1:0] push_length,
    input  logic [ BLOCK_BITS-1:0] push_block,
    // A pop is held until pop_done; pop_found is 0 if the queue holds no packet (any more).
    input  logic                   pop_valid,
    input  logic [ QUEUE_BITS-1:0] pop_queue,
    input  logic [           17:0] pop_rate,        // bytes a tick, for the delay
    output logic                   pop_done,
    output logic                   pop_found,
    output logic [LENGTH_BITS-1:0] pop_length,
    output logic [ BLOCK_BITS-1:0] pop_block,
    output logic                   drop_valid,      // a buffer to return; never refused
    output logic [ BLOCK_BITS-1:0] drop_block,
    output logic                   over_depth,      // one clock each
    output logic                   codel_dropped,
    input  logic                   scan_enable,
    input  logic [ QUEUE_BITS-6:0] scan_window,
    output logic [           31:0] scan_bits,
    input  logic [           23:0] depth_bytes [8],
    input  logic [           15:0] target_ticks[8],
    input  logic [           15:0] interval_ticks[8],
    // What customers have of their own: held until access_done. 0 is the depth, 1 CoDel's word.
    input  logic                   access_valid,
    input  logic                   access_write,
    input  logic                   access_field,
    input  logic [           17:0] access_index,
    input  logic [           31:0] access_data,
    output logic                   access_done,
    output logic [           31:0] access_result,
    input  logic [           23:0] tick
);
  localparam int unsigned BYTES_BITS = 25;  // 24 bits of limit and one packet
  localparam int unsigned QUEUE_WIDTH = 2 * BLOCK_BITS + BYTES_BITS;

  typedef enum logic [3:0] {
    CLEAR,
    IDLE,
    LOAD,
    PUSH,
    HEAD,
    HEAD_LOAD,
    AQM,
    POP,
    ACCESS
  } state_t;

  state_t state;
  logic [QUEUE_BITS-1:0] clear_queue;
  logic pushing;
  logic push_next;  // whose turn it is when both ask
  logic [QUEUE_BITS-1:0] queue;
  logic [LENGTH_BITS-1:0] length;
  logic [BLOCK_BITS-1:0] block;
  logic [BLOCK_BITS-1:0] first;
  logic [BLOCK_BITS-1:0] last;
  logic [BYTES_BITS-1:0] bytes;
  logic [LENGTH_BITS-1:0] head_length;
  logic [BLOCK_BITS-1:0] head_next;
  logic over;
  logic empties;
  logic accept_push;
  logic codel_done;
  logic codel_drop;
  logic queue_read;
  logic [QUEUE_BITS-1:0] asked_queue;
  logic access_start;
  logic [23:0] own_depth;
  logic [31:0] own_codel;
  logic [23:0] depth;
  logic [15:0] target;
  logic [15:0] interval;

  logic queue_write;
  logic [QUEUE_WIDTH-1:0] queue_new;
  logic [QUEUE_WIDTH-1:0] queue_old;
  logic [31:0] word;
  logic [31:0] word_old;
  logic [31:0] bit_of_queue;
  logic word_write;
  logic [31:0] word_new;
  logic [QUEUE_BITS-1:0] write_queue;

  assign accept_push = push_valid && (push_next || !pop_valid);
  assign access_start = state == IDLE && access_valid && !access_done;
  assign push_ready = state == IDLE && accept_push && !access_start;
  assign asked_queue = accept_push ? push_queue : pop_queue;
  assign queue_read = state == IDLE && (push_valid || pop_valid);
  assign over = bytes > BYTES_BITS'(depth);
  assign empties = bytes == BYTES_BITS'(head_length);
  assign bit_of_queue = 32'd1 << queue[4:0];
  assign write_queue = state == CLEAR ? clear_queue : queue;

  always_comb begin
    queue_write = 1'b0;
    queue_new = '0;
    word_write = 1'b0;
    word_new = '0;
    case (state)
      CLEAR: begin
        queue_write = 1'b1;
        word_write = 1'b1;
      end
      PUSH: begin
        queue_write = !over;
        queue_new = {bytes == '0 ? block : first, block, bytes + BYTES_BITS'(length)};
        word_write = !over && bytes == '0;
        word_new = word | bit_of_queue;
      end
      POP: begin
        queue_write = 1'b1;
        queue_new = {head_next, last, bytes - BYTES_BITS'(head_length)};
        word_write = empties;
        word_new = word & ~bit_of_queue;
      end
      default: ;
    endcase
  end

  sluice_ram #(
      .WIDTH(QUEUE_WIDTH),
      .ADDRESS_BITS(QUEUE_BITS)
  ) queues (
      .clk,
      .write_enable(queue_write),
      .write_address(write_queue),
      .write_data(queue_new),
      .read_enable(queue_read),
      .read_address(asked_queue),
      .read_data(queue_old)
  );

  sluice_ram #(
      .WIDTH(32),
      .ADDRESS_BITS(QUEUE_BITS - 5)
  ) words_for_changes (
      .clk,
      .write_enable(word_write),
      .write_address(write_queue[QUEUE_BITS-1:5]),
      .write_data(word_new),
      .read_enable(queue_read),
      .read_address(asked_queue[QUEUE_BITS-1:5]),
      .read_data(word_old)
  );

  sluice_ram #(
      .WIDTH(32),
      .ADDRESS_BITS(QUEUE_BITS - 5)
  ) words_for_search (
      .clk,
      .write_enable(word_write),
      .write_address(write_queue[QUEUE_BITS-1:5]),
      .write_data(word_new),
      .read_enable(scan_enable),
      .read_address(scan_window),
      .read_data(scan_bits)
  );

  generate
    if (CUSTOMERS) begin : g_customers
      localparam int unsigned INDEX_BITS = QUEUE_BITS - 3;

      logic [INDEX_BITS-1:0] read_index;
      logic [INDEX_BITS-1:0] write_index;
      logic here;
      assign read_index = access_start ? INDEX_BITS'(access_index) : asked_queue[QUEUE_BITS-1:3];
      assign write_index = state == CLEAR ? clear_queue[QUEUE_BITS-1:3] : INDEX_BITS'(access_index);
      assign here = state == ACCESS && access_write;

      logic [20:0] depth_old;
      sluice_ram #(
          .WIDTH(21),
          .ADDRESS_BITS(INDEX_BITS)
      ) depths (
          .clk,
          .write_enable(state == CLEAR || (here && !access_field)),
          .write_address(write_index),
          .write_data(state == CLEAR ? '0 : access_data[23:3]),
          .read_enable(queue_read || access_start),
          .read_address(read_index),
          .read_data(depth_old)
      );
      assign own_depth = {depth_old, 3'd0};

      if (CODEL) begin : g_codel_words
        sluice_ram #(
            .WIDTH(32),
            .ADDRESS_BITS(INDEX_BITS)
        ) codel_words (
            .clk,
            .write_enable(state == CLEAR || (here && access_field)),
            .write_address(write_index),
            .write_data(state == CLEAR ? '0 : access_data),
            .read_enable(queue_read || access_start),
            .read_address(read_index),
            .read_data(own_codel)
        );
      end else begin : g_no_codel_words
        assign own_codel = '0;
      end
    end else begin : g_no_customers
      assign own_depth = '0;
      assign own_codel = '0;
    end
  endgenerate

  // Indexes beyond the build have been refused by the registers; the rest is for what a build has not.
  logic unused_access;
  assign unused_access = &{1'b0, access_write, access_index, access_data};

  logic [LENGTH_BITS-1:0] length_old;
  logic [ BLOCK_BITS-1:0] next_old;

  // Two memories: a push writes the new descriptor's length and the old last one's successor.
  sluice_ram #(
      .WIDTH(LENGTH_BITS),
      .ADDRESS_BITS(BLOCK_BITS)
  ) lengths (
      .clk,
      .write_enable(state == PUSH),
      .write_address(block),
      .write_data(length),
      .read_enable(state == HEAD),
      .read_address(first),
      .read_data(length_old)
  );

  sluice_ram #(
      .WIDTH(BLOCK_BITS),
      .ADDRESS_BITS(BLOCK_BITS)
  ) nexts (
      .clk,
      .write_enable(state == PUSH && !over && bytes != '0),
      .write_address(last),
      .write_data(block),
      .read_enable(state == HEAD),
      .read_address(first),
      .read_data(next_old)
  );

  generate
    if (CODEL) begin : g_codel
      sluice_codel #(
          .QUEUE_BITS(QUEUE_BITS),
          .BYTES_BITS(BYTES_BITS),
          .LENGTH_BITS(LENGTH_BITS),
          .MTU_BYTES(CODEL_MTU_BYTES)
      ) codel (
          .clk,
          .rst,
          .valid(state == AQM),
          .queue,
          .queue_bytes(bytes),
          .packet_bytes(head_length),
          .rate(pop_rate),
          .done(codel_done),
          .drop(codel_drop),
          .target,
          .interval,
          .tick
      );
    end else begin : g_no_codel
      assign codel_done = 1'b1;
      assign codel_drop = 1'b0;
      logic unused;
      assign unused = &{1'b0, pop_rate, tick, target, interval};
    end
  endgenerate

  logic dropping;

  always_ff @(posedge clk) begin
    pop_done <= 1'b0;
    drop_valid <= 1'b0;
    over_depth <= 1'b0;
    codel_dropped <= 1'b0;
    access_done <= 1'b0;
    case (state)
      CLEAR: begin
        clear_queue <= clear_queue + 1'b1;
        if (&clear_queue) begin
          state <= IDLE;
          busy  <= 1'b0;
        end
      end
      IDLE:
      if (access_start) begin
        state <= ACCESS;
        // A pop that was just answered is still held for one clock.
      end else if (push_ready || (pop_valid && !pop_done)) begin
        state <= LOAD;
        pushing <= push_ready;
        push_next <= !push_ready;
        queue <= asked_queue;
        length <= push_length;
        block <= push_block;
      end
      LOAD: begin
        {first, last, bytes} <= queue_old;
        word <= word_old;
        depth <= own_depth == '0 ? depth_bytes[queue[2:0]] : own_depth;
        {interval, target} <= own_codel == '0 ? {interval_ticks[queue[2:0]], target_ticks[queue[2:0]]} : own_codel;
        state <= pushing ? PUSH : HEAD;
      end
      PUSH: begin
        drop_valid <= over;
        drop_block <= block;
        over_depth <= over;
        state <= IDLE;
      end
      HEAD: begin
        state <= HEAD_LOAD;
        if (bytes == '0) begin
          pop_done <= 1'b1;
          pop_found <= 1'b0;
          state <= IDLE;
        end
      end
      HEAD_LOAD: begin
        head_length <= length_old;
        head_next <= next_old;
        state <= AQM;
      end
      AQM:
      if (codel_done) begin
        dropping <= codel_drop;
        state <= POP;
      end
      ACCESS: begin
        access_done <= 1'b1;
        access_result <= access_field ? own_codel : 32'(own_depth);
        state <= IDLE;
      end
      default: begin  // POP
        first <= head_next;
        bytes <= bytes - BYTES_BITS'(head_length);
        word  <= word_write ? word_new : word;
        drop_valid <= dropping;
        drop_block <= first;
        codel_dropped <= dropping;
        pop_found <= 1'b1;
        pop_length <= head_length;
        pop_block <= first;
        pop_done <= !dropping;
        state <= dropping ? HEAD : IDLE;
      end
    endcase
    if (rst) begin
      state <= CLEAR;
      clear_queue <= '0;
      busy <= 1'b1;
      push_next <= 1'b0;
      pop_done <= 1'b0;
      drop_valid <= 1'b0;
      over_depth <= 1'b0;
      codel_dropped <= 1'b0;
      access_done <= 1'b0;
    end
  end
endmodule
