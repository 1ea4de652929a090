#include "compare.h"

#include <ATen/core/class_type.h>
#include <ATen/ops/scalar_tensor.h>
#include <c10/util/StringUtil.h>

#include <cmath>
#include <limits>

#include "compare_tensors.h"
#include "text.h"
#include "values.h"

namespace openreg::demo {
namespace {

class Comparer {
 public:
  explicit Comparer(const Comparison& how) : how_(how) {}

  void compare_values(const std::string& path, const c10::IValue& cpu, const c10::IValue& device) {
    if (cpu.isTensor() && device.isTensor()) {
      leaves_.push_back(compare_tensors(path, cpu.toTensor(), device.toTensor(), how_));
    } else if (cpu.isTuple() && device.isTuple()) {
      compare_sequences(path, cpu.toTupleRef().elements(), device.toTupleRef().elements());
    } else if (cpu.isList() && device.isList()) {
      compare_sequences(path, cpu.toListRef(), device.toListRef());
    } else if (cpu.isGenericDict() && device.isGenericDict()) {
      compare_dicts(path, cpu.toGenericDict(), device.toGenericDict());
    } else if (cpu.isObject() && device.isObject()) {
      compare_objects(path, cpu.toObjectRef(), device.toObjectRef());
    } else if (cpu.isDevice() && device.isDevice()) {
      add(path, cpu, "");  // a model may return the device it runs on
    } else {
      compare_scalars(path, cpu, device);
    }
  }

  std::vector<Leaf> take() { return std::move(leaves_); }

 private:
  void add(const std::string& path, const c10::IValue& cpu, std::string problem) {
    const double difference = problem.empty() ? 0 : std::numeric_limits<double>::infinity();
    leaves_.push_back({path, describe(cpu), difference, std::move(problem)});
  }

  void add_different(const std::string& path, const c10::IValue& cpu, const c10::IValue& device) {
    add(path, cpu,
        c10::str(path, " is ", describe(device), " on ", how_.device, ", but ", describe(cpu), " on the CPU"));
  }

  void compare_sequences(const std::string& path, c10::ArrayRef<c10::IValue> cpu, c10::ArrayRef<c10::IValue> device) {
    if (cpu.size() != device.size()) {
      add(path, c10::IValue(),
          c10::str(path, " has ", plural(device.size(), "element"), " on ", how_.device, ", but ", cpu.size(),
                   " on the CPU"));
      return;
    }
    for (std::size_t i = 0; i < cpu.size(); ++i) {
      compare_values(c10::str(path, "[", i, "]"), cpu[i], device[i]);
    }
  }

  void compare_dicts(const std::string& path, const c10::impl::GenericDict& cpu, const c10::impl::GenericDict& device) {
    if (cpu.size() != device.size()) {
      add_different(path, cpu, device);
      return;
    }
    for (const auto& entry : cpu) {
      const auto key = entry.key().isString() ? "'" + entry.key().toStringRef() + "'" : c10::str(entry.key());
      const auto inner = path + "[" + key + "]";
      // Keys that are tensors are found by identity, which a twin on the device never has.
      const auto found = device.find(entry.key());
      if (found == device.end()) {
        add(inner, entry.value(), c10::str(inner, " is missing on ", how_.device));
      } else {
        compare_values(inner, entry.value(), found->value());
      }
    }
  }

  void compare_objects(const std::string& path, const c10::ivalue::Object& cpu, const c10::ivalue::Object& device) {
    const auto type = cpu.type();
    if (type->numAttributes() != device.type()->numAttributes()) {
      add(path, c10::IValue(), path + " is an object of another class");
      return;
    }
    for (std::size_t i = 0; i < type->numAttributes(); ++i) {
      compare_values(path + "." + type->getAttributeName(i), cpu.getSlot(i), device.getSlot(i));
    }
  }

  void compare_scalars(const std::string& path, const c10::IValue& cpu, const c10::IValue& device) {
    if (cpu.isDouble() && device.isDouble()) {
      auto leaf = compare_tensors(path, at::scalar_tensor(cpu.toDouble(), at::kDouble),
                                  at::scalar_tensor(device.toDouble(), at::kDouble), {how_.tolerance, at::kCPU});
      leaf.what = describe(cpu);
      leaves_.push_back(std::move(leaf));
    } else if (cpu.tagKind() == device.tagKind() && cpu == device) {
      add(path, cpu, "");
    } else {
      add_different(path, cpu, device);
    }
  }

  Comparison how_;
  std::vector<Leaf> leaves_;
};

}  // namespace

std::vector<Leaf> compare(const std::string& path, const c10::IValue& from_cpu, const c10::IValue& from_device,
                          const Comparison& how) {
  Comparer comparer(how);
  comparer.compare_values(path, from_cpu, from_device);
  return comparer.take();
}

}  // namespace openreg::demo
