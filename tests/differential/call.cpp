#include "differential/call.h"

#include <ATen/ATen.h>
#include <c10/util/Type.h>

#include "differential/arguments.h"
#include "openreg/fallback.h"
#include "support/ledger.h"

namespace openreg::differential {
namespace {

class WarningCollector final : public c10::WarningHandler {
 public:
  explicit WarningCollector(std::vector<std::string>& texts) : texts_(texts) {}
  void process(const c10::Warning& warning) override { texts_.push_back(warning.msg()); }

 private:
  std::vector<std::string>& texts_;
};

std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

std::uint32_t version_of(const at::Tensor& tensor) {
  return tensor.defined() && !tensor.is_inference() ? tensor.unsafeGetTensorImpl()->version_counter().current_version()
                                                    : 0;
}

}  // namespace

Call call_operator(const c10::OperatorHandle& op, torch::jit::Stack arguments, std::uint64_t seed) {
  Call call;
  call.arguments = std::move(arguments);
  for (const auto& tensor : tensors_in(call.arguments)) {
    call.versions.push_back(version_of(tensor));
    call.sizes.push_back(tensor.defined() ? tensor.sizes().vec() : std::vector<std::int64_t>());
    call.on_cpu.push_back(tensor.defined() && tensor.is_cpu());
    call.storage_bytes.push_back(tensor.defined() && tensor.has_storage() ? tensor.storage().nbytes() : 0);
  }
  for (const auto& device : {c10::Device(c10::kCPU), c10::Device("openreg:0")}) {
    auto generator = at::globalContext().defaultGenerator(device);
    generator.set_current_seed(seed);
  }
  WarningCollector collector(call.warnings);
  const c10::WarningUtils::WarningHandlerGuard guard(&collector);
  const c10::WarningUtils::WarnAlways always(true);
  const openreg::LedgerScope ledger;
  call.results = call.arguments;
  try {
    op.callBoxed(&call.results);
  } catch (const c10::Error& error) {
    call.threw = true;
    call.error_type = c10::demangle(typeid(error).name());
    call.error = first_line(error.what_without_backtrace());
  } catch (const std::exception& error) {
    call.threw = true;
    call.error_type = c10::demangle(typeid(error).name());
    call.error = first_line(error.what());
  }
  if (call.threw) call.results.clear();
  call.same_kernels = openreg::test::only_cpu_kernels_computed(ledger);
  return call;
}

}  // namespace openreg::differential
