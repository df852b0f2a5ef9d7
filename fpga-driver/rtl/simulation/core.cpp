// The Verilated core between a source and a sink of packets, driven over standard input and output.
//
// core KHZ LINE: the clock's frequency, which the external memories are measured by, and the bit/s of the
// line behind the core; 0 for one that takes a beat each clock.
//
// A request is four little-endian words of 64 bits, an answer too. Clock 0 is that at which the core is ready.
//   1, clock, queue << 32 | length, number   offers a packet from that clock on, behind those offered before
//   2, clock, address, data                  writes a register from that clock on, after those before
//   3, address, 0, 0                         writes what is due, reads a register; answer: value, 0, 0, 0
//   4, clock, 0, 0                           goes on to that clock; answers: a packet each that has left:
//                                            number, queue << 32 | length, clock of its first beat, of its last,
//                                            then all ones, broken packets, clock, packets still offered
// A packet's bytes follow from its number; a packet that leaves with other bytes is broken.
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <memory>
#include <vector>

#include "Vcore.h"
#include "verilated.h"

namespace {

constexpr uint32_t kWords = DATA_BYTES / 4;
constexpr uint32_t kFrameOverhead = 24;  // check sequence, preamble, gap
constexpr uint32_t kMacBytes = 4096;     // buffer between core and line

// A DDR4-2400 module of 64 bits behind a controller: what its data bus carries, how long a refresh
// stops it and how often, how long the bus needs to turn round, and how long a read is on its way.
constexpr double kMemoryBytesPerSecond = 19.2e9;
constexpr double kRefreshSeconds = 350e-9;
constexpr double kRefreshEverySeconds = 7.8e-6;
constexpr double kTurnSeconds = 7.5e-9;
constexpr double kReadSeconds = 100e-9;

uint32_t word_of(uint32_t number, uint32_t i) {
  return i == 0 ? number : number * 2654435761u + i * 2246822519u;
}

// An external memory: answers bursts in order; its bus carries one after the other.
class Memory {
 public:
  Memory(double hertz, uint32_t m)
      : bytes_per_clock_(kMemoryBytesPerSecond / hertz),
        refresh_(kRefreshSeconds * hertz),
        refresh_every_(kRefreshEverySeconds * hertz),
        turn_(kTurnSeconds * hertz),
        read_(kReadSeconds * hertz),
        next_refresh_(refresh_every_ * (m + 1) / (EXTERNAL_MEMORIES + 1)),
        // Pages come into being when they are touched.
        beats_(static_cast<Beat*>(calloc(size_t{LARGE_BLOCKS} * LARGE_BYTES / DATA_BYTES, sizeof(Beat)))) {
    if (beats_ == nullptr) {
      fprintf(stderr, "no memory for the packets\n");
      exit(1);
    }
  }

  bool write_ready() const { return writes_.size() < 8; }
  bool data_ready() const { return writing_ < writes_.size(); }
  bool read_ready() const { return reads_.size() < 8; }
  bool written(uint64_t clock) const { return !written_.empty() && written_.front() <= clock; }
  bool beat(uint64_t clock) const { return !reads_.empty() && reads_.front().ready <= clock; }
  const uint32_t* data() const { return beats_[reads_.front().at].words; }
  bool last() const { return reads_.front().left == 0; }

  void write(uint32_t address) { writes_.push_back(address / DATA_BYTES); }
  template <class Data>
  void put(const Data& data, bool last, uint64_t clock) {
    Beat& to = beats_[writes_[writing_] + written_beats_++];
    for (uint32_t i = 0; i < kWords; i++) to.words[i] = data[i];
    if (!last) return;
    written_.push_back(occupy(clock, written_beats_, true));
    written_beats_ = 0;
    writing_++;
  }
  void confirm() {
    written_.pop_front();
    writes_.pop_front();
    writing_--;
  }
  void read(uint32_t address, uint32_t more, uint64_t clock) {
    const uint64_t end = occupy(clock, more + 1, false);
    reads_.push_back({address / DATA_BYTES, more, end + static_cast<uint64_t>(read_)});
  }
  void take() {
    Read& first = reads_.front();
    if (first.left-- == 0) {
      reads_.pop_front();
    } else {
      first.at++;
    }
  }

 private:
  struct Beat {
    uint32_t words[kWords];
  };
  struct Read {
    uint32_t at, left;
    uint64_t ready;
  };

  // The clock at which the bus has carried a burst that was asked for now.
  uint64_t occupy(uint64_t clock, uint32_t beats, bool write) {
    double from = std::fmax(free_, static_cast<double>(clock));
    while (from >= next_refresh_) {
      from = std::fmax(from, next_refresh_ + refresh_);
      next_refresh_ += refresh_every_;
    }
    if (write != wrote_) from += turn_;
    wrote_ = write;
    free_ = from + beats * DATA_BYTES / bytes_per_clock_;
    return static_cast<uint64_t>(free_) + 1;
  }

