#pragma once

#include <cstddef>
#include <new>
#include <string>
#include <string_view>
#include <utility>

namespace openreg::driver {

// What tasks threw since the last synchronize. All are counted, the texts of the first few are kept.
class TaskFailures {
 public:
  void add(std::string_view text) noexcept {
    ++count_;
    append(text);
  }

  // Takes all that `other` holds.
  void take(TaskFailures& other) noexcept {
    if (other.count_ == 0) return;
    count_ += std::exchange(other.count_, 0);
    append(other.texts_);
    other.texts_.clear();
  }

  std::size_t count() const { return count_; }
  const std::string& texts() const { return texts_; }

 private:
  void append(std::string_view text) noexcept {
    constexpr std::size_t enough = 900;  // last_error() keeps no more
    if (texts_.size() >= enough) return;
    try {
      if (!texts_.empty()) texts_ += "; ";
      texts_ += text.substr(0, enough);
    } catch (const std::bad_alloc&) {
      // The count still tells that something failed.
    }
  }

  std::size_t count_ = 0;
  std::string texts_;
};

}  // namespace openreg::driver
