#include "model_inputs.h"

#include <ATen/core/function_schema.h>
#include <c10/util/Exception.h>

#include "error_text.h"
#include "input_file.h"
#include "input_spec.h"

namespace openreg::demo {
namespace {

const c10::FunctionSchema& forward_schema(const torch::jit::Module& module) {
  if (const auto forward = module.find_method("forward")) {
    return forward->function().getSchema();
  }
  std::string names;
  for (const auto& method : module.get_methods()) {
    names += (names.empty() ? " Its methods: " : ", ") + method.name();
  }
  TORCH_CHECK(false, "the model has no method 'forward', which is what `run` calls.", names);
}

// A specification that fits an argument of this type, for the command to copy. The model may ask for more than types.
std::string spec_for(const c10::Argument& argument) {
  switch (argument.type()->kind()) {
    case c10::TypeKind::TensorType:
      return "float:1x16";
    case c10::TypeKind::IntType:
      return "int=1";
    case c10::TypeKind::FloatType:
      return "float=0.5";
    case c10::TypeKind::BoolType:
      return "bool=true";
    case c10::TypeKind::StringType:
      return "str=TEXT";
    case c10::TypeKind::OptionalType:
      return "none";
    default:
      return "FILE";
  }
}

std::vector<c10::IValue> values_from_specs(const std::vector<std::string>& specs,
                                           const std::vector<c10::Argument>& arguments) {
  std::vector<c10::IValue> values;
  for (const auto& spec : specs) {
    if (auto value = value_from_spec(spec)) {
      values.push_back(*std::move(value));
    } else {
      const auto place = values.size() + 1;  // the first argument is the module itself
      const bool takes_list = place < arguments.size() && arguments[place].type()->kind() == c10::TypeKind::ListType;
      for (auto& from_file : values_from_file(spec, takes_list)) {
        values.push_back(std::move(from_file));
      }
    }
  }
  return values;
}

std::vector<c10::IValue> values_from_example(const torch::jit::Method& example) {
  c10::IValue result;
  try {
    result = example({});
  } catch (const std::exception& error) {
    TORCH_CHECK(false, "the model's own method 'example' failed: ", error_line(error));
  }
  if (result.isTuple()) return result.toTupleRef().elements();
  if (result.isList()) return result.toListRef().vec();
  return {result};
}

}  // namespace

std::string forward_signature(const torch::jit::Module& module) {
  const auto& schema = forward_schema(module);
  std::string text = "forward(";
  for (std::size_t i = 1; i < schema.arguments().size(); ++i) {
    const auto& argument = schema.arguments()[i];
    text += (i == 1 ? "" : ", ") + argument.type()->annotation_str() + " " + argument.name();
    text += argument.default_value().has_value() ? " = ..." : "";
  }
  text += ")";
  return schema.returns().empty() ? text : text + " -> " + schema.returns()[0].type()->annotation_str();
}

std::vector<c10::IValue> model_inputs(const torch::jit::Module& module, const std::vector<std::string>& specs,
                                      const std::string& command) {
  const auto& arguments = forward_schema(module).arguments();
  if (!specs.empty()) {
    return values_from_specs(specs, arguments);
  }
  if (const auto example = module.find_method("example")) {
    return values_from_example(*example);
  }
  std::string to_copy;
  for (std::size_t i = 1; i < arguments.size(); ++i) {
    if (!arguments[i].default_value().has_value()) {
      to_copy += " --input " + spec_for(arguments[i]);
    }
  }
  TORCH_CHECK(to_copy.empty(), "the model needs inputs, and has no method 'example' that gives them. It has ",
              forward_signature(module),
              ". A guess from these types, which say neither shapes nor what the model allows: ", command, to_copy);
  return {};
}

}  // namespace openreg::demo
