#include "differential/argument_maker.h"

#include <ATen/ATen.h>

#include "differential/default_value.h"
#include "differential/hints.h"

namespace openreg::differential {
namespace {

at::ScalarType some_dtype(int number, RandomSource& random) {
  static const std::vector<at::ScalarType> kOften{at::kFloat, at::kDouble, at::kFloat, at::kLong};
  static const std::vector<at::ScalarType> kAll{
      at::kFloat, at::kFloat, at::kFloat,        at::kDouble,       at::kDouble,       at::kLong,
      at::kLong,  at::kBool,  at::kHalf,         at::kBFloat16,     at::kInt,          at::kByte,
      at::kShort, at::kChar,  at::kComplexFloat, at::kComplexFloat, at::kComplexDouble};
  return number < 4 ? kOften[static_cast<std::size_t>(number)] : random.one_of(kAll);
}

std::vector<std::int64_t> some_shape(int number, RandomSource& random) {
  static const std::vector<std::vector<std::int64_t>> kOften{{2, 3}, {3, 2, 4}, {4, 5}, {2, 3, 3}};
  if (number < 8) return kOften[static_cast<std::size_t>(number % 4)];
  if (random.chance(5)) return {};
  if (random.chance(5)) return {2, 0, 3};
  std::vector<std::int64_t> shape(static_cast<std::size_t>(random.between(1, 4)));
  for (auto& size : shape) size = random.between(1, 5);
  return shape;
}

bool same_inputs(const c10::FunctionSchema& functional, const c10::FunctionSchema& out) {
  std::size_t inputs = 0;
  for (const auto& argument : out.arguments()) inputs += is_out_argument(argument) ? 0 : 1;
  if (functional.arguments().size() != inputs) return false;
  for (std::size_t i = 0; i < inputs; ++i) {
    const auto& a = functional.arguments()[i];
    const auto& b = out.arguments()[i];
    if (a.name() != b.name() || *a.type() != *b.type() || a.alias_info() != nullptr) return false;
  }
  return true;
}

// The overload that gives what the out= overload writes.
std::optional<c10::OperatorHandle> functional_of(const c10::OperatorHandle& op) {
  auto& dispatcher = c10::Dispatcher::singleton();
  static const auto* const by_name = [] {
    auto* made = new std::multimap<std::string, std::string>;
    for (const auto& name : c10::Dispatcher::singleton().getAllOpNames()) made->emplace(name.name, name.overload_name);
    return made;
  }();
  const auto [first, last] = by_name->equal_range(op.schema().name());
  for (auto entry = first; entry != last; ++entry) {
    auto found = dispatcher.findSchema({entry->first, entry->second});
    if (found.has_value() && same_inputs(found->schema(), op.schema())) return found;
  }
  return std::nullopt;
}

std::vector<c10::IValue> functional_results(const c10::OperatorHandle& op, const torch::jit::Stack& inputs) {
  const auto functional = functional_of(op);
  if (!functional.has_value()) return {};
  torch::jit::Stack stack;
  for (const auto& value : inputs) stack.push_back(value);
  try {
    const at::NoGradGuard no_grad;
    functional->callBoxed(&stack);
  } catch (const std::exception&) {
    return {};
  }
  return stack;
}

at::Tensor first_tensor_of(const torch::jit::Stack& stack) {
  for (const auto& value : stack) {
    if (value.isTensor() && value.toTensor().defined()) return value.toTensor();
  }
  return {};
}

// An out= tensor: most often what the operator wants, in several layouts, and sometimes not.
at::Tensor out_like(const at::Tensor& wanted, const torch::jit::Stack& inputs, SampleContext& context) {
  auto& random = context.random;
  const auto options = wanted.defined() && wanted.layout() == at::kStrided
                           ? at::TensorOptions().dtype(wanted.scalar_type())
                           : at::TensorOptions().dtype(random.chance(70) ? context.dtype : at::kLong);
  if (!wanted.defined() || wanted.layout() != at::kStrided) return at::empty({0}, options);
  const auto values = at::zeros(wanted.sizes(), options);
  switch (random.between(0, 15)) {
    case 0:
    case 1:
    case 2:
      return at::empty({0}, options);
    case 3:
      return at::ones(wanted.numel() + 3, options);  // has to be resized, with a warning
    case 4:
      return at::zeros({1}, options);
    case 5:
      return random.chance(50) ? at::zeros(wanted.sizes(), options.dtype(at::kDouble))
                               : at::zeros(wanted.sizes(), options.dtype(at::kLong));
    case 6: {
      const auto input = first_tensor_of(inputs);
      return input.defined() && input.sizes() == wanted.sizes() ? input : values;
    }
    case 7:
    case 8:
    case 9:
    case 10:
      return lay_out_strided(values, random);
    default:
      return values;
  }
}

c10::IValue out_value(const c10::Argument& argument, const c10::IValue& wanted, const torch::jit::Stack& inputs,
                      SampleContext& context) {
  if (kind_of(argument).list) {
    c10::List<at::Tensor> outs;
    for (const auto& tensor : wanted.isTensorList() ? wanted.toTensorVector() : std::vector<at::Tensor>()) {
      outs.push_back(out_like(tensor, inputs, context));
    }
    return outs;
  }
  return out_like(wanted.isTensor() ? wanted.toTensor() : at::Tensor(), inputs, context);
}

}  // namespace

bool is_out_argument(const c10::Argument& argument) {
  return argument.kwarg_only() && argument.alias_info() != nullptr && argument.alias_info()->isWrite();
}

std::string cannot_make(const c10::FunctionSchema& schema) {
  for (const auto& argument : schema.arguments()) {
    if (kind_of(argument).base.empty() && !kind_of(argument).optional) {
      return "takes a " + argument.real_type()->str();
    }
  }
  return "";
}

Sample make_sample(const c10::OperatorHandle& op, std::uint64_t seed, int number) {
  const auto& schema = op.schema();
  SampleContext context(sample_seed(schema.name() + "." + schema.overload_name(), seed, number));
  context.dtype = some_dtype(number, context.random);
  context.shape = some_shape(number, context.random);
  for (auto i = context.random.between(0, 2); i > 0; --i) context.batch.push_back(context.random.between(1, 3));
  std::map<std::string, std::string> hint;
  if (const auto hints = hints_for(schema.name(), schema.overload_name()); !hints.empty()) {
    hint = parse_hint(context.random.one_of(hints));
  }
  Sample sample{{}, context.dtype};
  std::vector<c10::IValue> wanted;
  std::size_t outs = 0;
  for (const auto& argument : schema.arguments()) {
    const auto text = hint.find(argument.name());
    auto value = text == hint.end() ? std::nullopt : hint_value(text->second, context);
    if (is_out_argument(argument) && !value.has_value()) {
      if (outs == 0) wanted = functional_results(op, sample.arguments);
      value = out_value(argument, outs < wanted.size() ? wanted[outs] : c10::IValue(), sample.arguments, context);
      ++outs;
    }
    sample.arguments.push_back(
        coerce(argument, value.has_value() ? *value : default_value(argument, sample.arguments, context)));
  }
  return sample;
}

}  // namespace openreg::differential
