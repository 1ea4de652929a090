#include "support/script_call.h"

#include <torch/csrc/jit/frontend/resolver.h>
#include <torch/csrc/jit/frontend/sugared_value.h>

#include <sstream>

namespace openreg::test {
namespace {

// Takes the first name of the call for the operators' namespace. (Text given to the C++ compiler knows only aten.)
struct NamespaceResolver final : torch::jit::Resolver {
  explicit NamespaceResolver(std::string name) : known(std::move(name)) {}
  std::shared_ptr<torch::jit::SugaredValue> resolveValue(const std::string& name, torch::jit::GraphFunction&,
                                                         const torch::jit::SourceRange&) override {
    return name == known ? std::make_shared<torch::jit::BuiltinModule>(known) : nullptr;
  }
  const std::string known;
};

}  // namespace

torch::jit::Module module_that_calls(const std::string& call) {
  torch::jit::Module written("Caller");
  written.define("def forward(self, x):\n    return " + call + "\n",
                 std::make_shared<NamespaceResolver>(call.substr(0, call.find('.'))));
  std::stringstream file;
  written.save(file);
  return torch::jit::load(file);
}

}  // namespace openreg::test
