// Finds queues that hold packets, a window of 32 in a clock, round and round. What it offers is a
// group: one queue, or the 2^GROUP_BITS classes of a customer.
//
// With trees (HIERARCHY) the search visits port after port, a port's trees in a row, and a tree's
// 16 windows in a row. Trees and customers are visited from where the last visit was cut short by
// an empty bucket: otherwise the first ones would get everything. A visit that begins inside a
// window returns to that window's front at its end.
module sluice_search
  import sluice_search_pkg::*;
#(
    parameter int unsigned QUEUE_BITS = 18,
    parameter int unsigned GROUP_BITS = 3,
    parameter bit HIERARCHY = 1'b1
) (
    input  logic                             clk,
    input  logic                             rst,
    output logic                             busy,
    output logic                             scan_enable,
    output logic [           QUEUE_BITS-6:0] scan_window,
    input  logic [                     31:0] scan_bits,
    output logic                             found,
    input  logic                             found_ready,
    output place_t                           found_place,
    output logic [QUEUE_BITS-GROUP_BITS-1:0] found_group,
    output logic [        2**GROUP_BITS-1:0] found_queues,  // which of the group hold packets
    // Drops what has been found and goes on from a group that was found earlier.
    input  logic                             go,
    input  go_on_t                           go_on,
    input  place_t                           go_place,
    input  logic [QUEUE_BITS-GROUP_BITS-1:0] go_group,
    // With go: the next visit of the group's tree begins behind its customer, of its port behind
    // its tree.
    input  logic                             break_tree,
    input  logic                             break_port
);
  localparam int unsigned GROUP_SIZE = 2 ** GROUP_BITS;
  localparam int unsigned GROUPS = 32 / GROUP_SIZE;  // in a window
  localparam int unsigned SLOT_BITS = 5 - GROUP_BITS;
  localparam int unsigned STEP_BITS = HIERARCHY ? 4 : QUEUE_BITS - 5;
  localparam int unsigned PORTS = HIERARCHY && QUEUE_BITS > 15 ? 2 ** (QUEUE_BITS - 15) : 1;
  localparam int unsigned TREES = !HIERARCHY ? 1 : QUEUE_BITS > 15 ? 64 : 2 ** (QUEUE_BITS - 9);
  localparam int unsigned TREE_INDEX_BITS = HIERARCHY ? QUEUE_BITS - 9 : 1;
  localparam logic [13:0] WINDOWS = 14'(2 ** STEP_BITS);

  typedef enum logic [1:0] {
    CLEAR,
    PORT,
    TREE,
    WINDOW
  } state_t;

  state_t state;
  place_t place;
  logic tree_read;  // the tree's first group is at the memory's output
  logic [SLOT_BITS:0] floor;  // groups of the first window below this are left out
  logic [5:0] port_first[PORTS];
  logic [TREE_INDEX_BITS-1:0] clear_tree;

  logic advance;
  logic at_valid;
  place_t at;
  logic [SLOT_BITS:0] at_floor;
  logic [GROUPS-1:0] at_groups;
  logic [31:0] at_bits;
  logic at_done;
  logic [31:0] rest;
  place_t rest_place;
  logic [GROUPS-1:0] rest_groups;
  logic [SLOT_BITS-1:0] slot;
  logic [31:0] rest_after;
  logic last_window;
  logic [13:0] last_step;

  function automatic logic [5:0] tree_of(input logic [5:0] first_tree, input logic [5:0] step);
    return (first_tree + step) & 6'(TREES - 1);
  endfunction

  function automatic logic [TREE_INDEX_BITS-1:0] tree_index(
      input logic [2:0] port, input logic [5:0] first_tree, input logic [5:0] step);
    return TREE_INDEX_BITS'({port & 3'(PORTS - 1), 6'd0} | 9'(tree_of(first_tree, step)));
  endfunction

  function automatic logic [QUEUE_BITS-6:0] window_of(input place_t p);
    logic [31:0] in_tree;
    if (!HIERARCHY) return (QUEUE_BITS - 5)'(p.step);
    in_tree = 32'(p.first_group >> SLOT_BITS) + 32'(p.step);
    return (QUEUE_BITS - 5)'(32'(tree_index(p.port, p.first_tree, p.tree_step)) << 4 | (in_tree & 32'd15));
  endfunction

  // A tree's first group for the visit to come. While a tree is searched, that of the next one is
  // read, so that going on to it costs no clock.
  logic [5:0] tree_first;
  logic [5:0] next_step;
  logic [TREE_INDEX_BITS-1:0] broken_tree;
  assign next_step = state == WINDOW ? place.tree_step + 6'd1 : place.tree_step;

  generate
    if (HIERARCHY) begin : g_firsts
      assign broken_tree = TREE_INDEX_BITS'(32'(go_group) >> 6);
      sluice_ram #(
          .WIDTH(6),
          .ADDRESS_BITS(TREE_INDEX_BITS)
      ) tree_firsts (
          .clk,
          .write_enable(state == CLEAR || (go && break_tree)),
          .write_address(state == CLEAR ? clear_tree : broken_tree),
          .write_data(state == CLEAR ? 6'd0 : 6'(32'(go_group) + 32'd1)),
          .read_enable(1'b1),
          .read_address(tree_index(place.port, place.first_tree, next_step)),
          .read_data(tree_first)
      );
    end else begin : g_no_firsts
      assign tree_first = '0;
      assign broken_tree = '0;
      logic unused;
      assign unused = &{1'b0, break_tree, break_port, next_step, broken_tree, go_group, tree_of(place.first_tree, place.tree_step)};
    end
  endgenerate

  assign last_step = WINDOWS - (place.first_group[SLOT_BITS-1:0] == '0 || !HIERARCHY ? 14'd1 : 14'd0);
  assign last_window = place.step == last_step;

  always_comb begin
    for (int unsigned g = 0; g < GROUPS; g++) begin
      at_groups[g] = |scan_bits[g*GROUP_SIZE+:GROUP_SIZE] && 32'(at_floor) <= g;
      if (HIERARCHY && at.step == '0 && g < 32'(at.first_group[SLOT_BITS-1:0])) at_groups[g] = 1'b0;
      if (HIERARCHY && at.step == WINDOWS && g >= 32'(at.first_group[SLOT_BITS-1:0])) at_groups[g] = 1'b0;
      at_bits[g*GROUP_SIZE+:GROUP_SIZE] = at_groups[g] ? scan_bits[g*GROUP_SIZE+:GROUP_SIZE] : '0;
    end
  end

  always_comb begin
    slot = '0;
    rest_after = rest;
    for (int unsigned g = 0; g < GROUPS; g++) rest_groups[g] = |rest[g*GROUP_SIZE+:GROUP_SIZE];
    for (int g = GROUPS - 1; g >= 0; g--) if (rest_groups[g]) slot = SLOT_BITS'(unsigned'(g));
    rest_after[32'(slot)*GROUP_SIZE+:GROUP_SIZE] = '0;
  end

  assign found = rest != '0;
  assign found_place = rest_place;
  assign found_group = {window_of(rest_place), slot};
  assign found_queues = rest[32'(slot)*GROUP_SIZE+:GROUP_SIZE];

  // The window at the memory's output is done with: empty, or on its way to `rest`.
  assign at_done = at_groups == '0 || rest == '0 || (found_ready && rest_after == '0);
  assign advance = state == WINDOW && (!at_valid || at_done);
  assign scan_enable = advance;
  assign scan_window = window_of(place);

  always_ff @(posedge clk) begin
    if (found && found_ready) rest <= rest_after;
    if (at_valid && at_done) begin
      at_valid <= 1'b0;
      if (at_groups != '0) begin
        rest <= at_bits;
        rest_place <= at;
      end
    end
    case (state)
      CLEAR: begin
        clear_tree <= clear_tree + 1'b1;
        if (&clear_tree) begin
          busy  <= 1'b0;
          state <= PORT;
        end
      end
      PORT: begin
        place.first_tree <= port_first[32'(place.port)&(PORTS-1)];
        place.tree_step <= '0;
        place.step <= '0;
        tree_read <= 1'b0;
        state <= HIERARCHY ? TREE : WINDOW;
      end
      TREE: begin
        tree_read <= 1'b1;
        place.first_group <= tree_first;
        place.step <= '0;
        if (tree_read) state <= WINDOW;
      end
      default:  // WINDOW
      if (advance) begin
        at_valid <= 1'b1;
        at <= place;
        at_floor <= floor;
        floor <= '0;
        place.step <= place.step + 14'd1;
        if (last_window) begin
          place.step <= '0;
          if (HIERARCHY) begin
            place.tree_step   <= place.tree_step + 6'd1;
            place.first_group <= tree_first;
            if (32'(place.tree_step) == TREES - 1) begin
              place.port <= (place.port + 3'd1) & 3'(PORTS - 1);
              state <= PORT;
            end
          end
        end
      end
    endcase
    if (go) begin
      at_valid <= 1'b0;
      rest <= '0;
      place <= go_place;
      floor <= '0;
      tree_read <= 1'b0;
      state <= WINDOW;
      case (go_on)
        AGAIN: floor <= {1'b0, go_group[SLOT_BITS-1:0]};
        NEXT_GROUP: floor <= {1'b0, go_group[SLOT_BITS-1:0]} + 1'b1;
        NEXT_TREE: begin
          state <= TREE;
          place.tree_step <= go_place.tree_step + 6'd1;
          if (32'(go_place.tree_step) == TREES - 1) begin
            place.port <= (go_place.port + 3'd1) & 3'(PORTS - 1);
            state <= PORT;
          end
        end
        default: begin
          place.port <= (go_place.port + 3'd1) & 3'(PORTS - 1);
          state <= PORT;
        end
      endcase
      if (HIERARCHY && break_port) begin
        port_first[32'(go_place.port)&(PORTS-1)] <= (tree_of(go_place.first_tree, go_place.tree_step) + 6'd1) & 6'(TREES - 1);
      end
    end
    if (rst) begin
      state <= HIERARCHY ? CLEAR : PORT;
      busy <= HIERARCHY;
      clear_tree <= '0;
      place <= '0;
      floor <= '0;
      at_valid <= 1'b0;
      rest <= '0;
      for (int unsigned p = 0; p < PORTS; p++) port_first[p] <= '0;
    end
  end
endmodule
