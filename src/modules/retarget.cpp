#include <ATen/core/Tensor.h>
#include <ATen/core/ivalue.h>
#include <torch/csrc/jit/api/module.h>
#include <torch/csrc/jit/ir/constants.h>
#include <torch/csrc/jit/ir/ir.h>
#include <torch/csrc/jit/passes/inliner.h>

#include <mutex>

#include "device/runtime.h"
#include "openreg/modules.h"

namespace openreg {
namespace {

using torch::jit::Block;
using torch::jit::Graph;
using torch::jit::IValue;
using torch::jit::Node;

std::size_t count(const Retargeted& changes) { return changes.devices + changes.tensors + changes.names; }

// What the device type is called where no backend has named it.
constexpr const char* kUnnamed = "privateuseone";

class Rewriter {
 public:
  explicit Rewriter(c10::Device device) : device_(device) {}

  const Retargeted& changes() const { return changes_; }

  void rewrite(Graph& graph) {
    // Functions are shared with other modules: what they hold is changed in a copy, here.
    if (calls_functions(*graph.block())) torch::jit::Inline(graph);
    rewrite(graph, *graph.block());
  }

  void rewrite_slots(const torch::jit::Module& module) {
    const auto& object = module._ivalue();
    for (std::size_t i = 0; i < object->slots().size(); ++i) {
      if (const auto value = object->getSlot(i); value.isDevice()) object->setSlot(i, moved(value));
    }
  }

 private:
  static bool calls_functions(const Block& block) {
    for (const Node* node : block.nodes()) {
      if (node->kind() == torch::jit::prim::CallFunction) return true;
      for (const Block* inner : node->blocks()) {
        if (calls_functions(*inner)) return true;
      }
    }
    return false;
  }

  void rewrite(Graph& graph, Block& block) {
    for (auto node = block.nodes().begin(); node != block.nodes().end(); ++node) {
      for (Block* inner : node->blocks()) rewrite(graph, *inner);
      // aten::device("cpu") is what torch.device("cpu") becomes where nothing folds it.
      const bool constant = node->kind() == torch::jit::prim::Constant;
      if (!constant && node->kind() != torch::jit::aten::device) continue;
      const auto value = constant ? torch::jit::toIValue(node->output()) : device_of_call(**node);
      if (!value.has_value()) continue;
      const auto before = count(changes_);
      const auto replacement = moved(*value);
      if (count(changes_) == before) continue;
      const torch::jit::WithInsertPoint here(*node);
      node->output()->replaceAllUsesWith(torch::jit::insertConstant(graph, replacement));
      node.destroyCurrent();
    }
  }

  static std::optional<IValue> device_of_call(const Node& node) {
    if (node.inputs().size() != 1) return std::nullopt;
    const auto name = torch::jit::toIValue(node.input(0));
    if (!name.has_value() || !name->isString()) return std::nullopt;
    return IValue(c10::Device(name->toStringRef()));
  }

  IValue moved(const IValue& value) {
    if (value.isDevice() && value.toDevice() != device_) {
      ++changes_.devices;
      return device_;
    }
    if (value.isTensor() && value.toTensor().defined() && value.toTensor().layout() == c10::kStrided &&
        value.toTensor().device() != device_) {
      ++changes_.tensors;
      return value.toTensor().to(device_);
    }
    if (value.isString() && device_.type() == device::kDeviceType && value.toStringRef() == kUnnamed) {
      ++changes_.names;
      return device::kBackendName;
    }
    if (value.isList() && value.toList().elementType()->kind() == c10::TypeKind::StringType) {
      c10::List<std::string> list;
      for (const IValue& item : value.toListRef()) list.push_back(moved(item).toStringRef());
      return list;
    }
    if (value.isTensorList()) {
      c10::List<at::Tensor> list;
      for (const IValue& item : value.toListRef()) list.push_back(moved(item).toTensor());
      return list;
    }
    if (value.isTuple()) {
      std::vector<IValue> elements;
      for (const IValue& element : value.toTupleRef().elements()) elements.push_back(moved(element));
      return c10::ivalue::Tuple::create(std::move(elements));
    }
    return value;
  }

  c10::Device device_;
  Retargeted changes_;
};

}  // namespace

Retargeted retarget(torch::jit::Module& module, c10::Device device) {
  if (device.type() == device::kDeviceType) device = device::resolve_device(device);
  // The copy's classes go into the compilation unit that all copies of a module share, which knows no threads.
  static std::mutex one_at_a_time;
  const std::lock_guard lock(one_at_a_time);
  auto copy = module.clone(/*inplace=*/true);
  Rewriter rewriter(device);
  std::vector<c10::TypePtr> done;  // modules of one class share their methods
  for (const auto& part : copy.modules()) {
    rewriter.rewrite_slots(part);
    if (std::find(done.begin(), done.end(), part.type()) != done.end()) continue;
    done.push_back(part.type());
    for (const auto& method : part.get_methods()) rewriter.rewrite(*method.graph());
  }
  const auto& changes = rewriter.changes();
  if (count(changes) > 0) module = std::move(copy);
  return changes;
}

}  // namespace openreg
