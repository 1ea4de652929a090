#pragma once

#include <ATen/core/IListRef.h>
#include <ATen/core/List.h>
#include <ATen/core/Tensor.h>
#include <ATen/core/stack.h>
#include <c10/util/SmallVector.h>

#include <optional>
#include <type_traits>

#include "fallback/host_twins.h"

namespace openreg::fallback {

// One argument of a forwarded call: take() finds its CPU counterpart and is false when there is none, get() is what
// the CPU kernel is given, and push() is the argument itself for the boxed engine.

// Whatever holds no tensor passes as it is.
template <typename Argument>
struct HostArgument {
  using Plain = std::remove_reference_t<Argument>;

  static bool take(HostTwins&, const Plain&) { return true; }
  static Argument get(Plain& argument) { return argument; }
  static void push(torch::jit::Stack& stack, const Plain& argument) { torch::jit::push(stack, argument); }
};

template <>
struct HostArgument<const at::Tensor&> {
  const at::Tensor* host = nullptr;

  bool take(HostTwins& twins, const at::Tensor& tensor) {
    host = twins.take(tensor, false);
    return host != nullptr;
  }
  const at::Tensor& get(const at::Tensor&) const { return *host; }
  static void push(torch::jit::Stack& stack, const at::Tensor& tensor) { torch::jit::push(stack, tensor); }
};

// What the kernel writes: in place, or as out=.
template <>
struct HostArgument<at::Tensor&> {
  const at::Tensor* host = nullptr;

  bool take(HostTwins& twins, const at::Tensor& tensor) {
    host = tensor.defined() ? twins.take(tensor, true) : nullptr;
    return host != nullptr;
  }
  at::Tensor& get(at::Tensor&) const { return const_cast<at::Tensor&>(*host); }
  static void push(torch::jit::Stack& stack, const at::Tensor& tensor) { torch::jit::push(stack, tensor); }
};

template <>
struct HostArgument<const std::optional<at::Tensor>&> {
  std::optional<at::Tensor> host;

  bool take(HostTwins& twins, const std::optional<at::Tensor>& tensor) {
    if (!tensor.has_value()) {
      return true;
    }
    const auto* found = twins.take(*tensor, false);
    if (found != nullptr) {
      host = *found;
    }
    return found != nullptr;
  }
  const std::optional<at::Tensor>& get(const std::optional<at::Tensor>&) const { return host; }
  static void push(torch::jit::Stack& stack, const std::optional<at::Tensor>& tensor) {
    torch::jit::push(stack, tensor);
  }
};

template <typename List>
struct HostList {
  c10::SmallVector<at::Tensor, 4> hosts;

  bool take(HostTwins& twins, const List& tensors) {
    for (const at::Tensor& tensor : tensors) {
      const auto* found = twins.take(tensor, false);
      if (found == nullptr) {
        return false;
      }
      hosts.push_back(*found);
    }
    return true;
  }
  List get(const List&) const { return at::TensorList(hosts); }
  static void push(torch::jit::Stack& stack, const List& tensors) {
    c10::List<at::Tensor> list;
    list.reserve(tensors.size());
    for (const at::Tensor& tensor : tensors) {
      list.push_back(tensor);
    }
    torch::jit::push(stack, std::move(list));
  }
};

template <>
struct HostArgument<at::TensorList> : HostList<at::TensorList> {};
template <>
struct HostArgument<const at::ITensorListRef&> : HostList<at::ITensorListRef> {};

}  // namespace openreg::fallback
