#include "trace_command.h"

#include <filesystem>
#include <fstream>
#include <iostream>
#include <memory>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include <openreg/dispatch.h>
#include <openreg/trace.h>

#include <ATen/ops/ones.h>
#include <ATen/ops/sum.h>
#include <torch/csrc/jit/serialization/import.h>

namespace openreg::demo {
namespace {

struct TraceRequest {
  std::string subject;
  std::string device = "cpu";
  std::string format = "text";
  std::string output;
  std::vector<std::int64_t> shape{3, 3};
  std::vector<std::string> operators;
  std::string keys;
  std::uint64_t limit = 0;
  bool explain = false;
  bool grad = false;
  bool backward = false;
};

at::Tensor input_tensor(const TraceRequest& request) {
  return at::ones(request.shape, at::TensorOptions().device(c10::Device(request.device)))
      .set_requires_grad(request.grad || request.backward);
}

// A value for a parameter without default: the operator is run for its way through the dispatcher, not for its result.
c10::IValue value_for(const c10::Argument& argument, const TraceRequest& request) {
  switch (argument.type()->kind()) {
    case c10::TypeKind::TensorType:
      return input_tensor(request);
    case c10::TypeKind::OptionalType:
      return {};
    case c10::TypeKind::IntType:
    case c10::TypeKind::SymIntType:
      return 0;
    case c10::TypeKind::NumberType:
      return 1;
    case c10::TypeKind::FloatType:
      return 0.5;
    case c10::TypeKind::BoolType:
      return false;
    case c10::TypeKind::ListType: {
      const auto element = argument.type()->containedType(0)->kind();
      if (element == c10::TypeKind::TensorType) {
        return std::vector<at::Tensor>{input_tensor(request), input_tensor(request)};
      }
      if (element == c10::TypeKind::IntType || element == c10::TypeKind::SymIntType) {
        return argument.name() == "size" ? request.shape : std::vector<std::int64_t>{0};
      }
      break;
    }
    default:
      break;
  }
  TORCH_CHECK(false, "Argument '", argument.name(), "' has type ", argument.type()->str(),
              ", for which no value can be made up; trace a TorchScript model that calls the operator instead.");
}

// `abs` means aten::abs, or the first overload with a name where there is none without.
c10::OperatorHandle find_operator(const std::string& name) {
  const std::string full = name.find("::") == std::string::npos ? "aten::" + name : name;
  if (!dispatch::has_kernel(full) && full.find('.') == std::string::npos) {
    for (const char* const overload : {".Tensor", ".self", ".default", ".int", ".dim"}) {
      if (dispatch::has_kernel(full + overload)) {
        return dispatch::find_schema(full + overload);
      }
    }
  }
  TORCH_CHECK(dispatch::has_kernel(full) || !dispatch::nearest_op_names(full).empty(), "Operator '", full,
              "' does not exist, and no name is near it. `openreg_demo ops TEXT` lists those that hold TEXT.");
  return dispatch::find_schema(full);
}

torch::jit::Stack operator_inputs(const c10::OperatorHandle& op, const TraceRequest& request) {
  torch::jit::Stack stack;
  for (const c10::Argument& argument : op.schema().arguments()) {
    stack.push_back(argument.default_value() ? *argument.default_value() : value_for(argument, request));
  }
  return stack;
}

std::vector<c10::IValue> model_inputs(torch::jit::Module& module, const TraceRequest& request) {
  const auto example = module.find_method("example");
  if (!example) {
    return {input_tensor(request)};
  }
  std::vector<c10::IValue> inputs;
  for (const at::Tensor& tensor : (*example)({}).toTensorVector()) {
    inputs.emplace_back(tensor.to(c10::Device(request.device)));
  }
  return inputs;
}

void run_backward(const c10::IValue& result) {
  TORCH_CHECK(result.isTensor() && result.toTensor().requires_grad(),
              "--backward needs a result that is one tensor and depends on the inputs or parameters.");
  result.toTensor().sum().backward();
}

std::shared_ptr<trace::Sink> make_sink(const TraceRequest& request, std::ostream& out) {
  return request.format == "json"     ? trace::json_lines_sink(out)
         : request.format == "chrome" ? trace::chrome_trace_sink(out)
                                      : trace::text_sink(out);
}

void run_into(std::ostream& out, const TraceRequest& request) {
  trace::Options options;
  options.operators = request.operators;
  options.keys = dispatch::keyset_parse(request.keys);
  options.limit = request.limit;
  options.explain = request.explain;
  const auto sink = make_sink(request, out);

  // Loading and inputs are made before the trace begins.
  if (std::filesystem::is_regular_file(request.subject)) {
    torch::jit::Module module = torch::jit::load(request.subject, c10::Device(request.device));
    auto inputs = model_inputs(module, request);
    const trace::Scope scope(sink, options);
    const c10::IValue result = module.forward(std::move(inputs));
    if (request.backward) {
      run_backward(result);
    }
    return;
  }
  const auto op = find_operator(request.subject);
  torch::jit::Stack stack = operator_inputs(op, request);
  const trace::Scope scope(sink, options);
  op.callBoxed(&stack);
  if (request.backward) {
    run_backward(stack.empty() ? c10::IValue() : stack.back());
  }
}

void run(const TraceRequest& request) {
  if (const auto found = trace::check_interposition(); !found.works) {
    std::cerr << "openreg: trace: " << found.problem << "\n";
  }
  if (request.output.empty()) {
    run_into(std::cout, request);
    return;
  }
  std::ofstream file(request.output);
  TORCH_CHECK(file, "The file '", request.output, "' cannot be written.");
  run_into(file, request);
  TORCH_CHECK(file.flush(), "The file '", request.output, "' could not be written to its end.");
}

// Sizes with blanks between them are the mistake that people make.
void refuse_extras(const std::vector<std::string>& extras) {
  for (const std::string& extra : extras) {
    if (extra.find_first_not_of("0123456789,") == std::string::npos) {
      throw CLI::ParseError("'" + extra +
                                "' is too much: `trace` takes one operator or file. Write sizes with commas, as " +
                                "--shape 2,3",
                            CLI::ExitCodes::ExtrasError);
    }
  }
  if (!extras.empty()) {
    throw CLI::ExtrasError(extras);
  }
}

}  // namespace

void add_trace_command(CLI::App& app) {
  const auto request = std::make_shared<TraceRequest>();
  CLI::App* const trace = app.add_subcommand("trace", "Show the way of an operator or a model through the dispatcher");
  trace->add_option("subject", request->subject, "Operator (abs, aten::add.Tensor) or TorchScript file")->required();
  trace->add_option("--device", request->device, "Where the inputs lie")->capture_default_str();
  trace
      ->add_option(
          "--shape", request->shape,
          "Sizes of the tensors that are made up, with commas between them, as 2,3; also for an argument `size`")
      ->type_name("N,N,...")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->capture_default_str();
  trace->add_option("--format", request->format, "text, json (a line a step) or chrome (for Perfetto)")
      ->capture_default_str()
      ->check(CLI::IsMember({"text", "json", "chrome"}));
  trace->add_option("-o,--output", request->output, "File to write to instead of standard output");
  trace->add_option("--op", request->operators, "Only operators like this pattern (aten::add*)")
      ->allow_extra_args(false);
  trace->add_option("--key", request->keys, "Only steps to these keys (AutogradCPU,CPU)");
  trace->add_option("--limit", request->limit, "Stop after so many steps");
  trace->add_flag("--explain", request->explain, "Say why each key was chosen");
  trace->add_flag("--grad", request->grad, "Inputs require a gradient");
  trace->add_flag("--backward", request->backward, "Run backward from the sum of the result");
  trace->allow_extras();
  trace->callback([request, trace] {
    refuse_extras(trace->remaining());
    try {
      run(*request);
    } catch (const c10::Error& error) {
      std::cerr << error.what_without_backtrace() << "\n";
      throw CLI::RuntimeError(1);
    }
  });
}

}  // namespace openreg::demo
