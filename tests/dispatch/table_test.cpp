// dump_table against a table that the test works out: from the kernels that were registered and libtorch's documented
// order of precedence, without the dump functions and without the computed table.
#include <openreg/dispatch.h>

#include <filesystem>
#include <fstream>
#include <list>
#include <regex>
#include <sstream>

#include <ATen/core/dispatch/OperatorEntry.h>
#include <gtest/gtest.h>

namespace dispatch = openreg::dispatch;
using c10::DispatchKey;

namespace {

using Kernels = std::list<c10::impl::AnnotatedKernel>;

// The registered kernels are private; an explicit instantiation may name them.
const Kernels* kernels_of(const c10::OperatorHandle& op, DispatchKey key);
const c10::impl::AnnotatedKernel& fallback_of(const c10::Dispatcher& dispatcher, DispatchKey key);

template <typename Map>
const Kernels* find_in(const Map& registered, DispatchKey key) {
  const auto found = registered.find(key);
  return found == registered.end() || found->second.empty() ? nullptr : &found->second;
}

template <auto Definition, auto Registered>
struct ReachKernels {
  friend const Kernels* kernels_of(const c10::OperatorHandle& op, DispatchKey key) {
    return find_in((op.*Definition)->op.*Registered, key);
  }
};
template struct ReachKernels<&c10::OperatorHandle::operatorDef_, &c10::impl::OperatorEntry::kernels_>;

template <auto Fallbacks>
struct ReachFallbacks {
  friend const c10::impl::AnnotatedKernel& fallback_of(const c10::Dispatcher& dispatcher, DispatchKey key) {
    return (dispatcher.*Fallbacks)[static_cast<std::size_t>(c10::getDispatchTableIndexForDispatchKey(key))];
  }
};
template struct ReachFallbacks<&c10::Dispatcher::backendFallbackKernels_>;

struct Row {
  const c10::impl::AnnotatedKernel* kernel = nullptr;
  const char* why = nullptr;  // nullptr: no row
};

bool any_kernel(const c10::OperatorHandle& op, c10::DispatchKeySet keys) {
  for (const DispatchKey key : keys) {
    if (kernels_of(op, key) != nullptr) {
      return true;
    }
  }
  return false;
}

Row row_of(const c10::OperatorHandle& op, DispatchKey key) {
  if (const auto* const direct = kernels_of(op, key)) {
    return {&direct->front(), "kernel"};
  }
  const auto covers = [&](DispatchKey alias) {
    return key == DispatchKey::Undefined || c10::isIncludedInAlias(key, alias);
  };
  const bool has_backend_kernel = any_kernel(op, c10::getBackendKeySetFromAutograd(key)) ||
                                  kernels_of(op, DispatchKey::CompositeExplicitAutograd) != nullptr;
  for (const DispatchKey alias :
       {DispatchKey::CompositeExplicitAutogradNonFunctional, DispatchKey::CompositeExplicitAutograd}) {
    if (const auto* const found = kernels_of(op, alias); found != nullptr && covers(alias)) {
      return {&found->front(), "default backend kernel"};
    }
  }
  if (const auto* const nested = kernels_of(op, DispatchKey::CompositeImplicitAutogradNestedTensor);
      nested != nullptr && key != DispatchKey::Undefined &&
      c10::isIncludedInAlias(key, DispatchKey::CompositeImplicitAutogradNestedTensor)) {
    if (!has_backend_kernel) {
      return {&nested->front(), "nested kernel"};
    }
  }
  if (const auto* const math = kernels_of(op, DispatchKey::CompositeImplicitAutograd);
      math != nullptr && covers(DispatchKey::CompositeImplicitAutograd)) {
    if (key == DispatchKey::AutogradOther && any_kernel(op, c10::autogradother_backends)) {
      return {nullptr, "ambiguous autogradother"};
    }
    if (!has_backend_kernel) {
      return {&math->front(), "math kernel"};
    }
  }
  if (const auto* const autograd = kernels_of(op, DispatchKey::Autograd);
      autograd != nullptr && c10::isIncludedInAlias(key, DispatchKey::Autograd)) {
    return {&autograd->front(), "autograd kernel"};
  }
  if (const auto* const batched = kernels_of(op, DispatchKey::FuncTorchBatchedDecomposition);
      batched != nullptr && c10::isIncludedInAlias(key, DispatchKey::FuncTorchBatchedDecomposition)) {
    return {&batched->front(), "batched kernel"};
  }
  if (const auto& fallback = fallback_of(c10::Dispatcher::singleton(), key); fallback.kernel.isValid()) {
    return {&fallback, "backend fallback"};
  }
  return {};
}

std::string table_of(const c10::OperatorHandle& op) {
  std::string text;
  for (const DispatchKey key : dispatch::runtime_keys()) {
    const Row row = row_of(op, key);
    if (row.why == nullptr) {
      continue;
    }
    const bool ambiguous = row.kernel == nullptr;
    text += std::string(c10::toString(key)) + ": ";
    text += ambiguous ? "ambiguous_autogradother"
                      : (row.kernel->kernel.isFallthrough() ? "fallthrough " : "") + row.kernel->debug;
    text += std::string(" [") + row.why + "]\n";
  }
  return text;
}

// Lines differ between builds of libtorch; what is registered where does not.
std::string without_line_numbers(const std::string& table) {
  return std::regex_replace(table, std::regex("registered at [^ ]*/([A-Za-z]+)[^ ]*:[0-9]+"), "registered at $1");
}

}  // namespace

