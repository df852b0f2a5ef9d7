// The register map behind a Wishbone slave (classic cycles, 32-bit words, byte addresses). An
// access is answered when it has been done. A read of no register gives 0xcafebabe; a write there
// does nothing. An access that is not a whole aligned word ends with an error.
module sluice_registers
  import sluice_registers_pkg::*;
#(
    parameter int unsigned QUEUE_BITS = 18,
    parameter int unsigned LEVELS = 3,
    parameter bit CODEL = 1'b1,
    parameter int unsigned MTU_BYTES = 1600,
    parameter int unsigned TICK_CLOCKS = 1248,
    parameter int unsigned CLOCK_KHZ = 220000,
    parameter int unsigned LARGE_BLOCKS = 16384,
    parameter int unsigned SMALL_BLOCKS = 4096
) (
    input  logic                  clk,
    input  logic                  rst,
    input  logic                  busy,
    input  logic                  wb_cyc,
    input  logic                  wb_stb,
    input  logic                  wb_we,
    input  logic [           3:0] wb_sel,
    input  logic [          31:0] wb_adr,
    input  logic [          31:0] wb_dat_w,
    output logic [          31:0] wb_dat_r,
    output logic                  wb_ack,
    output logic                  wb_err,
    output logic [          23:0] depth_bytes   [8],
    output logic [          15:0] target_ticks  [8],
    output logic [          15:0] interval_ticks[8],
    output logic [          14:0] bucket_bytes  [3],
    // To the scheduler.
    output logic                  access_valid,
    output logic                  access_write,
    output logic [           1:0] access_field,    // 0 rate, 1 burst, 2 classes
    output logic [           1:0] access_level,
    output logic [          17:0] access_index,
    output logic [          31:0] access_data,
    input  logic                  access_done,
    input  logic [          31:0] access_result,
    // To what the queues have of their customers: field 0 the depth, 1 CoDel's word.
    output logic                  own_valid,
    output logic                  own_field,
    input  logic                  own_done,
    input  logic [          31:0] own_result,
    output logic                  select_valid,
    output logic [QUEUE_BITS-1:0] select_queue,
    input  logic                  select_done,
    input  logic [          63:0] snapshot,
    // One clock for each packet, in the order of the registers STAT_*.
    input  logic [           6:0] events
);
  localparam int unsigned QUEUES = 2 ** QUEUE_BITS;
  localparam int unsigned CUSTOMERS = QUEUE_BITS > 3 ? QUEUES / 8 : 1;
  localparam int unsigned TREES = QUEUE_BITS > 9 ? QUEUES / 512 : 1;
  localparam int unsigned PORTS = QUEUE_BITS > 15 ? QUEUES / 32768 : 1;
  localparam int unsigned BUCKET_BITS = 15;
  localparam bit OWN = LEVELS == 3 && CODEL;

  typedef enum logic [1:0] {
    IDLE,
    ACCESS,
    SELECT
  } state_t;

  state_t state;
  logic ask;
  logic [31:0] store_words[4];
  logic [31:0] statistics[7];
  logic selected;
  logic [BUCKET_BITS-1:0] bucket_value;
  logic [31:0] word;

  // Whether the address is a register of an array, of which the build has `built`.
  function automatic logic in_array(input logic [31:0] address, input logic [31:0] base,
                                  input int unsigned built);
    return address >= base && address - base < 32'(4 * built);
  endfunction

  function automatic logic [17:0] index_in(input logic [31:0] address, input logic [31:0] base);
    return 18'((address - base) >> 2);
  endfunction

  // What the address stands for in the scheduler.
  logic to_scheduler;
  logic [1:0] to_field;
  logic [1:0] to_level;
  logic [17:0] to_index;
  always_comb begin
    to_scheduler = 1'b0;
    to_field = 2'd0;
    to_level = 2'd0;
    to_index = '0;
    if (LEVELS == 1 && in_array(wb_adr, QUEUE_RATE, QUEUES)) begin
      to_scheduler = 1'b1;
      to_index = index_in(wb_adr, QUEUE_RATE);
    end
    if (LEVELS == 3) begin
      if (in_array(wb_adr, CUSTOMER_RATE, CUSTOMERS)) begin
        to_scheduler = 1'b1;
        to_index = index_in(wb_adr, CUSTOMER_RATE);
      end
      if (in_array(wb_adr, CUSTOMER_BURST, CUSTOMERS)) begin
        to_scheduler = 1'b1;
        to_field = 2'd1;
        to_index = index_in(wb_adr, CUSTOMER_BURST);
      end
      if (in_array(wb_adr, CUSTOMER_CLASSES, CUSTOMERS)) begin
        to_scheduler = 1'b1;
        to_field = 2'd2;
        to_index = index_in(wb_adr, CUSTOMER_CLASSES);
      end
      if (in_array(wb_adr, TREE_RATE, TREES)) begin
        to_scheduler = 1'b1;
        to_level = 2'd1;
        to_index = index_in(wb_adr, TREE_RATE);
      end
      if (in_array(wb_adr, PORT_RATE, PORTS)) begin
        to_scheduler = 1'b1;
        to_level = 2'd2;
        to_index = index_in(wb_adr, PORT_RATE);
      end
    end
  end

  logic to_own;
  logic to_own_codel;
  logic [31:0] own_base;
  assign to_own_codel = OWN && in_array(wb_adr, CUSTOMER_CODEL, CUSTOMERS);
  assign to_own = OWN && (to_own_codel || in_array(wb_adr, CUSTOMER_DEPTH, CUSTOMERS));
  assign own_base = to_own_codel ? CUSTOMER_CODEL : CUSTOMER_DEPTH;

  // The bucket size registers of the levels that are built.
  logic to_bucket;
  logic [1:0] to_bucket_level;
  always_comb begin
    to_bucket = 1'b0;
    to_bucket_level = 2'd0;
    if (LEVELS == 1 && wb_adr == QUEUE_BUCKET) to_bucket = 1'b1;
    if (LEVELS == 3) begin
      if (wb_adr == CUSTOMER_BUCKET) to_bucket = 1'b1;
      if (wb_adr == TREE_BUCKET) begin
        to_bucket = 1'b1;
        to_bucket_level = 2'd1;
      end
      if (wb_adr == PORT_BUCKET) begin
        to_bucket = 1'b1;
        to_bucket_level = 2'd2;
      end
    end
  end

  // A bucket size too large becomes the largest: cut off, it would become a small one.
  assign bucket_value = wb_dat_w >> BUCKET_BITS == '0 ? wb_dat_w[BUCKET_BITS-1:0] : '1;

  assign ask = wb_cyc && wb_stb && !wb_ack && !wb_err;
  assign access_valid = state == ACCESS && to_scheduler;
  assign own_valid = state == ACCESS && to_own;
  assign own_field = to_own_codel;
  assign access_write = wb_we;
  assign access_field = to_field;
  assign access_level = to_level;
  assign access_index = to_own ? index_in(wb_adr, own_base) : to_index;
  assign access_data = to_field == 2'd1 ? 32'(bucket_value) : wb_dat_w;
  assign select_valid = state == SELECT;
  assign select_queue = wb_dat_w[QUEUE_BITS-1:0];

  // Registers that are read at once.
  always_comb begin
    word = STRAY_READ;
    if (in_array(wb_adr, DEPTH_LIMIT, DEPTH_LIMIT_COUNT)) word = 32'(depth_bytes[wb_adr[4:2]]);
    if (to_bucket) word = 32'(bucket_bytes[to_bucket_level]);
    if (wb_adr == COUNTER_LOW && selected) word = snapshot[31:0];
    if (wb_adr == COUNTER_HIGH && selected) word = snapshot[63:32];
    if (in_array(wb_adr, STORE_WORD, STORE_WORD_COUNT)) word = store_words[wb_adr[3:2]];
    if (wb_adr == CORE_ID) word = CORE_ID_RESET;
    if (wb_adr == CORE_GEOMETRY) word = {13'd0, OWN, LEVELS == 3, CODEL, 6'd0, 2'(LEVELS), 3'd0, 5'(QUEUE_BITS)};
    if (wb_adr == CORE_TICK) word = {16'(MTU_BYTES), 16'(TICK_CLOCKS)};
    if (wb_adr == CORE_CLOCK) word = CLOCK_KHZ;
    if (wb_adr == CORE_LARGE_BLOCKS) word = LARGE_BLOCKS;
    if (wb_adr == CORE_SMALL_BLOCKS) word = SMALL_BLOCKS;
    if (CODEL) begin
      if (in_array(wb_adr, CODEL_TARGET, CODEL_TARGET_COUNT)) word = 32'(target_ticks[wb_adr[4:2]]);
      if (in_array(wb_adr, CODEL_INTERVAL, CODEL_INTERVAL_COUNT)) word = 32'(interval_ticks[wb_adr[4:2]]);
    end
    for (int unsigned s = 0; s < 7; s++) begin
      if (wb_adr == STAT_RECEIVED + 32'(4 * s)) word = statistics[s];
    end
  end

  always_ff @(posedge clk) begin
    wb_ack <= 1'b0;
    wb_err <= 1'b0;
    case (state)
      IDLE:
      if (ask) begin
        if (wb_sel != 4'hf || wb_adr[1:0] != 2'd0) begin
          wb_err <= 1'b1;
        end else if (to_scheduler || to_own) begin
          // The memories cannot be reached while they are being filled.
          if (!busy) state <= ACCESS;
        end else if (wb_we && wb_adr == COUNTER_SELECT) begin
          if (wb_dat_w >> QUEUE_BITS != '0) begin
            selected <= 1'b0;
            wb_ack   <= 1'b1;
          end else if (!busy) begin
            state <= SELECT;
          end
        end else begin
          wb_ack   <= 1'b1;
          wb_dat_r <= word;
          if (wb_we) begin
            if (in_array(wb_adr, DEPTH_LIMIT, DEPTH_LIMIT_COUNT)) begin
              depth_bytes[wb_adr[4:2]] <= {wb_dat_w[23:3], 3'd0};
            end
            if (to_bucket) bucket_bytes[to_bucket_level] <= bucket_value;
            if (in_array(wb_adr, STORE_WORD, STORE_WORD_COUNT)) store_words[wb_adr[3:2]] <= wb_dat_w;
            if (CODEL && in_array(wb_adr, CODEL_TARGET, CODEL_TARGET_COUNT)) begin
              target_ticks[wb_adr[4:2]] <= wb_dat_w[15:0];
            end
            if (CODEL && in_array(wb_adr, CODEL_INTERVAL, CODEL_INTERVAL_COUNT)) begin
              interval_ticks[wb_adr[4:2]] <= wb_dat_w[15:0];
            end
          end
        end
      end
      ACCESS:
      if (access_done || own_done) begin
        wb_ack <= 1'b1;
        wb_dat_r <= own_done ? own_result : access_result;
        state <= IDLE;
      end
      default:  // SELECT
      if (select_done) begin
        selected <= 1'b1;
        wb_ack <= 1'b1;
        state <= IDLE;
      end
    endcase
    for (int unsigned s = 0; s < 7; s++) begin
      statistics[s] <= statistics[s] + 32'(events[s]);
    end
    if (rst) begin
      state <= IDLE;
      wb_ack <= 1'b0;
      wb_err <= 1'b0;
      selected <= 1'b0;
      for (int unsigned i = 0; i < 8; i++) begin
        depth_bytes[i] <= 24'd128 << i;
        target_ticks[i] <= CODEL_TARGET_RESET[15:0];
        interval_ticks[i] <= CODEL_INTERVAL_RESET[15:0];
      end
      for (int unsigned l = 0; l < 3; l++) bucket_bytes[l] <= CUSTOMER_BUCKET_RESET[14:0];
      for (int unsigned i = 0; i < 4; i++) store_words[i] <= STORE_WORD_RESET;
      for (int unsigned s = 0; s < 7; s++) statistics[s] <= '0;
    end
  end
endmodule
