#include <openreg/dispatch.h>

#include <ATen/ops/empty.h>
#include <ATen/ops/ones.h>
#include <c10/core/DeviceType.h>
#include <gtest/gtest.h>

#include "throws_with.h"

namespace dispatch = openreg::dispatch;
using c10::DispatchKey;

namespace {

// A backend may have any name; here none is linked that would give it one.
const bool named = (c10::register_privateuse1_backend("vendor"), true);

}  // namespace

TEST(DispatchKey, EveryPrintedNameParsesBackToItsKey) {
  const auto keys = dispatch::all_keys();
  EXPECT_GT(keys.size(), 120U);
  for (const DispatchKey key : keys) {
    EXPECT_EQ(dispatch::key_parse(dispatch::key_name(key)), key) << dispatch::key_name(key);
  }
}

TEST(DispatchKey, AgreesWithLibtorchWhereLibtorchParses) {
  std::size_t parsed = 0;
  for (const DispatchKey key : dispatch::all_keys()) {
    try {
      EXPECT_EQ(dispatch::key_parse(dispatch::key_name(key)), c10::parseDispatchKey(dispatch::key_name(key)));
      ++parsed;
    } catch (const c10::Error&) {
      // libtorch's parser knows fewer names than its printer.
    }
  }
  EXPECT_GT(parsed, 80U);
}

TEST(DispatchKey, TakesEverySpellingOfPrivateUse1) {
  for (const char* const name : {"PrivateUse1", "privateuse1", "vendor", "Vendor", "DispatchKey.PrivateUse1",
                                 "private_use_1", "privateuseone", "VENDOR"}) {
    EXPECT_EQ(dispatch::key_parse(name), DispatchKey::PrivateUse1) << name;
  }
  for (const char* const name : {"AutogradPrivateUse1", "Autogradvendor", "autogradvendor", "AutogradVendor",
                                 "autograd_vendor", "autograd-privateuse1"}) {
    EXPECT_EQ(dispatch::key_parse(name), DispatchKey::AutogradPrivateUse1) << name;
  }
  for (const char* const name : {"DispatchKey::CPU", "c10::DispatchKey::CPU", "DispatchKey.CPU", "dispatchkey::cpu"}) {
    EXPECT_EQ(dispatch::key_parse(name), DispatchKey::CPU) << name;
  }
  EXPECT_EQ(dispatch::key_parse("Autocastvendor"), DispatchKey::AutocastPrivateUse1);
  EXPECT_EQ(dispatch::key_parse("sparsecsrvendor"), DispatchKey::SparseCsrPrivateUse1);
  EXPECT_EQ(dispatch::key_parse("cpu"), DispatchKey::CPU);
  EXPECT_EQ(dispatch::key_parse("autogradcpu"), DispatchKey::AutogradCPU);
}

TEST(DispatchKey, UnknownNamesGetTheNearest) {
  EXPECT_THROWS_WITH(dispatch::key_parse("AutogradCPUU"), "Unknown dispatch key 'AutogradCPUU'. Nearest: AutogradCPU");
  EXPECT_THROWS_WITH(dispatch::key_parse("vendr"), "Nearest: vendor");
  EXPECT_THROWS_WITH(dispatch::key_parse(""), "Unknown dispatch key ''");
  EXPECT_THROWS_WITH(dispatch::key_parse("a_name_of_nothing_at_all"),
                     "Unknown dispatch key 'a_name_of_nothing_at_all'.");
  EXPECT_EQ(dispatch::try_key_parse("nothing"), std::nullopt);
  EXPECT_EQ(dispatch::try_key_parse("openreg"), std::nullopt);  // the name of a backend that is not here
}

TEST(DispatchKey, NumbersAreChecked) {
  EXPECT_EQ(dispatch::key_from_number(static_cast<int>(DispatchKey::AutogradCPU)), DispatchKey::AutogradCPU);
  EXPECT_THROWS_WITH(dispatch::key_from_number(-1), "No dispatch key has the number -1");
  EXPECT_THROWS_WITH(dispatch::key_from_number(100000), "CompositeExplicitAutogradNonFunctional");
}

TEST(DispatchKey, AliasesAreToldFromRuntimeKeys) {
  EXPECT_TRUE(dispatch::is_alias_key(DispatchKey::CompositeImplicitAutograd));
  EXPECT_FALSE(dispatch::is_alias_key(DispatchKey::AutogradCPU));
  EXPECT_TRUE(dispatch::is_included_in_alias(DispatchKey::AutogradPrivateUse1, DispatchKey::Autograd));
  EXPECT_TRUE(dispatch::is_included_in_alias(DispatchKey::CPU, DispatchKey::CompositeExplicitAutograd));
  EXPECT_FALSE(dispatch::is_included_in_alias(DispatchKey::CPU, DispatchKey::Autograd));
}

TEST(DispatchKey, KeyForDeviceTakesAKindAndNoIndex) {
  EXPECT_EQ(dispatch::key_for_device("cpu"), "CPU");
  EXPECT_EQ(dispatch::key_for_device("cuda"), "CUDA");
  EXPECT_EQ(dispatch::key_for_device("privateuseone"), "PrivateUse1");
  EXPECT_THROWS_WITH(dispatch::key_for_device("cpu:0"),
                     "Expected device_type string to not have a device index; got cpu:0");
  EXPECT_THROWS_WITH(dispatch::key_for_device("toaster"), "toaster");
}

