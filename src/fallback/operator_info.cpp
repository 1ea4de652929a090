#include "fallback/operator_info.h"

#include <algorithm>
#include <array>
#include <memory>
#include <mutex>
#include <string_view>
#include <unordered_map>

namespace openreg::fallback {
namespace {

// Arguments that may lie on the CPU though they have dimensions, because CUDA's kernels take them there too.
struct NamedArgument {
  std::string_view op;  // all overloads
  std::string_view argument;
};
constexpr std::array kCpuArguments{
    NamedArgument{"aten::index", "indices"},  // the host computes the offsets
    NamedArgument{"aten::_unsafe_index", "indices"},
    NamedArgument{"aten::index_put", "indices"},
    NamedArgument{"aten::index_put_", "indices"},
    NamedArgument{"aten::_index_put_impl", "indices"},
    NamedArgument{"aten::_index_put_impl_", "indices"},
    NamedArgument{"aten::_unsafe_index_put", "indices"},
    NamedArgument{"aten::tensor_split", "tensor_indices_or_sections"},
    NamedArgument{"aten::_pack_padded_sequence", "lengths"},  // lengths steer the host's loop
    NamedArgument{"aten::_pack_padded_sequence_backward", "batch_sizes"},
    NamedArgument{"aten::_pad_packed_sequence", "batch_sizes"},
    NamedArgument{"aten::_ctc_loss", "input_lengths"},
    NamedArgument{"aten::_ctc_loss", "target_lengths"},
    NamedArgument{"aten::_fused_adam_", "lr"},  // one number, which the host reads
    NamedArgument{"aten::_fused_adamw_", "lr"},
    NamedArgument{"aten::_fused_sgd_", "lr"},
    NamedArgument{"aten::_fused_adagrad_", "lr"},
};

// Arguments that kernels write though the schema does not say so, in some versions of libtorch at least.
constexpr std::array kWrittenArguments{
    NamedArgument{"aten::native_batch_norm", "running_mean"},
    NamedArgument{"aten::native_batch_norm", "running_var"},
    NamedArgument{"aten::batch_norm_update_stats", "running_mean"},
    NamedArgument{"aten::batch_norm_update_stats", "running_var"},
    NamedArgument{"aten::rrelu_with_noise", "noise"},
    NamedArgument{"aten::rrelu_with_noise_", "noise"},
};

template <std::size_t count>
bool has(const std::array<NamedArgument, count>& table, const std::string& op, const std::string& argument) {
  return std::any_of(table.begin(), table.end(),
                     [&](const NamedArgument& entry) { return entry.op == op && entry.argument == argument; });
}

bool is_generator(const c10::TypePtr& type) {
  const auto kind = type->kind();
  return kind == c10::TypeKind::GeneratorType ||
         (kind == c10::TypeKind::OptionalType &&
          type->expectRef<c10::OptionalType>().getElementType()->kind() == c10::TypeKind::GeneratorType);
}

// Known operators by the address of their schema, which is fixed while they are registered.
struct Known {
  std::mutex mutex;
  std::unordered_map<const void*, std::unique_ptr<OperatorInfo>> by_schema;
  std::atomic<std::uint64_t> generation{1};  // counts unregistered operators: their addresses may be used again
};

Known& known();

class Listener final : public c10::OpRegistrationListener {
 public:
  void onOperatorRegistered(const c10::OperatorHandle&) override {}
  void onOperatorDeregistered(const c10::OperatorHandle& op) override {
    auto& all = known();
    const std::lock_guard lock(all.mutex);
    all.by_schema.erase(&op.schema());
    all.generation.fetch_add(1, std::memory_order_release);
  }
};

// Leaked, as is the listener's handle: operators may run in destructors of static tensors.
Known& known() {
  static auto* const instance = new Known;
  return *instance;
}

const OperatorInfo& find_or_make(const c10::OperatorHandle& op) {
  [[maybe_unused]] static const auto* const listener = new c10::RegistrationHandleRAII(
      c10::Dispatcher::singleton().addRegistrationListener(std::make_unique<Listener>()));
  auto& all = known();
  const std::lock_guard lock(all.mutex);
  auto& info = all.by_schema[&op.schema()];
  if (info == nullptr) {
    info = std::make_unique<OperatorInfo>(op);
  }
  return *info;
}

}  // namespace

OperatorInfo::OperatorInfo(const c10::OperatorHandle& op)
    : handle(op),
      record(operator_record(to_text(op.operator_name()))),
      returns(op.schema().returns().size()),
      has_cpu_kernel(op.hasComputedKernelForDispatchKey(c10::DispatchKey::CPU)),
      has_composite_kernel(op.hasComputedKernelForDispatchKey(c10::DispatchKey::PrivateUse3)) {
  const auto& schema = op.schema();
  arguments.reserve(schema.arguments().size());
  for (const auto& argument : schema.arguments()) {
    const bool written = (argument.alias_info() != nullptr && argument.alias_info()->isWrite()) ||
                         has(kWrittenArguments, schema.name(), argument.name());
    arguments.push_back({written, has(kCpuArguments, schema.name(), argument.name()), is_generator(argument.type())});
    writes = writes || written;
  }
}

const OperatorInfo& operator_info(const c10::OperatorHandle& op) {
  struct Slot {
    const void* schema = nullptr;
    const OperatorInfo* info = nullptr;
    std::uint64_t generation = 0;
  };
  thread_local std::array<Slot, 256> cache;
  const auto* schema = &op.schema();
  auto& slot = cache[(reinterpret_cast<std::uintptr_t>(schema) >> 6) % cache.size()];
  const auto generation = known().generation.load(std::memory_order_acquire);
  if (__builtin_expect(slot.schema != schema || slot.generation != generation, 0)) {
    slot = {schema, &find_or_make(op), generation};
  }
  return *slot.info;
}

}  // namespace openreg::fallback
