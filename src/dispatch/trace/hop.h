#pragma once

// What the generated functions need, and nothing more: this header is read by every one of them.

#include <atomic>
#include <cstdint>
#include <initializer_list>
#include <utility>

#include <ATen/core/ATen_fwd.h>
#include <ATen/core/Generator.h>
#include <ATen/core/IListRef.h>
#include <ATen/core/List.h>
#include <ATen/core/Tensor.h>
#include <c10/core/DispatchKeySet.h>

#include "hook_table.h"

#pragma GCC visibility push(hidden)
namespace openreg::trace::detail {

struct Frame;

/// 0: originals are known and nobody traces. Everything else takes the slow way.
extern std::atomic<std::uint8_t> gate;

// Note [Interposed operators]
// libtorch calls its operators through the exported functions at::_ops::NAME::call and ::redispatch, by way of the
// PLT. The generated sources define functions with the same names, so a program that links them is called instead,
// from inside libtorch too, and passes the call on to the original. With the trace off that is one load, one branch and
// an indirect call.
[[gnu::always_inline]] inline bool off() { return __builtin_expect(gate.load(std::memory_order_acquire) == 0, 1); }

template <typename Function>
[[gnu::always_inline]] inline Function original(std::size_t slot) {
  return reinterpret_cast<Function>(originals[slot]);
}

c10::DispatchKeySet keys_of(const at::Tensor& tensor);
c10::DispatchKeySet keys_of(const std::optional<at::Tensor>& tensor);
c10::DispatchKeySet keys_of(at::ArrayRef<at::Tensor> tensors);
c10::DispatchKeySet keys_of(const at::ITensorListRef& tensors);
c10::DispatchKeySet keys_of(const c10::List<std::optional<at::Tensor>>& tensors);
c10::DispatchKeySet keys_of(const at::Generator& generator);
c10::DispatchKeySet keys_of(const std::optional<at::Generator>& generator);

/// One step through an interposed function: reported when made, ended when destroyed. Never throws.
class Hop {
 public:
  /// A call, with the keys of each argument that takes part in the dispatch.
  Hop(std::uint32_t op, std::initializer_list<c10::DispatchKeySet> arguments) noexcept;
  /// A redispatch to the highest key of the set.
  Hop(std::uint32_t op, c10::DispatchKeySet keys) noexcept;
  ~Hop();
  Hop(const Hop&) = delete;
  Hop& operator=(const Hop&) = delete;

 private:
  Frame* frame_ = nullptr;
};

}  // namespace openreg::trace::detail
#pragma GCC visibility pop