TEST(DispatchKey, FunctionalitiesUnfoldIntoBackends) {
  const auto keys = dispatch::functionality_to_backend_keys(DispatchKey::AutogradFunctionality);
  EXPECT_EQ(static_cast<std::int64_t>(keys.size()), dispatch::num_backends());
  EXPECT_EQ(keys.front(), DispatchKey::AutogradCPU);
  for (const DispatchKey key : keys) {
    EXPECT_EQ(dispatch::to_functionality_key(key), DispatchKey::AutogradFunctionality);
  }
  EXPECT_EQ(dispatch::functionality_to_backend_keys(DispatchKey::Python), std::vector{DispatchKey::Python});
}

TEST(KeySet, PrintsInOrderOfPriority) {
  EXPECT_EQ(dispatch::key_set(at::ones({3, 3})), "DispatchKeySet(CPU, ADInplaceOrView, AutogradCPU, AutocastCPU)");
  EXPECT_EQ(dispatch::key_set(at::empty({1}, at::TensorOptions().device(at::kMeta))),
            "DispatchKeySet(Meta, ADInplaceOrView, AutogradMeta)");
  EXPECT_EQ(dispatch::key_set(at::Tensor()), c10::toString(at::Tensor().key_set()));
}

TEST(KeySet, ArithmeticAndRawBitsRoundTrip) {
  const auto set = dispatch::keyset_parse("CPU, AutogradCPU");
  EXPECT_EQ(dispatch::keyset_to_string(set), "DispatchKeySet(CPU, AutogradCPU)");
  EXPECT_EQ(dispatch::keyset_parse(dispatch::keyset_to_string(set)), set);
  EXPECT_EQ(dispatch::keyset_parse("cpu|autogradcpu"), set);
  EXPECT_EQ(dispatch::keyset_from_raw(dispatch::keyset_raw(set)), set);
  EXPECT_EQ(set.highestPriorityTypeId(), DispatchKey::AutogradCPU);
  EXPECT_EQ(dispatch::keyset_to_string(set - c10::DispatchKeySet(DispatchKey::AutogradCPU)), "DispatchKeySet(CPU)");
  EXPECT_TRUE(dispatch::keyset_full().has(DispatchKey::AutogradCPU));
  EXPECT_FALSE(dispatch::keyset_full_after(DispatchKey::AutogradCPU).has(DispatchKey::AutogradCPU));
  EXPECT_TRUE(dispatch::keyset_full_after(DispatchKey::AutogradCPU).has(DispatchKey::BackendSelect));
  EXPECT_EQ(dispatch::get_backend_keyset_from_autograd(DispatchKey::AutogradPrivateUse1),
            c10::DispatchKeySet(DispatchKey::PrivateUse1));
  EXPECT_THROWS_WITH(dispatch::keyset_parse("CPU, Nope"), "Unknown dispatch key 'Nope'");
  EXPECT_THROWS_WITH(dispatch::keyset_parse("Autograd"), "cannot stand in a key set");
}

TEST(KeySet, SubclassLikeTensorsAreTold) {
  EXPECT_FALSE(dispatch::is_tensor_subclass_like(at::ones({1})));
  const at::Tensor batched =
      at::detail::make_tensor<c10::TensorImpl>(c10::DispatchKeySet({DispatchKey::CPU, DispatchKey::FuncTorchBatched}),
                                               caffe2::TypeMeta::Make<float>(), at::kCPU);
  EXPECT_TRUE(dispatch::is_tensor_subclass_like(batched));
  EXPECT_TRUE(dispatch::is_main_interpreter());
}

TEST(ThreadKeys, ScopesIncludeAndExclude) {
  EXPECT_FALSE(dispatch::tls_is_dispatch_key_excluded(DispatchKey::AutogradCPU));
  {
    const dispatch::ExcludeKeys scope(DispatchKey::AutogradCPU);
    EXPECT_TRUE(dispatch::tls_is_dispatch_key_excluded(DispatchKey::AutogradCPU));
    EXPECT_TRUE(dispatch::tls_local_exclude_set().has(DispatchKey::AutogradCPU));
  }
  EXPECT_FALSE(dispatch::tls_is_dispatch_key_excluded(DispatchKey::AutogradCPU));
  {
    const dispatch::IncludeKeys scope(DispatchKey::Tracer);
    EXPECT_TRUE(dispatch::tls_is_dispatch_key_included(DispatchKey::Tracer));
    EXPECT_TRUE(dispatch::tls_local_include_set().has(DispatchKey::Tracer));
  }
  EXPECT_FALSE(dispatch::tls_is_dispatch_key_included(DispatchKey::Tracer));
  dispatch::tls_set_dispatch_key_included(DispatchKey::Tracer, true);
  dispatch::tls_set_dispatch_key_excluded(DispatchKey::Python, true);
  EXPECT_TRUE(dispatch::tls_is_dispatch_key_included(DispatchKey::Tracer));
  EXPECT_TRUE(dispatch::tls_is_dispatch_key_excluded(DispatchKey::Python));
  dispatch::tls_set_dispatch_key_included(DispatchKey::Tracer, false);
  dispatch::tls_set_dispatch_key_excluded(DispatchKey::Python, false);
  EXPECT_FALSE(dispatch::tls_is_dispatch_key_included(DispatchKey::Tracer));
}
