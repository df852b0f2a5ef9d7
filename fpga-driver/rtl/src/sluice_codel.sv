// CoDel (RFC 8289) for every queue. The delay is not measured: it is the fill level over the
// queue's configured rate, so that no packet needs a time. Instead of dividing, the fill level is
// compared with target * rate. Times are ticks of 24 bits; an idle or closed queue's times are
// moved along in the background, without effect on what is dropped, so that none is ever half the
// range old and mistaken for a future one.
//
// The RFC's, but for one thing: a queue from which nothing was taken for 16 intervals while it was
// dropping makes up for no drops.
//
// The step interval / sqrt(count) takes the root from a table of 256 counts; larger counts, up to
// 2047, use the entry of a quarter or a sixteenth of theirs, at most 0.8 % too long.
module sluice_codel #(
    parameter int unsigned QUEUE_BITS = 18,
    parameter int unsigned BYTES_BITS = 25,
    parameter int unsigned LENGTH_BITS = 12,
    parameter int unsigned MTU_BYTES = 1600  // a packet that leaves no more than this is not dropped
) (
    input  logic                   clk,
    input  logic                   rst,
    // Held with what follows until done, which comes with drop for one clock.
    input  logic                   valid,
    input  logic [ QUEUE_BITS-1:0] queue,
    input  logic [ BYTES_BITS-1:0] queue_bytes,  // with the packet in question
    input  logic [LENGTH_BITS-1:0] packet_bytes,
    input  logic [           17:0] rate,         // bytes a tick
    output logic                   done,
    output logic                   drop,
    input  logic [           15:0] target,       // ticks; 0: no CoDel for this queue
    input  logic [           15:0] interval,     // ticks
    input  logic [           23:0] tick
);
  localparam int unsigned COUNT_BITS = 11;
  // At least 16 of any interval: a drop that is so old is recent for no queue.
  localparam logic [23:0] OLD = 24'd1 << 20;

  typedef struct packed {
    logic dropping;
    // The delay has been over the target since a known time, and over_time is when that has
    // lasted an interval.
    logic over;
    logic [23:0] over_time;
    logic [23:0] next_drop;
    logic [COUNT_BITS-1:0] count;
    logic [COUNT_BITS-1:0] last_count;
  } queue_state_t;

  typedef enum logic [2:0] {
    CLEAR,
    IDLE,
    LOAD,
    JUDGE,
    ROOT,
    STEP,
    STORE,
    TEND
  } state_t;

  state_t state;
  logic tending;
  logic [QUEUE_BITS-1:0] clear_queue;
  logic [QUEUE_BITS-1:0] tended;
  logic [QUEUE_BITS-1:0] at;
  queue_state_t old;
  queue_state_t stored;
  queue_state_t next;
  queue_state_t tended_state;
  logic [33:0] limit_bytes;
  logic rest_over_mtu;
  logic over_target;
  logic due;
  logic [23:0] now;
  logic drop_now;
  logic step_needed;
  logic [23:0] step_base;
  logic [16:0] root;
  logic [16:0] step_ticks;
  logic write;
  queue_state_t write_data;

  // 65536 / sqrt(n), rounded down.
  function automatic logic [16:0] inverse_root(input int unsigned n);
    logic [63:0] square;
    logic [16:0] r;
    logic [16:0] trial;
    square = 64'd4294967296 / 64'(n == 0 ? 1 : n);
    r = '0;
    for (int b = 16; b >= 0; b--) begin
      trial = r;
      trial[b] = 1'b1;
      if (64'(trial) * 64'(trial) <= square) r = trial;
    end
    return r;
  endfunction

  logic [16:0] roots[256];
  initial for (int unsigned n = 0; n < 256; n++) roots[n] = inverse_root(n);

  logic [7:0] root_index;
  logic [2:0] root_shift;
  always_comb begin
    if (next.count[10]) begin
      root_index = {1'b0, next.count[10:4]};
      root_shift = 3'd2;
    end else if (|next.count[9:8]) begin
      root_index = next.count[9:2];
      root_shift = 3'd1;
    end else begin
      root_index = next.count[7:0];
      root_shift = 3'd0;
    end
  end

  // Later or the same, for times less than half the range apart.
  function automatic logic reached(input logic [23:0] time_now, input logic [23:0] time_then);
    return $signed(time_now - time_then) >= 24'sd0;
  endfunction

  assign at = state == IDLE && !valid ? tended : queue;
  assign write = state == CLEAR || state == STORE || state == TEND;
  always_comb begin
    write_data = next;
    if (step_needed) write_data.next_drop = step_base + 24'(step_ticks);
    if (state == TEND) write_data = tended_state;
    if (state == CLEAR) write_data = '0;
  end

  sluice_ram #(
      .WIDTH($bits(queue_state_t)),
      .ADDRESS_BITS(QUEUE_BITS)
  ) states (
      .clk,
      .write_enable(write),
      .write_address(state == CLEAR ? clear_queue : tending ? tended : queue),
      .write_data(write_data),
      .read_enable(state == IDLE),
      .read_address(at),
      .read_data(stored)
  );

  assign over_target = rest_over_mtu && rate != '0 && 34'(queue_bytes) >= limit_bytes;
  assign due = old.over && reached(now, old.over_time);

  // What RFC 8289 does with one packet at dequeue.
  logic [COUNT_BITS-1:0] gained;
  logic recent;
  logic [23:0] since_drop;
  queue_state_t judged;
  logic judged_drop;
  logic judged_step;
  logic [23:0] judged_base;
  always_comb begin
    gained = old.count - old.last_count;
    since_drop = now - old.next_drop;
    // A next drop in the future is recent, too.
    recent = since_drop[23] || since_drop < {4'd0, interval, 4'd0};
    judged = old;
    judged_drop = 1'b0;
    judged_step = 1'b0;
    judged_base = old.next_drop;
    if (!over_target) begin
      judged.over = 1'b0;
      judged.dropping = 1'b0;
    end else if (!old.over) begin
      judged.over = 1'b1;
      judged.over_time = now + 24'(interval);
      judged.dropping = 1'b0;
    end else if (old.dropping) begin
      if (reached(now, old.next_drop)) begin
        judged_drop = 1'b1;
        judged_step = 1'b1;
        // Not the drops of all the time in which a gate was closed.
        if (!recent) judged_base = now;
        judged.count = &old.count ? old.count : old.count + 1'b1;
      end
    end else if (due) begin
      judged_drop = 1'b1;
      judged_step = 1'b1;
      judged_base = now;
      judged.dropping = 1'b1;
      judged.count = gained > COUNT_BITS'(1) && recent ? gained : COUNT_BITS'(1);
      judged.last_count = judged.count;
    end
  end

  // Keeps times that are past from coming back as future ones.
  always_comb begin
    tended_state = old;
    if (old.over && reached(now, old.over_time)) tended_state.over_time = now;
    if (!since_drop[23] && since_drop >= OLD) tended_state.next_drop = now - OLD;
  end

  always_ff @(posedge clk) begin
    done <= 1'b0;
    case (state)
      CLEAR: begin
        clear_queue <= clear_queue + 1'b1;
        if (&clear_queue) state <= IDLE;
      end
      IDLE: begin
        now <= tick;
        tending <= !valid;
        rest_over_mtu <= queue_bytes - BYTES_BITS'(packet_bytes) > BYTES_BITS'(MTU_BYTES);
        limit_bytes <= 34'(target) * 34'(rate);
        if (valid && !done && target == '0) begin
          done <= 1'b1;
          drop <= 1'b0;
        end else if (!valid || !done) begin
          state <= LOAD;
        end
      end
      LOAD: begin
        old   <= stored;
        state <= tending ? TEND : JUDGE;
      end
      JUDGE: begin
        next <= judged;
        drop_now <= judged_drop;
        step_needed <= judged_step;
        step_base <= judged_base;
        state <= ROOT;
      end
      ROOT: begin
        root  <= roots[root_index] >> root_shift;
        state <= STEP;
        if (!step_needed) begin
          state <= STORE;
        end
      end
      STEP: begin
        step_ticks <= 17'((33'(interval) * 33'(root)) >> 16);
        state <= STORE;
      end
      STORE: begin
        done  <= 1'b1;
        drop  <= drop_now;
        state <= IDLE;
      end
      default: begin  // TEND
        tended <= tended + 1'b1;
        state  <= IDLE;
      end
    endcase
    if (rst) begin
      state <= CLEAR;
      clear_queue <= '0;
      tended <= '0;
      tending <= 1'b0;
      done <= 1'b0;
    end
  end
endmodule