  const double bytes_per_clock_, refresh_, refresh_every_, turn_, read_;
  double next_refresh_;
  double free_ = 0;
  bool wrote_ = false;
  Beat* const beats_;
  std::deque<uint32_t> writes_;  // bursts that are not confirmed; from writing_ on those without all data
  size_t writing_ = 0;
  uint32_t written_beats_ = 0;
  std::deque<uint64_t> written_;
  std::deque<Read> reads_;
};

struct Offered {
  uint64_t clock;
  uint32_t queue, length, number;
};
struct Write {
  uint64_t clock;
  uint32_t address, data;
};

class Bench {
 public:
  Bench(double hertz, double line_bps) : line_per_clock_(line_bps / 8 / hertz) {
    for (uint32_t m = 0; m < EXTERNAL_MEMORIES; m++) memories_.emplace_back(hertz, m);
    core_.wb_sel = 0xF;
    for (uint32_t m = 0; m < EXTERNAL_MEMORIES; m++) {
      core_.mem_bresp[m] = 0;
      core_.mem_rresp[m] = 0;
    }
    core_.rst = 1;
    for (int i = 0; i < 4; i++) tick();
    core_.rst = 0;
    while (!core_.ready) tick();
    clock_ = 0;
  }

  void offer(uint64_t clock, uint32_t queue, uint32_t length, uint32_t number) {
    offered_.push_back({clock, queue, length, number});
  }
  void write(uint64_t clock, uint32_t address, uint32_t data) { writes_.push_back({clock, address, data}); }

  uint32_t read(uint32_t address) {
    while (core_.wb_cyc || bus_pause_ || (!writes_.empty() && writes_.front().clock <= clock_)) tick();
    core_.wb_cyc = core_.wb_stb = 1;
    core_.wb_we = 0;
    core_.wb_adr = address;
    reading_ = true;
    while (reading_) tick();
    return read_value_;
  }

  void run(uint64_t clock) {
    while (clock_ < clock) tick();
  }
  uint64_t clock() const { return clock_; }
  uint64_t broken() const { return broken_; }
  uint64_t waiting() const { return offered_.size(); }
  std::vector<uint64_t>& left() { return left_; }

 private:
  void tick() {
    drive();
    core_.clk = 0;
    core_.eval();
    const bool s = core_.s_tvalid && core_.s_tready;
    const bool m = core_.m_tvalid && core_.m_tready;
    const bool bus = core_.wb_cyc && (core_.wb_ack || core_.wb_err);
    if (m) leave();
    if (bus && reading_) {
      read_value_ = core_.wb_dat_r;
      reading_ = false;
    }
    serve();
    core_.clk = 1;
    core_.eval();
    clock_++;
    if (s) sent_beat();
    // A clock without an access ends it.
    bus_pause_ = bus;
    if (bus) core_.wb_cyc = core_.wb_stb = 0;
    mac_ = std::fmax(0, mac_ - line_per_clock_);
  }

  // Inputs of the clock to come.
  void drive() {
    if (!core_.s_tvalid && !offered_.empty() && offered_.front().clock <= clock_ && !core_.rst) {
      sent_ = 0;
      beat();
    }
    core_.m_tready = line_per_clock_ == 0 || mac_ < kMacBytes;
    if (!core_.wb_cyc && !bus_pause_ && !writes_.empty() && writes_.front().clock <= clock_ && !core_.rst) {
      core_.wb_cyc = core_.wb_stb = core_.wb_we = 1;
      core_.wb_adr = writes_.front().address;
      core_.wb_dat_w = writes_.front().data;
      writes_.pop_front();
    }
    uint32_t aw = 0, w = 0, b = 0, ar = 0, r = 0, last = 0;
    for (uint32_t m = 0; m < EXTERNAL_MEMORIES; m++) {
      Memory& memory = memories_[m];
      aw |= uint32_t{memory.write_ready()} << m;
      w |= uint32_t{memory.data_ready()} << m;
      b |= uint32_t{memory.written(clock_)} << m;
      ar |= uint32_t{memory.read_ready()} << m;
      if (memory.beat(clock_)) {
        r |= 1u << m;
        last |= uint32_t{memory.last()} << m;
        const uint32_t* words = memory.data();
        for (uint32_t i = 0; i < kWords; i++) core_.mem_rdata[m][i] = words[i];
      }
    }
    core_.mem_awready = aw;
    core_.mem_wready = w;
    core_.mem_bvalid = b;
    core_.mem_arready = ar;
    core_.mem_rvalid = r;
    core_.mem_rlast = last;
  }

