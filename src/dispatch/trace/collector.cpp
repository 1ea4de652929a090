#include <openreg/trace.h>

#include <algorithm>
#include <unordered_map>
#include <utility>

namespace openreg::trace {

class Collector::Memory final : public Sink {
 public:
  void begin(const Event& event) override {
    open_.emplace(event.id, events.size());
    events.push_back(event);
  }
  void end(const Event& event) override {
    if (const auto found = open_.find(event.id); found != open_.end()) {
      events[found->second].duration = event.duration;
      open_.erase(found);
    }
  }
  // Threads are numbered before they get here, so their events may have come in a little out of order.
  void finish() override {
    std::sort(events.begin(), events.end(), [](const Event& a, const Event& b) { return a.id < b.id; });
  }

  std::vector<Event> events;

 private:
  std::unordered_map<std::uint64_t, std::size_t> open_;
};

Collector::Collector(Options options)
    : memory_(std::make_shared<Memory>()), number_(start(memory_, std::move(options))) {}

Collector::~Collector() { stop(); }

const std::vector<Event>& Collector::stop() {
  if (number_ != 0) {
    dropped_ = trace::stop(std::exchange(number_, 0));
  }
  return memory_->events;
}

std::uint64_t Collector::dropped() const { return dropped_; }

Scope::Scope(std::shared_ptr<Sink> sink, Options options) : number_(start(std::move(sink), std::move(options))) {}

Scope::~Scope() { stop(number_); }

}  // namespace openreg::trace
