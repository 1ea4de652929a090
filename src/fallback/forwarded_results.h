#pragma once

#include <ATen/core/Tensor.h>
#include <ATen/core/stack.h>

#include <array>
#include <tuple>

#include "fallback/host_twins.h"

namespace openreg::fallback {

// How the results of a forwarded call become the caller's: from the CPU kernel's, or from the boxed engine's stack.
// Results that are references are the written arguments, in their order.
template <typename Result>
struct ForwardedResult;

template <>
struct ForwardedResult<at::Tensor> {
  static void to_device(HostTwins& twins, const char* user, at::Tensor& result) {
    at::Tensor* const results[] = {&result};
    twins.to_device(user, results, 1);
  }
  template <typename Written>
  static at::Tensor from_stack(torch::jit::Stack& stack, const Written&) {
    return std::move(stack.back()).toTensor();
  }
};

template <typename... Tensors>
struct ForwardedResult<std::tuple<Tensors...>> {
  static constexpr bool kWritten = (std::is_reference_v<Tensors> && ...);

  static void to_device(HostTwins& twins, const char* user, std::tuple<Tensors...>& results) {
    std::apply(
        [&](auto&... result) {
          at::Tensor* const all[] = {&result...};
          twins.to_device(user, all, sizeof...(Tensors));
        },
        results);
  }
  template <typename Written>
  static std::tuple<Tensors...> from_stack(torch::jit::Stack& stack, const Written& written) {
    return from_stack(stack, written, std::index_sequence_for<Tensors...>());
  }
  template <typename Written>
  static std::tuple<Tensors...> from_arguments(const Written& written) {
    return from_arguments(written, std::index_sequence_for<Tensors...>());
  }

 private:
  template <typename Written, std::size_t... I>
  static std::tuple<Tensors...> from_stack(torch::jit::Stack& stack, const Written& written,
                                           std::index_sequence<I...> all) {
    if constexpr (kWritten) {
      return from_arguments(written, all);
    } else {
      const auto first = stack.size() - sizeof...(Tensors);
      return {std::move(stack[first + I]).toTensor()...};
    }
  }
  template <typename Written, std::size_t... I>
  static std::tuple<Tensors...> from_arguments(const Written& written, std::index_sequence<I...>) {
    return {*written[I]...};
  }
};

template <>
struct ForwardedResult<at::Tensor&> {
  template <typename Written>
  static at::Tensor& from_stack(torch::jit::Stack&, const Written& written) {
    return *written[0];
  }
  template <typename Written>
  static at::Tensor& from_arguments(const Written& written) {
    return *written[0];
  }
};

// Whether all results are written arguments.
template <typename Result>
inline constexpr bool kGivesArguments = std::is_reference_v<Result>;
template <typename... Tensors>
inline constexpr bool kGivesArguments<std::tuple<Tensors...>> = (std::is_reference_v<Tensors> && ...);

}  // namespace openreg::fallback
