// Lets packets go. LEVELS = 0: every queue that holds a packet sends one, in turn. LEVELS = 1: each
// queue has a token bucket. LEVELS = 3: each customer, tree and port has one, a customer's classes
// share its bucket as its word in CUSTOMER_CLASSES says, and a packet leaves when all three buckets
// have the tokens of one MTU; its own length is taken from each.
//
// Classes with a share take turns of share * QUANTUM bytes (deficit round robin): what a turn took
// too much is missing in the class's next one. What a class does not use in its turn is lost.
//
// Groups come from the search one a clock and are judged four clocks later. One that may send
// stops the search: those behind it were judged by tokens that it is about to take. After its
// packet it is asked again, so that a rate of more than one packet a round can be kept; how many packets leave
// in a row is bounded by the bucket size.
module sluice_scheduler
  import sluice_search_pkg::*;
#(
    parameter int unsigned QUEUE_BITS = 18,
    parameter int unsigned LENGTH_BITS = 12,
    parameter int unsigned BLOCK_BITS = 15,
    parameter int unsigned LEVELS = 3,
    parameter int unsigned MTU_BYTES = 1600,
    parameter int unsigned GROUP_BITS = LEVELS == 3 ? 3 : 0
) (
    input  logic                             clk,
    input  logic                             rst,
    output logic                             busy,
    input  logic [                     20:0] tick,
    input  logic                             found,
    output logic                             found_ready,
    input  place_t                           found_place,
    input  logic [QUEUE_BITS-GROUP_BITS-1:0] found_group,
    input  logic [        2**GROUP_BITS-1:0] found_queues,
    output logic                             go,
    output go_on_t                           go_on,
    output place_t                           go_place,
    output logic [QUEUE_BITS-GROUP_BITS-1:0] go_group,
    output logic                             break_tree,
    output logic                             break_port,
    output logic                             pop_valid,
    output logic [           QUEUE_BITS-1:0] pop_queue,
    output logic [                     17:0] pop_rate,
    input  logic                             pop_done,
    input  logic                             pop_found,
    input  logic [          LENGTH_BITS-1:0] pop_length,
    input  logic [           BLOCK_BITS-1:0] pop_block,
    // The packet to send; room tells ahead that the next one will be taken.
    input  logic                             send_room,
    output logic                             send_valid,
    output logic [           QUEUE_BITS-1:0] send_queue,
    output logic [          LENGTH_BITS-1:0] send_length,
    output logic [           BLOCK_BITS-1:0] send_block,
    // Rate words and bursts: held until access_done. Levels are numbered 0 .. LEVELS-1.
    input  logic                             access_valid,
    input  logic                             access_write,
    input  logic [                      1:0] access_field,
    input  logic [                      1:0] access_level,
    input  logic [                     17:0] access_index,
    input  logic [                     31:0] access_data,
    output logic                             access_done,
    output logic [                     31:0] access_result,
    input  logic [                     14:0] bucket_bytes [3]
);
  localparam int unsigned BUCKET_LEVELS = LEVELS == 0 ? 1 : LEVELS;
  localparam int unsigned GROUP_SIZE = 2 ** GROUP_BITS;
  localparam int unsigned CLASS_BITS = GROUP_BITS == 0 ? 1 : GROUP_BITS;
  // Bytes of a turn of share 1; no debt is larger.
  localparam int unsigned QUANTUM_BITS = 11;
  localparam logic [3:0] FIRST = 4'd15;
  localparam int unsigned STAGES = 4;

  typedef enum logic [1:0] {
    SEARCH,
    POP,
    SPEND,
    ACCESS
  } state_t;

  typedef struct packed {
    place_t place;
    logic [QUEUE_BITS-GROUP_BITS-1:0] group;
    logic [GROUP_SIZE-1:0] queues;
  } candidate_t;

  // A customer's turns: whose it is, how many bytes are left of it, what each class took too much.
  typedef struct packed {
    logic [GROUP_SIZE-1:0][QUANTUM_BITS-1:0] debts;
    logic signed [16:0] credit;
    logic [CLASS_BITS-1:0] at;
  } turns_t;

  state_t state;
  candidate_t stages[1:STAGES];
  logic [STAGES:1] valid;
  logic [STAGES:1] accessing;
  logic access_start;
  logic access_now;

  logic [2:0] level_busy;
  logic [2:0] passes;
  logic signed [16:0] tokens[3];
  logic [20:0] tokens_tick[3];
  logic [17:0] rates[3];
  logic [14:0] bursts[3];
  logic [31:0] classes;
  turns_t turns;

  place_t taken_place;
  logic [QUEUE_BITS-GROUP_BITS-1:0] taken_group;
  logic signed [16:0] taken_tokens[3];
  logic [20:0] taken_tick[3];
  logic [CLASS_BITS-1:0] taken_class;
  turns_t taken_turns;
  logic taken_share;
  turns_t spent_turns;
  logic signed [16:0] left[3];
  logic [2:0] exhausted;
  logic judge;
  logic accept;
  logic skip;

  assign judge = state == SEARCH && valid[STAGES];
  assign accept = judge && (&passes);
  assign skip = judge && !(&passes[2:1]);
  assign found_ready = state == SEARCH && !access_valid && send_room && !accept && !skip && !go;
  // Registers are reached when nothing is being judged, so that a judgement never rests on half a
  // change.
  assign access_start = state == SEARCH && access_valid && !access_done && valid == '0;
  assign access_now = state == ACCESS && accessing[STAGES];

  // The class to serve: the highest of those before all others; or the one whose turn it is, as long as it has bytes left; or
  // the next one that holds a packet.
  logic [CLASS_BITS-1:0] next_class;
  turns_t next_turns;
  logic next_share;
  generate
    if (GROUP_BITS > 0) begin : g_class
      always_comb begin
        logic first;
        first = 1'b0;
        next_class = turns.at;
        next_turns = turns;
        if (!(stages[STAGES].queues[turns.at] && turns.credit > 0 && classes[4*turns.at+:4] != '0)) begin
          for (int unsigned k = GROUP_SIZE; k >= 1; k--) begin
            if (stages[STAGES].queues[GROUP_BITS'(32'(turns.at)+k)]) begin
              next_class = GROUP_BITS'(32'(turns.at) + k);
            end
          end
          next_turns.credit = 17'({classes[4*next_class+:4], QUANTUM_BITS'(0)}) - 17'(turns.debts[next_class]);
          next_turns.debts[next_class] = '0;
        end
        next_turns.at = next_class;
        for (int unsigned c = 0; c < GROUP_SIZE; c++) begin
          if (stages[STAGES].queues[c] && classes[4*c+:4] == FIRST) begin
            next_class = GROUP_BITS'(c);
            first = 1'b1;
          end
        end
        if (first) next_turns = turns;
        next_share = !first && classes[4*next_class+:4] != '0;
      end
      assign pop_queue = {taken_group, taken_class};

      // The turns when the packet has been sent.
      always_comb begin
        logic signed [16:0] credit;
        credit = taken_turns.credit - $signed(17'(send_length));
        spent_turns = taken_turns;
        if (taken_share) begin
          spent_turns.credit = credit;
          if (credit <= 0) begin
            spent_turns.debts[taken_class] = -credit > 17'($signed({1'b0, {QUANTUM_BITS{1'b1}}})) ? '1 : QUANTUM_BITS'(-credit);
          end
        end
      end
    end else begin : g_no_class
      assign next_class = '0;
      assign next_turns = '0;
      assign next_share = 1'b0;
      assign spent_turns = '0;
      assign pop_queue  = taken_group;
    end
  endgenerate

  for (genvar l = 0; l < 3; l++) begin : g_level
    if (l < LEVELS) begin : g_buckets
      // Queue, or customer, tree and port: a higher level drops six bits of the index.
      localparam int unsigned ALL_BITS = QUEUE_BITS - GROUP_BITS;
      localparam int unsigned SHIFT = 6 * l;
      localparam int unsigned INDEX_BITS = ALL_BITS > SHIFT ? ALL_BITS - SHIFT : 1;
      localparam int unsigned NOTE_BITS = l == 0 && GROUP_BITS > 0 ? $bits(turns_t) : 1;

      logic [INDEX_BITS-1:0] index;
      logic [INDEX_BITS-1:0] write_index;
      logic [NOTE_BITS-1:0] note;
      logic [NOTE_BITS-1:0] new_note;
      logic here;

      assign here = access_now && access_write && 32'(access_level) == l;
      assign index = state == SEARCH && !access_start ? INDEX_BITS'(32'(found_group) >> SHIFT)
          : INDEX_BITS'(access_index);
      assign write_index = state == SPEND ? INDEX_BITS'(32'(taken_group) >> SHIFT) : INDEX_BITS'(access_index);
      logic [31:0] own_classes;
      if (l == 0) begin : g_classes
        assign classes = own_classes;
      end else begin : g_no_classes
        logic unused;
        assign unused = &{1'b0, own_classes};
      end
      if (l == 0 && GROUP_BITS > 0) begin : g_note
        assign new_note = state == SPEND ? spent_turns : note;
        assign turns = note;
      end else begin : g_no_note
        assign new_note = note;
        if (l == 0) begin : g_no_turns
          assign turns = '0;
        end
      end

      sluice_token_buckets #(
          .INDEX_BITS(INDEX_BITS),
          .OWN_BURST(l == 0 && LEVELS == 3),
          .MTU_BYTES(MTU_BYTES),
          .NOTE_BITS(NOTE_BITS)
      ) buckets (
          .clk,
          .rst,
          .busy(level_busy[l]),
          .tick,
          .bucket_bytes(bucket_bytes[l]),
          .index,
          .tokens(tokens[l]),
          .tokens_tick(tokens_tick[l]),
          .rate(rates[l]),
          .burst(bursts[l]),
          .classes(own_classes),
          .note,
          .passes(passes[l]),
          .write_tokens(state == SPEND || here),
          .write_index,
          .new_tokens(state == SPEND ? left[l] : tokens[l]),
          .new_tick(state == SPEND ? taken_tick[l] : tokens_tick[l]),
          .new_note,
          .write_rate(here),
          .new_rate(access_field == 2'd0 ? access_data[17:0] : rates[l]),
          .new_burst(access_field == 2'd1 ? access_data[14:0] : bursts[l]),
          .new_classes(access_field == 2'd2 ? access_data : own_classes)
      );
    end else begin : g_no_buckets
      assign level_busy[l] = 1'b0;
      assign passes[l] = 1'b1;
      assign tokens[l] = '0;
      assign tokens_tick[l] = '0;
      assign rates[l] = '0;
      assign bursts[l] = '0;
      if (l == 0) begin : g_no_class
        assign classes = '0;
        assign turns = '0;
      end
    end
    assign exhausted[l] = l < LEVELS && left[l] < $signed(17'(MTU_BYTES));
  end

  // Indexes beyond the build have been refused by the registers; the rest is for what a build has not.
  logic unused;
  assign unused = &{1'b0, access_index, access_write, access_data, access_field, tick, classes, turns, taken_class,
      taken_share, taken_turns, spent_turns, bucket_bytes[0], taken_tick[0], taken_tick[1], taken_tick[2]};

  assign busy = |level_busy;
  assign pop_valid = state == POP;
  assign send_queue = pop_queue;

  always_ff @(posedge clk) begin
    valid <= {valid[STAGES-1:1], found && found_ready};
    accessing <= {accessing[STAGES-1:1], access_start};
    stages[1] <= '{place: found_place, group: found_group, queues: found_queues};
    for (int unsigned s = 2; s <= STAGES; s++) stages[s] <= stages[s-1];
    go <= 1'b0;
    break_tree <= 1'b0;
    break_port <= 1'b0;
    send_valid <= 1'b0;
    access_done <= 1'b0;
    case (state)
      SEARCH: begin
        if (accept) begin
          state <= POP;
          valid <= '0;
          taken_place <= stages[STAGES].place;
          taken_group <= stages[STAGES].group;
          taken_tokens <= tokens;
          taken_tick <= tokens_tick;
          taken_class <= next_class;
          taken_turns <= next_turns;
          taken_share <= next_share;
          pop_rate <= rates[0];
        end else if (skip) begin
          valid <= '0;
          go <= 1'b1;
          go_on <= passes[2] ? NEXT_TREE : NEXT_PORT;
          go_place <= stages[STAGES].place;
          go_group <= stages[STAGES].group;
        end else if (access_start) begin
          state <= ACCESS;
        end
      end
      POP:
      if (pop_done) begin
        send_length <= pop_length;
        send_block <= pop_block;
        send_valid <= pop_found;
        for (int unsigned l = 0; l < 3; l++) begin
          left[l] <= taken_tokens[l] - $signed(17'(pop_length));
        end
        state <= SPEND;
        if (!pop_found) begin
          state <= SEARCH;
          go <= 1'b1;
          go_on <= NEXT_GROUP;
          go_place <= taken_place;
          go_group <= taken_group;
        end
      end
      SPEND: begin
        state <= SEARCH;
        go <= 1'b1;
        go_place <= taken_place;
        go_group <= taken_group;
        go_on <= exhausted[2] ? NEXT_PORT : exhausted[1] ? NEXT_TREE
            : exhausted[0] || LEVELS == 0 ? NEXT_GROUP : AGAIN;
        break_port <= exhausted[2];
        break_tree <= exhausted[2] || exhausted[1];
      end
      default:  // ACCESS
      if (access_now) begin
        state <= SEARCH;
        access_done <= 1'b1;
        access_result <= '0;
        if (access_field == 2'd2) access_result <= classes;
        else for (int unsigned l = 0; l < BUCKET_LEVELS; l++) begin
          if (32'(access_level) == l) access_result <= access_field == 2'd1 ? 32'(bursts[l]) : 32'(rates[l]);
        end
      end
    endcase
    if (rst) begin
      state <= SEARCH;
      valid <= '0;
      accessing <= '0;
      go <= 1'b0;
      break_tree <= 1'b0;
      break_port <= 1'b0;
      send_valid <= 1'b0;
      access_done <= 1'b0;
    end
  end
endmodule
