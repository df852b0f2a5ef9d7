// The register map, made from registers.csv by generate.py.
// A map is whole, whether the core uses each line or not.
/* verilator lint_off UNUSEDPARAM */
package sluice_registers_pkg;
  // Answer to a read of no register.
  localparam logic [31:0] STRAY_READ = 32'hcafebabe;
  localparam logic [31:0] DEPTH_LIMIT = 32'h00000000;
  localparam int unsigned DEPTH_LIMIT_COUNT = 8;
  localparam logic [31:0] CUSTOMER_DEPTH = 32'h00100000;
  localparam logic [31:0] CUSTOMER_DEPTH_RESET = 32'h00000000;
  localparam logic [31:0] QUEUE_RATE = 32'h01000000;
  localparam logic [31:0] QUEUE_RATE_RESET = 32'h00000001;
  localparam logic [31:0] QUEUE_BUCKET = 32'h011ffffc;
  localparam logic [31:0] QUEUE_BUCKET_RESET = 32'h000007d0;
  localparam logic [31:0] CUSTOMER_RATE = 32'h01200000;
  localparam logic [31:0] CUSTOMER_RATE_RESET = 32'h00000001;
  localparam logic [31:0] CUSTOMER_BUCKET = 32'h0127fffc;
  localparam logic [31:0] CUSTOMER_BUCKET_RESET = 32'h000007d0;
  localparam logic [31:0] CUSTOMER_BURST = 32'h01300000;
  localparam logic [31:0] CUSTOMER_BURST_RESET = 32'h00000000;
  localparam logic [31:0] CUSTOMER_CLASSES = 32'h01380000;
  localparam logic [31:0] CUSTOMER_CLASSES_RESET = 32'h00000000;
  localparam logic [31:0] TREE_RATE = 32'h01400000;
  localparam logic [31:0] TREE_RATE_RESET = 32'h00000001;
  localparam logic [31:0] TREE_BUCKET = 32'h0147fffc;
  localparam logic [31:0] TREE_BUCKET_RESET = 32'h000007d0;
  localparam logic [31:0] PORT_RATE = 32'h01600000;
  localparam int unsigned PORT_RATE_COUNT = 8;
  localparam logic [31:0] PORT_RATE_RESET = 32'h00000001;
  localparam logic [31:0] PORT_BUCKET = 32'h0167fffc;
  localparam logic [31:0] PORT_BUCKET_RESET = 32'h000007d0;
  localparam logic [31:0] COUNTER_SELECT = 32'h02000000;
  localparam logic [31:0] COUNTER_LOW = 32'h02000004;
  localparam logic [31:0] COUNTER_HIGH = 32'h02000008;
  localparam logic [31:0] STORE_WORD = 32'h03000000;
  localparam int unsigned STORE_WORD_COUNT = 4;
  localparam logic [31:0] STORE_WORD_RESET = 32'h00000000;
  localparam logic [31:0] CORE_ID = 32'h03000100;
  localparam logic [31:0] CORE_ID_RESET = 32'h534c5501;
  localparam logic [31:0] CORE_GEOMETRY = 32'h03000104;
  localparam logic [31:0] CORE_TICK = 32'h03000108;
  localparam logic [31:0] CORE_CLOCK = 32'h0300010c;
  localparam logic [31:0] CORE_LARGE_BLOCKS = 32'h03000110;
  localparam logic [31:0] CORE_SMALL_BLOCKS = 32'h03000114;
  localparam logic [31:0] CODEL_TARGET = 32'h03000200;
  localparam int unsigned CODEL_TARGET_COUNT = 8;
  localparam logic [31:0] CODEL_TARGET_RESET = 32'h00000000;
  localparam logic [31:0] CODEL_INTERVAL = 32'h03000220;
  localparam int unsigned CODEL_INTERVAL_COUNT = 8;
  localparam logic [31:0] CODEL_INTERVAL_RESET = 32'h00000000;
  localparam logic [31:0] STAT_RECEIVED = 32'h03000300;
  localparam logic [31:0] STAT_RECEIVED_RESET = 32'h00000000;
  localparam logic [31:0] STAT_MALFORMED = 32'h03000304;
  localparam logic [31:0] STAT_MALFORMED_RESET = 32'h00000000;
  localparam logic [31:0] STAT_NO_BUFFER = 32'h03000308;
  localparam logic [31:0] STAT_NO_BUFFER_RESET = 32'h00000000;
  localparam logic [31:0] STAT_OVER_DEPTH = 32'h0300030c;
  localparam logic [31:0] STAT_OVER_DEPTH_RESET = 32'h00000000;
  localparam logic [31:0] STAT_CODEL = 32'h03000310;
  localparam logic [31:0] STAT_CODEL_RESET = 32'h00000000;
  localparam logic [31:0] STAT_SENT = 32'h03000314;
  localparam logic [31:0] STAT_SENT_RESET = 32'h00000000;
  localparam logic [31:0] STAT_MEMORY = 32'h03000318;
  localparam logic [31:0] STAT_MEMORY_RESET = 32'h00000000;
  localparam logic [31:0] CUSTOMER_CODEL = 32'h03100000;
  localparam logic [31:0] CUSTOMER_CODEL_RESET = 32'h00000000;
endpackage
/* verilator lint_on UNUSEDPARAM */