  // What the memories and the core have agreed on in this clock.
  void serve() {
    for (uint32_t m = 0; m < EXTERNAL_MEMORIES; m++) {
      Memory& memory = memories_[m];
      const auto both = [m](uint32_t valid, uint32_t ready) { return valid & ready & 1u << m; };
      if (both(core_.mem_bvalid, core_.mem_bready)) memory.confirm();
      if (both(core_.mem_wvalid, core_.mem_wready)) memory.put(core_.mem_wdata, core_.mem_wlast, clock_);
      if (both(core_.mem_awvalid, core_.mem_awready)) memory.write(core_.mem_awaddr);
      if (both(core_.mem_rvalid, core_.mem_rready)) memory.take();
      if (both(core_.mem_arvalid, core_.mem_arready)) memory.read(core_.mem_araddr, core_.mem_arlen, clock_);
    }
  }

  // The next beat of the first packet offered: queue id, then its bytes.
  void beat() {
    const Offered& packet = offered_.front();
    const uint32_t bytes = packet.length + 4;
    for (uint32_t i = 0; i < kWords; i++) {
      const uint32_t at = sent_ / 4 + i;
      core_.s_tdata[i] = at == 0 ? __builtin_bswap32(packet.queue) : word_of(packet.number, at - 1);
    }
    const uint32_t rest = bytes - sent_;
    core_.s_tkeep = rest >= DATA_BYTES ? ~uint64_t{0} >> (64 - DATA_BYTES) : (uint64_t{1} << rest) - 1;
    core_.s_tlast = rest <= DATA_BYTES;
    core_.s_tuser = 0;
    core_.s_tvalid = 1;
    sent_ += DATA_BYTES;
  }

  void sent_beat() {
    if (core_.s_tlast) {
      offered_.pop_front();
      core_.s_tvalid = 0;
    } else {
      beat();
    }
  }

  void leave() {
    if (out_bytes_ == 0) {
      out_number_ = core_.m_tdata[0];
      out_clock_ = clock_;
      out_broken_ = false;
    }
    const uint64_t keep = core_.m_tkeep;
    for (uint32_t i = 0; i < kWords; i++) {
      const uint32_t kept = keep >> 4 * i & 0xF;
      if (kept == 0) break;
      const uint32_t mask = kept == 0xF ? ~0u : (1u << 8 * __builtin_popcount(kept)) - 1;
      if ((core_.m_tdata[i] ^ word_of(out_number_, out_bytes_ / 4 + i)) & mask) out_broken_ = true;
    }
    out_bytes_ += __builtin_popcountll(keep);
    if (!core_.m_tlast) return;
    if (out_broken_) broken_++;
    for (uint64_t word : {uint64_t{out_number_}, uint64_t{core_.m_tuser} << 32 | out_bytes_, out_clock_, clock_}) {
      left_.push_back(word);
    }
    mac_ += out_bytes_ + kFrameOverhead;
    out_bytes_ = 0;
  }

  Vcore core_;
  const double line_per_clock_;
  std::deque<Memory> memories_;
  std::deque<Offered> offered_;
  std::deque<Write> writes_;
  uint64_t clock_ = 0;
  uint32_t sent_ = 0;
  double mac_ = 0;
  bool bus_pause_ = false;
  bool reading_ = false;
  uint32_t read_value_ = 0;
  uint32_t out_bytes_ = 0;
  uint32_t out_number_ = 0;
  uint64_t out_clock_ = 0;
  bool out_broken_ = false;
  uint64_t broken_ = 0;
  std::vector<uint64_t> left_;
};

void answer(const uint64_t* words, size_t count) {
  if (fwrite(words, sizeof *words, count, stdout) != count || fflush(stdout) != 0) exit(1);
}

}  // namespace

int main(int count, char** arguments) {
  const double khz = count == 3 ? strtod(arguments[1], nullptr) : 0;
  const double line_bps = count == 3 ? strtod(arguments[2], nullptr) : -1;
  if (!(khz > 0 && line_bps >= 0)) {
    fprintf(stderr, "usage: core KHZ LINE\n");
    return 2;
  }
  const auto bench = std::make_unique<Bench>(khz * 1e3, line_bps);
  uint64_t request[4];
  while (fread(request, sizeof request, 1, stdin) == 1) {
    switch (request[0]) {
      case 1:
        bench->offer(request[1], request[2] >> 32, static_cast<uint32_t>(request[2]), static_cast<uint32_t>(request[3]));
        break;
      case 2:
        bench->write(request[1], static_cast<uint32_t>(request[2]), static_cast<uint32_t>(request[3]));
        break;
      case 3: {
        const uint64_t value[4] = {bench->read(static_cast<uint32_t>(request[1])), 0, 0, 0};
        answer(value, 4);
        break;
      }
      case 4: {
        bench->run(request[1]);
        for (uint64_t word : {~uint64_t{0}, bench->broken(), bench->clock(), bench->waiting()}) {
          bench->left().push_back(word);
        }
        answer(bench->left().data(), bench->left().size());
        bench->left().clear();
        break;
      }
      default:
        fprintf(stderr, "no request %llu\n", static_cast<unsigned long long>(request[0]));
        return 2;
    }
  }
  return 0;
}
