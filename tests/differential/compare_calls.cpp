#include "differential/compare_calls.h"

#include <ATen/ATen.h>

#include <regex>
#include <sstream>

#include "differential/arguments.h"
#include "differential/compare_values.h"
#include "differential/exceptions.h"

namespace openreg::differential {
namespace {

using Lines = std::vector<std::string>;

template <typename T>
void expect_same(Lines& lines, const std::string& what, const T& cpu, const T& device) {
  if (cpu == device) return;
  std::ostringstream text;
  text << what << " is " << device << ", on the CPU " << cpu;
  lines.push_back(text.str());
}

// What an error says, without the words in which the two devices must differ.
std::string without_device(std::string text) {
  static const std::regex device_type("(openreg|CPU|torch\\.)(\\w+?)(Type|Tensor)\\b");
  text = std::regex_replace(text, device_type, "$2 tensor");
  for (const auto& [from, to] :
       {std::pair<std::string, std::string>{"openreg:0", "cpu"}, {"openreg", "cpu"}, {"PrivateUse1", "CPU"}}) {
    for (auto at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size())) {
      text.replace(at, from.size(), to);
    }
  }
  return text;
}

std::string warnings_of(const Call& call) {
  std::string all;
  for (const auto& text : call.warnings) {
    // Such warnings come once in a process, so the CPU alone gets them.
    if (text.find("deprecated") == std::string::npos) all += without_device(text) + " / ";
  }
  return all;
}

void compare_tensor(Lines& lines, const std::string& name, const at::Tensor& cpu, const at::Tensor& device, bool exact,
                    bool on_cpu, const CompareRules& rules) {
  expect_same(lines, name + ": defined", cpu.defined(), device.defined());
  if (!cpu.defined() || !device.defined()) return;
  if (device.device().is_cpu() != (on_cpu || rules.both_cpu)) lines.push_back(name + " is on " + device.device().str());
  expect_same(lines, name + ": layout", cpu.layout(), device.layout());
  expect_same(lines, name + ": dtype", cpu.scalar_type(), device.scalar_type());
  expect_same(lines, name + ": sizes", cpu.sizes(), device.sizes());
  if (cpu.layout() != at::kStrided || device.layout() != at::kStrided || !lines.empty()) return;
  if (!rules.own_way) expect_same(lines, name + ": strides", cpu.strides(), device.strides());
  expect_same(lines, name + ": storage_offset", cpu.storage_offset(), device.storage_offset());
  expect_same(lines, name + ": is_conj", cpu.is_conj(), device.is_conj());
  expect_same(lines, name + ": is_neg", cpu.is_neg(), device.is_neg());
  expect_same(lines, name + ": is_zerotensor", cpu._is_zerotensor(), device._is_zerotensor());
  expect_same(lines, name + ": requires_grad", cpu.requires_grad(), device.requires_grad());
  expect_same(lines, name + ": is_wrapped_number", cpu.unsafeGetTensorImpl()->is_wrapped_number(),
              device.unsafeGetTensorImpl()->is_wrapped_number());
  expect_same(lines, name + ": bytes of storage", cpu.storage().nbytes(), device.storage().nbytes());
  if (!rules.values) return;
  if (const auto text = first_difference(cpu, device, exact); !text.empty()) lines.push_back(name + ": " + text);
}

// For each tensor: the first of all of them that shares its storage, and the first that it is.
std::string sharing(const Call& call) {
  auto all = tensors_in(call.arguments);
  const auto arguments = all.size();
  for (const auto& tensor : tensors_in(call.results)) all.push_back(tensor);
  std::ostringstream text;
  for (std::size_t i = arguments; i < all.size(); ++i) {
    if (!all[i].defined() || !all[i].has_storage()) continue;
    for (std::size_t j = 0; j <= i; ++j) {
      if (all[j].defined() && all[j].has_storage() && all[j].is_alias_of(all[i])) {
        text << " result " << i - arguments << (all[j].is_same(all[i]) ? " is " : " shares storage with ")
             << (j < arguments ? "argument " : "result ") << (j < arguments ? j : j - arguments) << ";";
        break;
      }
    }
  }
  return text.str();
}

void compare_arguments(Lines& lines, const Call& cpu, const Call& device, bool exact, const CompareRules& rules) {
  const auto want = tensors_in(cpu.arguments);
  const auto got = tensors_in(device.arguments);
  for (std::size_t i = 0; i < want.size(); ++i) {
    const auto name = "tensor argument " + std::to_string(i) + " afterwards";
    Lines found;
    auto here = rules;
    const bool strided = want[i].defined() && want[i].layout() == at::kStrided && !want[i]._is_zerotensor();
    const bool resized = strided && cpu.storage_bytes[i] != want[i].storage().nbytes();
    here.values = rules.values && !(resized && cpu.threw);  // got new memory, and nothing was written there yet
    compare_tensor(found, name, want[i], got[i], exact, got[i].defined() && device.on_cpu[i], here);
    if (found.empty() && strided && !resized && rules.values) {
      const auto text = first_difference(whole_storage(want[i]), whole_storage(got[i]), exact);
      if (!text.empty()) found.push_back(name + ", its storage: " + text);
    }
    if (want[i].defined() && got[i].defined()) {
      const auto bumped = [&](const Call& call, const at::Tensor& tensor) {
        return tensor.unsafeGetTensorImpl()->version_counter().current_version() - call.versions[i];
      };
      // libtorch resizes an output of a composite by an operator on a device, which counts, and without one on a CPU.
      const auto more = bumped(device, got[i]) - bumped(cpu, want[i]);
      const bool by_resize = more == 1 && want[i].sizes() != cpu.sizes[i];
      if (!by_resize) expect_same(found, name + ": version went up by", bumped(cpu, want[i]), bumped(device, got[i]));
    }
    lines.insert(lines.end(), found.begin(), found.end());
  }
}

// Results that are no tensors: numbers, flags, texts.
void compare_plain(Lines& lines, std::size_t index, const c10::IValue& cpu, const c10::IValue& device) {
  const auto name = "result " + std::to_string(index);
  expect_same(lines, name + ": kind", cpu.tagKind(), device.tagKind());
  if (!lines.empty() || cpu.isTensor() || cpu.isList()) return;
  std::ostringstream want;
  std::ostringstream got;
  want.precision(17);
  got.precision(17);
  want << cpu;
  got << device;
  if (!cpu.isDevice()) expect_same(lines, name, want.str(), got.str());
}

void compare_results(Lines& lines, const Call& cpu, const Call& device, bool exact, const CompareRules& rules) {
  for (std::size_t i = 0; i < cpu.results.size(); ++i) compare_plain(lines, i, cpu.results[i], device.results[i]);
  const auto want = tensors_in(cpu.results);
  const auto got = tensors_in(device.results);
  expect_same(lines, "number of result tensors", want.size(), got.size());
  if (!lines.empty()) return;
  for (std::size_t i = 0; i < want.size(); ++i) {
    Lines found;
    compare_tensor(found, "result " + std::to_string(i), want[i], got[i], exact, result_on_cpu(rules.op, i), rules);
    lines.insert(lines.end(), found.begin(), found.end());
  }
  if (!rules.own_way) expect_same(lines, "sharing:", sharing(cpu), sharing(device));
}

}  // namespace

