#pragma once

#include <c10/core/Stream.h>
#include <openreg/stream.h>

#include <future>

namespace openreg::test {

// Holds a stream up: what is queued on it after the gate runs once the gate is open.
class Gate {
 public:
  explicit Gate(const c10::Stream& stream) {
    launch(stream, [future = opened_.get_future().share()] { future.wait(); });
  }
  ~Gate() { open(); }
  Gate(const Gate&) = delete;
  Gate& operator=(const Gate&) = delete;

  void open() {
    if (!is_open_) opened_.set_value();
    is_open_ = true;
  }

 private:
  std::promise<void> opened_;
  bool is_open_ = false;
};

}  // namespace openreg::test
