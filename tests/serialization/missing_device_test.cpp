#include <gtest/gtest.h>
#include <torch/script.h>
#include <torch/torch.h>

#include "support/errors.h"
#include "support/samples.h"
#include "support/script_modules.h"

// Files that name what is not there.
namespace openreg::test {
namespace {

// A file as a process with more devices would write it: the index is one character in the pickle.
std::string with_index(std::string bytes, char index) {
  const std::string name = "openreg:1";
  for (auto at = bytes.find(name); at != std::string::npos; at = bytes.find(name, at + 1)) {
    bytes[at + name.size() - 1] = index;
  }
  return bytes;
}

std::string saved(const at::Tensor& tensor) {
  std::ostringstream stream;
  torch::save(tensor, stream);
  return stream.str();
}

at::Tensor loaded(const std::string& bytes, std::optional<c10::Device> where = std::nullopt) {
  std::istringstream stream(bytes);
  at::Tensor result;
  torch::load(result, stream, where);
  return result;
}

TEST(MissingDevice, AnIndexThatDoesNotExistIsNamed) {
  const auto bytes = with_index(saved(at::ones({3}, device(1))), '6');
  EXPECT_TRUE(throws([&] { loaded(bytes); }, "openreg:6 does not exist: there are 2 devices"));
  auto module = script_module();
  module.to(device(1));
  const auto file = with_index(bytes_of(module), '6');
  EXPECT_TRUE(throws([&] { from_bytes(file); }, "openreg:6 does not exist: there are 2 devices"));
}

TEST(MissingDevice, SuchAFileLoadsWhereOneSays) {
  const auto bytes = with_index(saved(at::ones({3}, device(1))), '6');
  EXPECT_TRUE(loaded(bytes, c10::Device(at::kCPU)).is_cpu());
  EXPECT_EQ(loaded(bytes, device(0)).device(), device(0));
}

// As a program reads it that does not have the backend.
std::string of_another_backend(std::string bytes) {
  for (auto at = bytes.find("openreg:1"); at != std::string::npos; at = bytes.find("openreg:1", at)) {
    bytes.replace(at, 7, "foreign");
  }
  return bytes;
}

TEST(MissingDevice, ABackendThatIsNotLinkedIsNamed) {
  const auto bytes = of_another_backend(saved(at::ones({3}, device(1))));
  EXPECT_TRUE(throws([&] { loaded(bytes); }, "foreign"));
  auto module = script_module();
  module.to(device(1));
  const auto file = of_another_backend(bytes_of(module));
  EXPECT_TRUE(throws([&] { from_bytes(file); }, "foreign"));
}

}  // namespace
}  // namespace openreg::test