std::vector<std::string> compare_calls(const Call& cpu, const Call& device, const CompareRules& rules) {
  Lines lines;
  const bool exact = device.same_kernels && !rules.own_way;
  if (cpu.threw && device.threw && both_lack_a_kernel(cpu.error, device.error)) return lines;
  if (cpu.threw != device.threw) {
    // The fused cells of devices have no complex gradient.
    const bool no_complex = device.error.find("differentiation for outputs with complex dtype") != std::string::npos;
    if (rules.own_way && (cpu.threw || no_complex)) return lines;
    lines.push_back(device.threw ? "throws " + device.error_type + ": " + device.error
                                 : "does not throw; the CPU throws " + cpu.error_type + ": " + cpu.error);
    return lines;
  }
  expect_same(lines, "error type", cpu.error_type, device.error_type);
  if (!rules.own_way) expect_same(lines, "error", without_device(cpu.error), without_device(device.error));
  expect_same(lines, "number of results", cpu.results.size(), device.results.size());
  if (lines.empty()) compare_results(lines, cpu, device, exact, rules);
  compare_arguments(lines, cpu, device, exact, rules);
  if (!rules.own_way) expect_same(lines, "warnings", warnings_of(cpu), warnings_of(device));
  return lines;
}

}  // namespace openreg::differential
