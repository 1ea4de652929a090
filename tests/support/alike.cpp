#include "support/alike.h"

#include "support/compare.h"
#include "support/errors.h"

namespace openreg::test {

testing::AssertionResult alike(const std::function<at::Tensor()>& on_cpu,
                               const std::function<at::Tensor()>& on_device) {
  at::Tensor expected;
  at::Tensor actual;
  const auto cpu_error = error_of([&] { expected = on_cpu(); });
  const auto device_error = error_of([&] { actual = on_device(); });
  if (cpu_error != device_error) {
    return testing::AssertionFailure() << "CPU: \"" << cpu_error << "\", device: \"" << device_error << "\"";
  }
  return cpu_error.empty() ? same_on_device(expected, actual) : testing::AssertionSuccess();
}

}  // namespace openreg::test
