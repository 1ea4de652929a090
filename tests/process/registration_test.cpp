#include <ATen/ATen.h>
#include <ATen/detail/PrivateUse1HooksInterface.h>
#include <gtest/gtest.h>
#include <torch/library.h>

#include "registration.h"
#include "support/compare.h"
#include "support/errors.h"
#include "support/samples.h"

// What is registered, and what a user may register beside it.
namespace openreg::test {
namespace {

TEST(Registration, IsWholeBeforeMain) {
  EXPECT_EQ(registration_state(), RegistrationState::done);
  EXPECT_EQ(registration_problem(), "");
  EXPECT_TRUE(c10::is_privateuse1_backend_registered());
  EXPECT_TRUE(at::isPrivateUse1HooksRegistered());
  EXPECT_TRUE(c10::impl::hasDeviceGuardImpl(c10::DeviceType::PrivateUse1));
  EXPECT_NE(c10::GetAllocator(c10::DeviceType::PrivateUse1), nullptr);
}

TEST(Registration, TheAcceleratorIsOurs) {
  const auto accelerator = at::getAccelerator(/*checked=*/true);
  EXPECT_EQ(accelerator, c10::DeviceType::PrivateUse1);
}

// Code written for older versions registers the autograd fallback itself.
TEST(Registration, AUsersAutogradFallthroughForAnOperatorDoesNoHarm) {
  torch::Library library(torch::Library::IMPL, "aten", c10::DispatchKey::AutogradPrivateUse1, __FILE__, __LINE__);
  library.impl("floor", torch::CppFunction::makeFallthrough());
  EXPECT_TRUE(same_on_device(at::full({2}, 1.0f), at::floor(at::full({2}, 1.5f, device()))));
}

// The same for all operators, in a process of its own, where the device is cold.
TEST(Registration, AUsersFallthroughsForAllOperatorsDoNoHarm) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(
      {
        for (const auto key : {c10::DispatchKey::AutogradPrivateUse1, c10::DispatchKey::AutocastPrivateUse1}) {
          auto* library = new torch::Library(torch::Library::IMPL, "_", key, __FILE__, __LINE__);
          library->fallback(torch::CppFunction::makeFallthrough());
        }
        const auto x = at::arange(3, at::kFloat).to(device()).requires_grad_();
        (x * x).sum().backward();
        std::_Exit(same_on_device(at::arange(3, at::kFloat) * 2, x.grad()) ? 0 : 1);
      },
      testing::ExitedWithCode(0), "");
}

// The namespace is open: a program adds operators to it, with no clash with openreg's own.
TEST(Registration, AProgramMayAddToTheNamespace) {
  torch::Library library(torch::Library::FRAGMENT, "openreg", std::nullopt, __FILE__, __LINE__);
  library.def("twice_of_a_test(Tensor x) -> Tensor");
  torch::Library kernels(torch::Library::IMPL, "openreg", c10::DispatchKey::PrivateUse1, __FILE__, __LINE__);
  kernels.impl("twice_of_a_test", [](const at::Tensor& x) { return x * 2; });
  const auto twice = c10::Dispatcher::singleton()
                         .findSchemaOrThrow("openreg::twice_of_a_test", "")
                         .typed<at::Tensor(const at::Tensor&)>();
  EXPECT_TRUE(same_on_device(at::full({2}, 2.0f), twice.call(at::ones({2}, device()))));
}

TEST(Registration, NamesThatAreOthersAreRefused) {
  EXPECT_TRUE(throws([] { c10::register_privateuse1_backend("cuda"); }, ""));
  EXPECT_TRUE(throws([] { c10::register_privateuse1_backend("another"); }, "openreg"));
  c10::register_privateuse1_backend("openreg");  // the same name again does nothing
}

}  // namespace
}  // namespace openreg::test
