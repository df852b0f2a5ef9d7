// The queueing core: packets come in behind a queue id (s_*), wait in their queue in packet memory,
// and leave without it (m_*) when the scheduler lets them. Registers are at the Wishbone slave
// (wb_*); docs/fpga-core.md tells how the core is built in.
//
// One clock, synchronous reset. After a reset the core clears its memories for 2^QUEUE_BITS clocks and takes
// no packet until `ready`.
module sluice_queueing_core
  import sluice_search_pkg::*;
#(
    // Bytes a clock of the packet interfaces: 64 for 100 Gbit/s. A power of two, 8 .. 64.
    parameter int unsigned DATA_BYTES = 64,
    // 2^QUEUE_BITS queues, 10 .. 18; ids keep their fields, so a smaller build has the lower ids.
    parameter int unsigned QUEUE_BITS = 18,
    // 0: no limits; 1: a bucket a queue; 3: customer, tree and port.
    parameter int unsigned LEVELS = 3,
    parameter bit CODEL = 1'b1,
    // Large buffers, over all external memories, and small ones inside the FPGA (0: none).
    parameter int unsigned LARGE_BLOCKS = 131072,
    parameter int unsigned SMALL_BLOCKS = 4096,
    parameter int unsigned LARGE_BYTES = 2048,  // the longest packet
    parameter int unsigned SMALL_BYTES = 512,
    parameter int unsigned EXTERNAL_MEMORIES = 1,  // 1 or 2
    // Tokens that a bucket must hold before a packet of whatever length may leave, bytes.
    parameter int unsigned MTU_BYTES = 1600,
    parameter int unsigned TICK_CLOCKS = 1248,  // clocks a rate word counts for
    parameter int unsigned CLOCK_KHZ = 220000  // told by a register only
) (
    input  logic                         clk,
    input  logic                         rst,
    output logic                         ready,
    input  logic                         s_tvalid,
    output logic                         s_tready,
    input  logic [     8*DATA_BYTES-1:0] s_tdata,
    input  logic [       DATA_BYTES-1:0] s_tkeep,
    input  logic                         s_tlast,
    input  logic                         s_tuser,        // with tlast: the packet is bad
    output logic                         m_tvalid,
    input  logic                         m_tready,
    output logic [     8*DATA_BYTES-1:0] m_tdata,
    output logic [       DATA_BYTES-1:0] m_tkeep,
    output logic                         m_tlast,
    output logic [                 17:0] m_tuser,        // the queue id
    input  logic                         wb_cyc,
    input  logic                         wb_stb,
    input  logic                         wb_we,
    input  logic [                  3:0] wb_sel,
    input  logic [                 31:0] wb_adr,
    input  logic [                 31:0] wb_dat_w,
    output logic [                 31:0] wb_dat_r,
    output logic                         wb_ack,
    output logic                         wb_err,
    // External packet memories: AXI4, bursts of full beats that cross no 4 KiB, one id.
    output logic [EXTERNAL_MEMORIES-1:0] mem_awvalid,
    input  logic [EXTERNAL_MEMORIES-1:0] mem_awready,
    output logic [                 31:0] mem_awaddr,
    output logic [                  7:0] mem_awlen,
    output logic [EXTERNAL_MEMORIES-1:0] mem_wvalid,
    input  logic [EXTERNAL_MEMORIES-1:0] mem_wready,
    output logic [     8*DATA_BYTES-1:0] mem_wdata,
    output logic                         mem_wlast,
    input  logic [EXTERNAL_MEMORIES-1:0] mem_bvalid,
    output logic [EXTERNAL_MEMORIES-1:0] mem_bready,
    input  logic [                  1:0] mem_bresp  [EXTERNAL_MEMORIES],
    output logic [EXTERNAL_MEMORIES-1:0] mem_arvalid,
    input  logic [EXTERNAL_MEMORIES-1:0] mem_arready,
    output logic [                 31:0] mem_araddr,
    output logic [                  7:0] mem_arlen,
    input  logic [EXTERNAL_MEMORIES-1:0] mem_rvalid,
    output logic [EXTERNAL_MEMORIES-1:0] mem_rready,
    input  logic [     8*DATA_BYTES-1:0] mem_rdata  [EXTERNAL_MEMORIES],
    input  logic [                  1:0] mem_rresp  [EXTERNAL_MEMORIES],
    input  logic [EXTERNAL_MEMORIES-1:0] mem_rlast
);
  localparam int unsigned MEMORIES = EXTERNAL_MEMORIES + (SMALL_BLOCKS > 0 ? 1 : 0);
  localparam int unsigned BLOCK_BITS = $clog2(LARGE_BLOCKS + SMALL_BLOCKS);
  localparam int unsigned LENGTH_BITS = $clog2(LARGE_BYTES + 1);
  localparam int unsigned GROUP_BITS = LEVELS == 3 ? 3 : 0;

  // Time: a tick is what a rate word counts for.
  logic [$clog2(TICK_CLOCKS)-1:0] tick_clock;
  logic [23:0] tick;
  always_ff @(posedge clk) begin
    tick_clock <= tick_clock + 1'b1;
    if (32'(tick_clock) == TICK_CLOCKS - 1) begin
      tick_clock <= '0;
      tick <= tick + 24'd1;
    end
    if (rst) begin
      tick_clock <= '0;
      tick <= '0;
    end
  end

  logic busy_queues;
  logic busy_search;
  logic busy_scheduler;
  logic busy_counters;
  always_ff @(posedge clk) begin
    ready <= !busy_queues && !busy_search && !busy_scheduler && !busy_counters;
    if (rst) ready <= 1'b0;
  end

  // In: classifier, ingress buffer, rx handler.
  logic classified_valid, classified_ready, classified_last, classified_bad;
  logic [8*DATA_BYTES-1:0] classified_data;
  logic [DATA_BYTES-1:0] classified_keep;
  logic [QUEUE_BITS-1:0] classified_queue;
  logic classifier_ready;
  logic malformed;
  logic received;
  logic too_long;
  logic meta_valid, meta_ready;
  logic [QUEUE_BITS-1:0] meta_queue;
  logic [LENGTH_BITS-1:0] meta_length;
  logic beat_valid, beat_ready, beat_last;
  logic [8*DATA_BYTES-1:0] beat_data;

  assign s_tready = classifier_ready && ready;

  sluice_classifier #(
      .DATA_BYTES(DATA_BYTES),
      .QUEUE_BITS(QUEUE_BITS)
  ) classifier (
      .clk,
      .rst,
      .in_valid(s_tvalid && ready),
      .in_ready(classifier_ready),
      .in_data(s_tdata),
      .in_keep(s_tkeep),
      .in_last(s_tlast),
      .in_bad(s_tuser),
      .out_valid(classified_valid),
      .out_ready(classified_ready),
      .out_data(classified_data),
      .out_keep(classified_keep),
      .out_last(classified_last),
      .out_bad(classified_bad),
      .out_queue(classified_queue),
      .malformed
  );

  sluice_ingress_buffer #(
      .DATA_BYTES(DATA_BYTES),
      .QUEUE_BITS(QUEUE_BITS),
      .MAX_PACKET_BYTES(LARGE_BYTES)
  ) ingress (
      .clk,
      .rst,
      .in_valid(classified_valid),
      .in_ready(classified_ready),
      .in_data(classified_data),
      .in_keep(classified_keep),
      .in_last(classified_last),
      .in_bad(classified_bad),
      .in_queue(classified_queue),
      .meta_valid,
      .meta_ready,
      .meta_queue,
      .meta_length,
      .out_valid(beat_valid),
      .out_ready(beat_ready),
      .out_data(beat_data),
      .out_last(beat_last),
      .received,
      .too_long
  );

  // Packet memory: the external ones, then the one inside.
  logic [MEMORIES-1:0] aw_valid, aw_ready, w_valid, w_ready, b_valid;
  logic [MEMORIES-1:0] ar_valid, ar_ready, r_valid, r_ready, r_last;
  logic [8*DATA_BYTES-1:0] r_data[MEMORIES];
  logic [MEMORIES-1:0] memory_error;

  logic [LENGTH_BITS-1:0] take_length;
  logic take_valid, take;
  logic [BLOCK_BITS-1:0] take_block;
  logic push_valid, push_ready;
  logic [QUEUE_BITS-1:0] push_queue;
  logic [LENGTH_BITS-1:0] push_length;
  logic [BLOCK_BITS-1:0] push_block;
  logic no_buffer;

  sluice_rx_handler #(
      .DATA_BYTES(DATA_BYTES),
      .QUEUE_BITS(QUEUE_BITS),
      .LENGTH_BITS(LENGTH_BITS),
      .BLOCK_BITS(BLOCK_BITS),
      .LARGE_BLOCKS(LARGE_BLOCKS),
      .LARGE_BYTES(LARGE_BYTES),
      .SMALL_BYTES(SMALL_BYTES),
      .EXTERNAL_MEMORIES(EXTERNAL_MEMORIES),
      .MEMORIES(MEMORIES)
  ) rx (
      .clk,
      .rst,
      .meta_valid,
      .meta_ready,
      .meta_queue,
      .meta_length,
      .in_valid(beat_valid),
      .in_ready(beat_ready),
      .in_data(beat_data),
      .in_last(beat_last),
      .take_length,
      .take_valid,
      .take,
      .take_block,
      .aw_valid,
      .aw_ready,
      .aw_addr(mem_awaddr),
      .aw_len(mem_awlen),
      .w_valid,
      .w_ready,
      .w_data(mem_wdata),
      .w_last(mem_wlast),
      .b_valid,
      .push_valid,
      .push_ready,
      .push_queue,
      .push_length,
      .push_block,
      .no_buffer
  );

  logic drop_valid;
  logic [BLOCK_BITS-1:0] drop_block;
  logic free_valid, free_ready;
  logic [BLOCK_BITS-1:0] free_block;

  sluice_buffer_allocator #(
      .LARGE_BLOCKS(LARGE_BLOCKS),
      .SMALL_BLOCKS(SMALL_BLOCKS),
      .SMALL_BYTES(SMALL_BYTES),
      .LENGTH_BITS(LENGTH_BITS)
  ) allocator (
      .clk,
      .rst,
      .take_length,
      .take_valid,
      .take,
      .take_block,
      .drop_valid,
      .drop_block,
      .sent_valid(free_valid),
      .sent_ready(free_ready),
      .sent_block(free_block)
  );

  for (genvar m = 0; m < MEMORIES; m++) begin : g_memory
    if (m < EXTERNAL_MEMORIES) begin : g_external
      assign mem_awvalid[m] = aw_valid[m];
      assign aw_ready[m] = mem_awready[m];
      assign mem_wvalid[m] = w_valid[m];
      assign w_ready[m] = mem_wready[m];
      assign b_valid[m] = mem_bvalid[m];
      assign mem_bready[m] = 1'b1;
      assign mem_arvalid[m] = ar_valid[m];
      assign ar_ready[m] = mem_arready[m];
      assign r_valid[m] = mem_rvalid[m];
      assign mem_rready[m] = r_ready[m];
      assign r_data[m] = mem_rdata[m];
      assign r_last[m] = mem_rlast[m];
      // Bit 1 of an answer: an error of the memory or of the way there.
      assign memory_error[m] = (mem_bvalid[m] && mem_bresp[m][1])
          || (mem_rvalid[m] && mem_rready[m] && mem_rlast[m] && mem_rresp[m][1]);
    end else begin : g_inside
      sluice_packet_ram #(
          .DATA_BYTES(DATA_BYTES),
          .SIZE_BYTES(2 ** $clog2(SMALL_BLOCKS * SMALL_BYTES))
      ) ram (
          .clk,
          .rst,
          .aw_valid(aw_valid[m]),
          .aw_ready(aw_ready[m]),
          .aw_addr(mem_awaddr),
          .w_valid(w_valid[m]),
          .w_ready(w_ready[m]),
          .w_data(mem_wdata),
          .w_last(mem_wlast),
          .b_valid(b_valid[m]),
          .b_ready(1'b1),
          .ar_valid(ar_valid[m]),
          .ar_ready(ar_ready[m]),
          .ar_addr(mem_araddr),
          .ar_len(mem_arlen),
          .r_valid(r_valid[m]),
          .r_ready(r_ready[m]),
          .r_data(r_data[m]),
          .r_last(r_last[m])
      );
      assign memory_error[m] = 1'b0;
    end
  end

  // Queues, search, scheduler.
  logic pop_valid, pop_done, pop_found;
  logic [QUEUE_BITS-1:0] pop_queue;
  logic [17:0] pop_rate;
  logic [LENGTH_BITS-1:0] pop_length;
  logic [BLOCK_BITS-1:0] pop_block;
  logic over_depth, codel_dropped;
  logic scan_enable;
  logic [QUEUE_BITS-6:0] scan_window;
  logic [31:0] scan_bits;
  logic [23:0] depth_bytes[8];
  logic [15:0] target_ticks[8];
  logic [15:0] interval_ticks[8];
  logic [14:0] bucket_bytes[3];
  logic access_valid, access_write, access_done;
  logic [1:0] access_field, access_level;
  logic [17:0] access_index;
  logic [31:0] access_data, access_result;
  logic own_valid, own_field, own_done;
  logic [31:0] own_result;

  sluice_queue_memory #(
      .QUEUE_BITS(QUEUE_BITS),
      .BLOCK_BITS(BLOCK_BITS),
      .LENGTH_BITS(LENGTH_BITS),
      .CODEL(CODEL),
      .CUSTOMERS(LEVELS == 3 && CODEL),
      .CODEL_MTU_BYTES(MTU_BYTES)
  ) queues (
      .clk,
      .rst,
      .busy(busy_queues),
      .push_valid,
      .push_ready,
      .push_queue,
      .push_length,
      .push_block,
      .pop_valid,
      .pop_queue,
      .pop_rate,
      .pop_done,
      .pop_found,
      .pop_length,
      .pop_block,
      .drop_valid,
      .drop_block,
      .over_depth,
      .codel_dropped,
      .scan_enable,
      .scan_window,
      .scan_bits,
      .depth_bytes,
      .target_ticks,
      .interval_ticks,
      .access_valid(own_valid),
      .access_write,
      .access_field(own_field),
      .access_index,
      .access_data,
      .access_done(own_done),
      .access_result(own_result),
      .tick
  );

  logic found, found_ready;
  place_t found_place;
  logic [QUEUE_BITS-GROUP_BITS-1:0] found_group;
  logic [2**GROUP_BITS-1:0] found_queues;
  logic go, break_tree, break_port;
  go_on_t go_on;
  place_t go_place;
  logic [QUEUE_BITS-GROUP_BITS-1:0] go_group;

  sluice_search #(
      .QUEUE_BITS(QUEUE_BITS),
      .GROUP_BITS(GROUP_BITS),
      .HIERARCHY(LEVELS == 3)
  ) search (
      .clk,
      .rst,
      .busy(busy_search),
      .scan_enable,
      .scan_window,
      .scan_bits,
      .found,
      .found_ready,
      .found_place,
      .found_group,
      .found_queues,
      .go,
      .go_on,
      .go_place,
      .go_group,
      .break_tree,
      .break_port
  );

  logic send_valid, send_ready;
  logic [QUEUE_BITS-1:0] send_queue;
  logic [LENGTH_BITS-1:0] send_length;
  logic [BLOCK_BITS-1:0] send_block;

  sluice_scheduler #(
      .QUEUE_BITS(QUEUE_BITS),
      .LENGTH_BITS(LENGTH_BITS),
      .BLOCK_BITS(BLOCK_BITS),
      .LEVELS(LEVELS),
      .MTU_BYTES(MTU_BYTES)
  ) scheduler (
      .clk,
      .rst,
      .busy(busy_scheduler),
      .tick(tick[20:0]),
      .found,
      .found_ready,
      .found_place,
      .found_group,
      .found_queues,
      .go,
      .go_on,
      .go_place,
      .go_group,
      .break_tree,
      .break_port,
      .pop_valid,
      .pop_queue,
      .pop_rate,
      .pop_done,
      .pop_found,
      .pop_length,
      .pop_block,
      .send_room(send_ready),
      .send_valid,
      .send_queue,
      .send_length,
      .send_block,
      .access_valid,
      .access_write,
      .access_field,
      .access_level,
      .access_index,
      .access_data,
      .access_done,
      .access_result,
      .bucket_bytes
  );

  // Out.
  logic [QUEUE_BITS-1:0] out_queue;
  assign m_tuser = 18'(out_queue);

  sluice_tx_handler #(
      .DATA_BYTES(DATA_BYTES),
      .QUEUE_BITS(QUEUE_BITS),
      .LENGTH_BITS(LENGTH_BITS),
      .BLOCK_BITS(BLOCK_BITS),
      .LARGE_BLOCKS(LARGE_BLOCKS),
      .LARGE_BYTES(LARGE_BYTES),
      .SMALL_BYTES(SMALL_BYTES),
      .EXTERNAL_MEMORIES(EXTERNAL_MEMORIES),
      .MEMORIES(MEMORIES)
  ) tx (
      .clk,
      .rst,
      .send_valid,
      .send_ready,
      .send_queue,
      .send_length,
      .send_block,
      .ar_valid,
      .ar_ready,
      .ar_addr(mem_araddr),
      .ar_len(mem_arlen),
      .r_valid,
      .r_ready,
      .r_data,
      .r_last,
      .free_valid,
      .free_ready,
      .free_block,
      .out_valid(m_tvalid),
      .out_ready(m_tready),
      .out_data(m_tdata),
      .out_keep(m_tkeep),
      .out_last(m_tlast),
      .out_queue
  );

  logic select_valid, select_done;
  logic [QUEUE_BITS-1:0] select_queue;
  logic [63:0] snapshot;

  sluice_counters #(
      .QUEUE_BITS(QUEUE_BITS),
      .LENGTH_BITS(LENGTH_BITS)
  ) counters (
      .clk,
      .rst,
      .busy(busy_counters),
      .count_valid(send_valid),
      .count_queue(send_queue),
      .count_length(send_length),
      .select_valid,
      .select_queue,
      .select_done,
      .snapshot
  );

  sluice_registers #(
      .QUEUE_BITS(QUEUE_BITS),
      .LEVELS(LEVELS),
      .CODEL(CODEL),
      .MTU_BYTES(MTU_BYTES),
      .TICK_CLOCKS(TICK_CLOCKS),
      .CLOCK_KHZ(CLOCK_KHZ),
      .LARGE_BLOCKS(LARGE_BLOCKS),
      .SMALL_BLOCKS(SMALL_BLOCKS)
  ) registers (
      .clk,
      .rst,
      .busy(!ready),
      .wb_cyc,
      .wb_stb,
      .wb_we,
      .wb_sel,
      .wb_adr,
      .wb_dat_w,
      .wb_dat_r,
      .wb_ack,
      .wb_err,
      .depth_bytes,
      .target_ticks,
      .interval_ticks,
      .bucket_bytes,
      .access_valid,
      .access_write,
      .access_field,
      .access_level,
      .access_index,
      .access_data,
      .access_done,
      .access_result,
      .own_valid,
      .own_field,
      .own_done,
      .own_result,
      .select_valid,
      .select_queue,
      .select_done,
      .snapshot,
      .events({
        |memory_error, send_valid, codel_dropped, over_depth, no_buffer, malformed || too_long, received
      })
  );
endmodule