TEST(DumpTable, IsTheTableThatTheRegistrationsGive) {
  const char* const operators[] = {"aten::abs",
                                   "aten::abs.out",
                                   "aten::abs_",
                                   "aten::add.Tensor",
                                   "aten::add.out",
                                   "aten::add.Scalar",
                                   "aten::mul.Tensor",
                                   "aten::div.Tensor",
                                   "aten::mm",
                                   "aten::bmm",
                                   "aten::addmm",
                                   "aten::linear",
                                   "aten::matmul",
                                   "aten::convolution",
                                   "aten::conv2d",
                                   "aten::relu",
                                   "aten::sigmoid",
                                   "aten::softmax.int",
                                   "aten::_softmax",
                                   "aten::sum",
                                   "aten::sum.dim_IntList",
                                   "aten::mean",
                                   "aten::max",
                                   "aten::argmax",
                                   "aten::cat",
                                   "aten::stack",
                                   "aten::split.Tensor",
                                   "aten::view",
                                   "aten::reshape",
                                   "aten::as_strided",
                                   "aten::expand",
                                   "aten::permute",
                                   "aten::transpose.int",
                                   "aten::detach",
                                   "aten::clone",
                                   "aten::copy_",
                                   "aten::empty.memory_format",
                                   "aten::empty_strided",
                                   "aten::ones",
                                   "aten::randn",
                                   "aten::normal_",
                                   "aten::dropout",
                                   "aten::native_layer_norm",
                                   "aten::batch_norm",
                                   "aten::silu_backward",
                                   "aten::index.Tensor",
                                   "aten::embedding",
                                   "aten::nll_loss_forward",
                                   "aten::to.dtype",
                                   "aten::_local_scalar_dense",
                                   "aten::lstm.input",
                                   "aten::scaled_dot_product_attention"};
  EXPECT_GE(std::size(operators), 50U);
  for (const char* const name : operators) {
    EXPECT_EQ(dispatch::dump_table(name), table_of(dispatch::find_schema(name))) << name;
  }
}

TEST(DumpTable, OfAddIsTheCommittedListing) {
  if (!std::filesystem::exists(OPENREG_GOLDENS)) {
    GTEST_SKIP() << "no goldens for this version of libtorch: " OPENREG_GOLDENS;
  }
  std::ifstream file(OPENREG_GOLDENS "/add_table.txt");
  ASSERT_TRUE(file);
  std::ostringstream golden;
  golden << file.rdbuf();
  EXPECT_EQ(without_line_numbers(dispatch::dump_table("aten::add.Tensor")), golden.str());
}
