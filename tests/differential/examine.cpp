#include "differential/examine.h"

#include <ATen/ATen.h>

#include <chrono>

#include "differential/argument_maker.h"
#include "differential/arguments.h"
#include "differential/compare_calls.h"
#include "differential/cpp_text.h"
#include "differential/exceptions.h"
#include "differential/fed.h"
#include "differential/gradients.h"
#include "differential/steady.h"

namespace openreg::differential {
namespace {

constexpr int kGoodCalls = 12;  // after which an overload that counts as fed is done
constexpr std::size_t kGradientCalls = 4;
constexpr std::size_t kErrorCalls = 10;  // errors are slow, and the same few come again
constexpr std::size_t kDifferences = 3;  // after which an overload is given up
constexpr std::chrono::milliseconds kTime{2500};

class Examination {
 public:
  Examination(const c10::OperatorHandle& op, const Plan& plan) : op_(op), plan_(plan) {
    const auto& name = op.schema().name();
    rules_.values = !has_undefined_values(name);
    rules_.own_way = goes_its_own_way(name);
    rules_.op = name;
  }

  Verdict run() {
    const auto start = std::chrono::steady_clock::now();
    for (int number = 0; number < plan_.samples; ++number) {
      if (plan_.skip.count(number) != 0) continue;
      if (verdict_.differences.size() >= kDifferences || std::chrono::steady_clock::now() - start > kTime) break;
      if (fed_.enough() && fed_.calls() >= kGoodCalls) break;
      try_sample(number);
    }
    plan_.note(0, Phase::idle);
    verdict_.missing = fed_.missing();
    if (fed_.calls() == 0 && !last_error_.empty()) verdict_.missing += ": " + last_error_;
    return verdict_;
  }

 private:
  void try_sample(int number) {
    plan_.note(number, Phase::cpu);
    const auto sample = make_sample(op_, plan_.seed, number);
    const auto seed = plan_.seed + static_cast<std::uint64_t>(number);
    std::optional<Call> cpu;
    {
      const at::NoGradGuard no_grad;
      cpu = call_operator(op_, copy_arguments(op_.schema(), sample.arguments, c10::kCPU), seed);
    }
    if (cpu->threw) {
      last_error_ = cpu->error;
      fed_.refused(sample.dtype);
      if (++errors_ > kErrorCalls) return;
    }
    plan_.note(number, Phase::device);
    std::optional<Call> device;
    {
      const at::NoGradGuard no_grad;
      device = call_operator(op_, copy_arguments(op_.schema(), sample.arguments, c10::Device("openreg:0")), seed);
    }
    if (device->threw && is_refusal(device->error)) {
      verdict_.refused.insert(device->error);
      return;
    }
    auto lines = compare_calls(*cpu, *device, rules_);
    if (!lines.empty() && rules_.values && !cpu_is_steady(op_, sample.arguments, *cpu, seed)) {
      rules_.values = false;
      verdict_.unsteady = true;
      lines = compare_calls(*cpu, *device, rules_);
    }
    if (!cpu->threw && !device->threw && lines.empty()) {
      fed_.add(sample.arguments, *cpu, sample.dtype);
      lines = gradients(sample, seed, number);
    }
    if (!lines.empty()) {
      verdict_.differences.push_back({number, lines, call_text(op_, sample.arguments)});
    }
  }

  std::vector<std::string> gradients(const Sample& sample, std::uint64_t seed, int number) {
    if (gradient_calls_ >= kGradientCalls || !(at::isFloatingType(sample.dtype) || at::isComplexType(sample.dtype))) {
      return {};
    }
    for (const auto& argument : op_.schema().arguments()) {
      if (is_out_argument(argument)) return {};
    }
    ++gradient_calls_;
    plan_.note(number, Phase::device);
    return compare_gradients(op_, sample.arguments, seed, rules_);
  }

  const c10::OperatorHandle& op_;
  const Plan& plan_;
  CompareRules rules_;
  Fed fed_;
  Verdict verdict_;
  std::size_t gradient_calls_ = 0;
  std::size_t errors_ = 0;
  std::string last_error_;
};

}  // namespace

Verdict examine(const c10::OperatorHandle& op, const Plan& plan) { return Examination(op, plan).run(); }

}  // namespace openreg::differential
