// The core with its external memories, a source and a sink, so that the tests say packets, not beats. A
// packet is a length, a queue and a number; its bytes follow from the number. The source and the
// memories pause at random, the sink too. The sink compares every byte.
module core_bench #(
    parameter int unsigned DATA_BYTES = 16,
    parameter int unsigned QUEUE_BITS = 11,
    parameter int unsigned LEVELS = 3,
    parameter bit CODEL = 1'b1,
    parameter int unsigned LARGE_BLOCKS = 512,
    parameter int unsigned SMALL_BLOCKS = 64,
    parameter int unsigned EXTERNAL_MEMORIES = 1,
    parameter int unsigned TICK_CLOCKS = 1248
) (
    input  logic        clk,
    input  logic        rst,
    output logic        ready,
    input  logic        put,             // one packet a clock into the source
    input  logic [31:0] put_queue,
    input  logic [11:0] put_length,      // without the queue id, at least 4
    input  logic [31:0] put_number,
    input  logic        put_bad,
    input  logic [ 7:0] pause_source,    // out of 256 clocks
    input  logic [ 7:0] pause_sink,
    input  logic [ 7:0] pause_memory,
    output logic [31:0] clock,
    output logic        source_empty,
    output logic [31:0] got,             // packets at the sink; what follows is the last one's
    output logic [17:0] got_queue,
    output logic [11:0] got_length,
    output logic [31:0] got_number,
    output logic [31:0] got_clock,       // of its first beat
    output logic [31:0] wrong,           // packets with other bytes than theirs
    input  logic        wb_cyc,
    input  logic        wb_we,
    input  logic [ 3:0] wb_sel,
    input  logic [31:0] wb_adr,
    input  logic [31:0] wb_dat_w,
    output logic [31:0] wb_dat_r,
    output logic        wb_ack,
    output logic        wb_err
);
  function automatic logic [7:0] byte_of(input logic [31:0] number, input int unsigned i);
    if (i < 4) return number[8*(3-i)+:8];
    return 8'(number * 32'd31 + 32'(i) * 32'd7 + (32'(i) >> 8) * 32'd13);
  endfunction

  logic [31:0] random;
  always_ff @(posedge clk) begin
    clock  <= clock + 1;
    random <= {random[30:0], random[31] ^ random[21] ^ random[1] ^ random[0]};
    if (rst) begin
      clock  <= 0;
      random <= 32'h1badcafe;
    end
  end
  // Different bits for different pauses.
  wire source_goes = random[7:0] >= pause_source;
  wire sink_goes = random[15:8] >= pause_sink;
  wire [4:0] memory_goes = {
    random[23:16] >= pause_memory,
    random[24:17] >= pause_memory,
    random[25:18] >= pause_memory,
    random[26:19] >= pause_memory,
    random[27:20] >= pause_memory
  };

  typedef struct packed {
    logic [31:0] queue;
    logic [11:0] length;
    logic [31:0] number;
    logic bad;
  } packet_t;

  packet_t waiting[$];
  packet_t now;
  logic sending;
  int unsigned sent_bytes;
  logic s_tvalid, s_tready, s_tlast, s_tuser;
  logic [8*DATA_BYTES-1:0] s_tdata;
  logic [DATA_BYTES-1:0] s_tkeep;

  always_ff @(posedge clk) begin
    if (put) waiting.push_back('{queue: put_queue, length: put_length, number: put_number, bad: put_bad});
    if (s_tvalid && s_tready) begin
      s_tvalid <= 1'b0;
      if (s_tlast) sending = 1'b0;
    end
    if (!sending && waiting.size() != 0) begin
      now = waiting.pop_front();
      sending = 1'b1;
      sent_bytes = 0;
    end
    if (sending && (!s_tvalid || s_tready) && source_goes) begin
      for (int unsigned i = 0; i < DATA_BYTES; i++) begin
        automatic int unsigned at = sent_bytes + i;
        s_tdata[8*i+:8] <= at < 4 ? now.queue[8*(3-at)+:8] : byte_of(now.number, at - 4);
        s_tkeep[i] <= at < 32'(now.length) + 4;
      end
      sent_bytes = sent_bytes + DATA_BYTES;
      s_tvalid <= 1'b1;
      s_tlast  <= sent_bytes >= 32'(now.length) + 4;
      s_tuser  <= now.bad && sent_bytes >= 32'(now.length) + 4;
    end
    source_empty <= !sending && waiting.size() == 0;
    if (rst) begin
      s_tvalid <= 1'b0;
      sending = 1'b0;
    end
  end

  logic m_tvalid, m_tready, m_tlast;
  logic [8*DATA_BYTES-1:0] m_tdata;
  logic [DATA_BYTES-1:0] m_tkeep;
  logic [17:0] m_tuser;
  int unsigned at_byte;
  logic [31:0] number;
  logic differs;

  assign m_tready = sink_goes;
  always_ff @(posedge clk) begin
    if (m_tvalid && m_tready) begin
      if (at_byte == 0) begin
        number = {m_tdata[7:0], m_tdata[15:8], m_tdata[23:16], m_tdata[31:24]};
        differs = 1'b0;
        got_clock <= clock;
      end
      for (int unsigned i = 0; i < DATA_BYTES; i++) begin
        if (m_tkeep[i]) begin
          if (m_tdata[8*i+:8] != byte_of(number, at_byte)) differs = 1'b1;
          at_byte = at_byte + 1;
        end
      end
      if (m_tlast) begin
        got <= got + 1;
        got_queue <= m_tuser;
        got_length <= 12'(at_byte);
        got_number <= number;
        if (differs) wrong <= wrong + 1;
        at_byte = 0;
      end
    end
    if (rst) begin
      at_byte = 0;
      got   <= 0;
      wrong <= 0;
    end
  end

  localparam int unsigned M = EXTERNAL_MEMORIES;
  logic [M-1:0] aw_valid, aw_ready, w_valid, w_ready, b_valid, b_ready;
  logic [M-1:0] ar_valid, ar_ready, r_valid, r_ready, r_last;
  logic [31:0] aw_addr, ar_addr;
  logic [7:0] ar_len;
  logic w_last;
  logic [8*DATA_BYTES-1:0] w_data;
  logic [8*DATA_BYTES-1:0] r_data[M];
  logic [1:0] okay[M];

  for (genvar m = 0; m < M; m++) begin : g_memory
    logic aw, w, b, ar, r;
    assign okay[m] = 2'd0;
    assign aw_ready[m] = aw && memory_goes[0];
    assign w_ready[m] = w && memory_goes[1];
    assign b_valid[m] = b && memory_goes[2];
    assign ar_ready[m] = ar && memory_goes[3];
    assign r_valid[m] = r && memory_goes[4];
    sluice_packet_ram #(
        .DATA_BYTES(DATA_BYTES),
        .SIZE_BYTES(LARGE_BLOCKS * 2048)
    ) ram (
        .clk,
        .rst,
        .aw_valid(aw_valid[m] && memory_goes[0]),
        .aw_ready(aw),
        .aw_addr,
        .w_valid(w_valid[m] && memory_goes[1]),
        .w_ready(w),
        .w_data,
        .w_last,
        .b_valid(b),
        .b_ready(b_ready[m] && memory_goes[2]),
        .ar_valid(ar_valid[m] && memory_goes[3]),
        .ar_ready(ar),
        .ar_addr,
        .ar_len,
        .r_valid(r),
        .r_ready(r_ready[m] && memory_goes[4]),
        .r_data(r_data[m]),
        .r_last(r_last[m])
    );
  end

  sluice_queueing_core #(
      .DATA_BYTES(DATA_BYTES),
      .QUEUE_BITS(QUEUE_BITS),
      .LEVELS(LEVELS),
      .CODEL(CODEL),
      .LARGE_BLOCKS(LARGE_BLOCKS),
      .SMALL_BLOCKS(SMALL_BLOCKS),
      .EXTERNAL_MEMORIES(EXTERNAL_MEMORIES),
      .TICK_CLOCKS(TICK_CLOCKS)
  ) core (
      .clk,
      .rst,
      .ready,
      .s_tvalid,
      .s_tready,
      .s_tdata,
      .s_tkeep,
      .s_tlast,
      .s_tuser,
      .m_tvalid,
      .m_tready,
      .m_tdata,
      .m_tkeep,
      .m_tlast,
      .m_tuser,
      .wb_cyc,
      .wb_stb(wb_cyc),
      .wb_we,
      .wb_sel,
      .wb_adr,
      .wb_dat_w,
      .wb_dat_r,
      .wb_ack,
      .wb_err,
      .mem_awvalid(aw_valid),
      .mem_awready(aw_ready),
      .mem_awaddr(aw_addr),
      .mem_awlen(),
      .mem_wvalid(w_valid),
      .mem_wready(w_ready),
      .mem_wdata(w_data),
      .mem_wlast(w_last),
      .mem_bvalid(b_valid),
      .mem_bready(b_ready),
      .mem_bresp(okay),
      .mem_arvalid(ar_valid),
      .mem_arready(ar_ready),
      .mem_araddr(ar_addr),
      .mem_arlen(ar_len),
      .mem_rvalid(r_valid),
      .mem_rready(r_ready),
      .mem_rdata(r_data),
      .mem_rresp(okay),
      .mem_rlast(r_last)
  );
endmodule
