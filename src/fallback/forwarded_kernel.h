#pragma once

#include <ATen/core/LegacyTypeDispatch.h>
#include <c10/core/impl/LocalDispatchKeySet.h>
#include <torch/library.h>

#include "device/streams.h"
#include "fallback/forwarded_arguments.h"
#include "fallback/forwarded_results.h"
#include "fallback/forwarding.h"
#include "fallback/host_allocator.h"

namespace openreg::fallback {

// The kernel of a forwarded operator: the boxed fallback's work without a stack. It is compiled once for each
// signature, and the operator is data in it.
//
// Only the plain case is done here: mapped memory, ordinary strided tensors on one device, CPU numbers among them,
// and a policy that lets the operator run. All else goes to the boxed engine, which looks at the arguments anew.
template <typename Signature>
class ForwardedKernel;

template <typename Result, typename... Arguments>
class ForwardedKernel<Result(Arguments...)> {
 public:
  // at::_ops::NAME::redispatch
  using Redispatch = Result (*)(c10::DispatchKeySet, Arguments...);

  ForwardedKernel(const c10::OperatorHandle& op, Redispatch redispatch) : operator_(op), redispatch_(redispatch) {}

  Result operator()(Arguments... arguments) { return run(std::index_sequence_for<Arguments...>(), arguments...); }

 private:
  static constexpr std::size_t kWritten = (std::size_t{std::is_same_v<Arguments, at::Tensor&>} + ... + 0);

  template <std::size_t... I>
  Result run(std::index_sequence<I...>, std::remove_reference_t<Arguments>&... arguments) {
    if (C10_LIKELY(operator_.may_go_straight())) {
      HostTwins twins;
      std::tuple<HostArgument<Arguments>...> hosts;
      if (C10_LIKELY((std::get<I>(hosts).take(twins, arguments) && ...) && twins.device() >= 0)) {
        const LedgerTimer timer(operator_.info().record, Way::forwarded);
        const char* name = operator_.info().record.name().c_str();
        device::order_with_current_stream(twins.device());
        if constexpr (kGivesArguments<Result>) {
          call(twins, name, [&] { static_cast<void>(redispatch_(kHostKeys, std::get<I>(hosts).get(arguments)...)); });
          return ForwardedResult<Result>::from_arguments(written(arguments...));
        } else {
          Result result;
          call(twins, name, [&] { result = redispatch_(kHostKeys, std::get<I>(hosts).get(arguments)...); });
          ForwardedResult<Result>::to_device(twins, name, result);
          return result;
        }
      }
    }
    torch::jit::Stack stack;
    stack.reserve(sizeof...(Arguments));
    (HostArgument<Arguments>::push(stack, arguments), ...);
    operator_.run_boxed(&stack);
    return ForwardedResult<Result>::from_stack(stack, written(arguments...));
  }

  template <typename Kernel>
  static void call(HostTwins& twins, const char* name, const Kernel& kernel) {
    try {
      const AdoptionScope adoption(twins.device());
      const c10::impl::ExcludeDispatchKeyGuard no_autocast(c10::autocast_dispatch_keyset);
      kernel();
    } catch (...) {
      twins.write_back(name);
      throw;
    }
    twins.write_back(name);
  }

  static std::array<at::Tensor*, kWritten> written(std::remove_reference_t<Arguments>&... arguments) {
    std::array<at::Tensor*, kWritten> result{};
    [[maybe_unused]] std::size_t count = 0;
    const auto add = [&]([[maybe_unused]] auto& argument, auto is_written) {
      if constexpr (decltype(is_written)::value) {
        result[count++] = &argument;
      }
    };
    (add(arguments, std::is_same<Arguments, at::Tensor&>()), ...);
    return result;
  }

  static constexpr c10::DispatchKeySet kHostKeys{c10::DispatchKey::CPU};

  ForwardedOperator operator_;
  Redispatch redispatch_;
};

template <typename Op>
void add_forwarded(torch::Library& library, const char* name, const c10::OperatorHandle& op) {
  library.impl(name, ForwardedKernel<typename Op::schema>(op, &Op::redispatch));
}

// The entry for at::_ops::NAME.
template <typename Op>
constexpr Forwarded forwarded() {
  return {Op::name, Op::overload_name, &add_forwarded<Op>};
}

}  // namespace openreg::fallback
