// The token buckets of one level. Nothing updates a bucket that nobody asks for: it keeps its
// tokens with the tick of its last update, and a question credits (now - then) * rate, at most the
// bucket size. A question takes four clocks, and one may be put in every clock.
//
// Tokens are bytes and may be below 0: a packet longer than MTU_BYTES is charged in full.
module sluice_token_buckets #(
    parameter int unsigned INDEX_BITS = 15,
    parameter bit OWN_BURST = 1'b0,       // each bucket may have a size of its own, and classes
    parameter int unsigned MTU_BYTES = 1600,
    parameter int unsigned NOTE_BITS = 1  // kept with the tokens for the scheduler
) (
    input  logic                  clk,
    input  logic                  rst,
    output logic                  busy,            // the memories are being filled
    input  logic [          20:0] tick,
    input  logic [          14:0] bucket_bytes,
    input  logic [INDEX_BITS-1:0] index,
    // Four clocks after the index: the bucket as it was when asked.
    output logic signed [   16:0] tokens,
    output logic [          20:0] tokens_tick,
    output logic [          17:0] rate,
    output logic [          14:0] burst,
    output logic [          31:0] classes,
    output logic [ NOTE_BITS-1:0] note,
    output logic                  passes,          // open, and tokens for a packet
    input  logic                  write_tokens,
    input  logic [INDEX_BITS-1:0] write_index,
    input  logic signed [   16:0] new_tokens,
    input  logic [          20:0] new_tick,
    input  logic [ NOTE_BITS-1:0] new_note,
    input  logic                  write_rate,
    input  logic [          17:0] new_rate,
    input  logic [          14:0] new_burst,
    input  logic [          31:0] new_classes
);
  localparam int unsigned STATE_BITS = NOTE_BITS + 17 + 21;
  localparam int unsigned OWN_BITS = OWN_BURST ? 15 + 32 : 0;
  localparam logic [17:0] RESET_RATE = 18'd1;
  // More than any bucket can miss: the bucket size and the deepest debt, a packet of 64 KiB.
  localparam logic [38:0] MOST_CREDIT = 39'd98303;

  logic [INDEX_BITS-1:0] clear_index;
  logic [STATE_BITS-1:0] state_old;
  logic [18+OWN_BITS-1:0] rate_old;
  logic [18+OWN_BITS-1:0] rate_new;

  sluice_ram #(
      .WIDTH(STATE_BITS),
      .ADDRESS_BITS(INDEX_BITS)
  ) states (
      .clk,
      .write_enable(busy || write_tokens),
      .write_address(busy ? clear_index : write_index),
      .write_data(busy ? {NOTE_BITS'(0), 17'd0, tick} : {new_note, new_tokens, new_tick}),
      .read_enable(1'b1),
      .read_address(index),
      .read_data(state_old)
  );

  generate
    if (OWN_BURST) begin : g_own_burst
      assign rate_new = busy ? {47'd0, RESET_RATE} : {new_classes, new_burst, new_rate};
    end else begin : g_level_burst
      assign rate_new = busy ? RESET_RATE : new_rate;
      logic unused;
      assign unused = &{1'b0, new_burst, new_classes};
    end
  endgenerate

  sluice_ram #(
      .WIDTH(18 + OWN_BITS),
      .ADDRESS_BITS(INDEX_BITS)
  ) rates (
      .clk,
      .write_enable(busy || write_rate),
      .write_address(busy ? clear_index : write_index),
      .write_data(rate_new),
      .read_enable(1'b1),
      .read_address(index),
      .read_data(rate_old)
  );

  // Clock 2: elapsed time. Clock 3: product. Clock 4: sum and limit.
  logic [NOTE_BITS-1:0] note_2, note_3;
  logic signed [16:0] tokens_2, tokens_3;
  logic [20:0] tick_2, tick_3;
  logic [20:0] elapsed_2;
  logic [17:0] rate_2, rate_3;
  logic [14:0] burst_old, burst_2, burst_3;
  logic [31:0] classes_old, classes_2, classes_3;
  logic [38:0] product_3;
  logic signed [19:0] sum;
  logic signed [19:0] limit;

  generate
    if (OWN_BURST) begin : g_read_burst
      assign {classes_old, burst_old} = rate_old[64:18];
    end else begin : g_no_burst
      assign {classes_old, burst_old} = 47'd0;
    end
  endgenerate

  assign sum = 20'(tokens_3)
      + (product_3 > MOST_CREDIT ? $signed({1'b0, MOST_CREDIT[18:0]}) : $signed({1'b0, product_3[18:0]}));
  assign limit = $signed({5'd0, burst_3 == '0 ? bucket_bytes : burst_3});

  always_ff @(posedge clk) begin
    {note_2, tokens_2} <= state_old[STATE_BITS-1:21];
    elapsed_2 <= tick - state_old[20:0];
    tick_2 <= tick;
    rate_2 <= rate_old[17:0];
    burst_2 <= burst_old;
    classes_2 <= classes_old;

    note_3 <= note_2;
    tokens_3 <= tokens_2;
    tick_3 <= tick_2;
    rate_3 <= rate_2;
    burst_3 <= burst_2;
    classes_3 <= classes_2;
    product_3 <= elapsed_2 * rate_2;

    note <= note_3;
    tokens <= sum > limit ? limit[16:0] : sum[16:0];
    tokens_tick <= tick_3;
    rate <= rate_3;
    burst <= burst_3;
    classes <= classes_3;

    if (busy) begin
      clear_index <= clear_index + 1'b1;
      if (&clear_index) busy <= 1'b0;
    end
    if (rst) begin
      busy <= 1'b1;
      clear_index <= '0;
    end
  end

  assign passes = rate != '0 && tokens >= $signed(17'(MTU_BYTES));
endmodule
