#pragma once

#include <c10/util/Exception.h>

namespace openreg::test {

// While it lives, libtorch's warnings in this thread are not printed.
class Silence final : public c10::WarningHandler {
 public:
  Silence() : guard_(this) {}

 private:
  void process(const c10::Warning&) override {}

  c10::WarningUtils::WarningHandlerGuard guard_;
};

}  // namespace openreg::test
