#include <openreg/trace.h>

#include <algorithm>
#include <map>
#include <set>
#include <sstream>
#include <thread>

#include <ATen/ops/abs.h>
#include <ATen/ops/add.h>
#include <ATen/ops/mul.h>
#include <ATen/ops/ones.h>
#include <ATen/record_function.h>
#include <gtest/gtest.h>
#include <torch/library.h>

#include "json_check.h"
#include "throws_with.h"

namespace trace = openreg::trace;
using c10::DispatchKey;
using trace::Kind;

namespace {

std::vector<std::string> lines_of(const std::vector<trace::Event>& events) {
  std::vector<std::string> lines;
  std::ranges::transform(events, std::back_inserter(lines), trace::line);
  return lines;
}

std::vector<std::string> split_lines(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream input(text);
  for (std::string line; std::getline(input, line);) {
    lines.push_back(line);
  }
  return lines;
}

const std::vector<std::string> kOnes{
    " [call] op=[aten::ones], key=[BackendSelect]",
    "  [redispatch] op=[aten::ones], key=[CPU]",
    "   [call] op=[aten::empty.memory_format], key=[BackendSelect]",
    "    [redispatch] op=[aten::empty.memory_format], key=[CPU]",
    "   [call] op=[aten::fill_.Scalar], key=[AutogradCPU]",
    "    [redispatch] op=[aten::fill_.Scalar], key=[ADInplaceOrView]",
    "     [redispatch] op=[aten::fill_.Scalar], key=[CPU]",
};

at::Tensor twice(const at::Tensor& x) { return at::add(x, x); }
at::Tensor nothing_in() { return at::ones({1}); }
at::Tensor fails(const at::Tensor& /*x*/) { TORCH_CHECK(false, "on purpose"); }

TORCH_LIBRARY(openreg_trace_test, m) {
  m.def("twice(Tensor x) -> Tensor", &twice);
  m.def("nothing_in() -> Tensor", &nothing_in);
  m.def("fails(Tensor x) -> Tensor", &fails);
}

c10::OperatorHandle custom(const char* name) {
  return c10::Dispatcher::singleton().findSchemaOrThrow((std::string("openreg_trace_test::") + name).c_str(), "");
}

}  // namespace

TEST(Collector, TakesTheStepsAsValues) {
  trace::Collector collector;
  at::ones({2, 2});
  const auto& events = collector.stop();
  ASSERT_EQ(lines_of(events), kOnes);
  EXPECT_EQ(events[0].kind, Kind::call);
  EXPECT_EQ(events[0].op, "aten::ones");
  EXPECT_EQ(events[0].key, DispatchKey::BackendSelect);
  EXPECT_EQ(events[0].key, events[0].keys.highestPriorityTypeId());
  EXPECT_EQ(events[0].depth, 1);
  EXPECT_EQ(events[0].parent, 0U);
  EXPECT_EQ(events[1].parent, events[0].id);
  EXPECT_EQ(events[6].parent, events[5].id);
  EXPECT_EQ(events[6].keys, c10::DispatchKeySet(DispatchKey::CPU));
  for (const auto& event : events) {
    ASSERT_TRUE(event.duration.has_value());
    EXPECT_LE(*event.duration, *events[0].duration);
    EXPECT_EQ(event.thread, events[0].thread);
  }
  at::ones({2, 2});
  EXPECT_EQ(collector.stop().size(), 7U) << "stopped means stopped";
}

TEST(Collector, NestedCollectorsSeeTheSame) {
  trace::Collector outer;
  trace::Collector inner;
  at::ones({1});
  EXPECT_EQ(lines_of(inner.stop()), kOnes);
  at::ones({1});
  EXPECT_EQ(outer.stop().size(), 14U);
}

TEST(Options, FilterByPattern) {
  trace::Collector collector({.operators = {"aten::fill_*", "aten::o?es"}});
  at::ones({2, 2});
  const std::vector<std::string> expected{kOnes[0], kOnes[1], kOnes[4], kOnes[5], kOnes[6]};
  EXPECT_EQ(lines_of(collector.stop()), expected);
}

TEST(Options, FilterByKey) {
  trace::Collector collector({.keys = c10::DispatchKeySet({DispatchKey::BackendSelect, DispatchKey::ADInplaceOrView})});
  at::ones({2, 2});
  const std::vector<std::string> expected{kOnes[0], kOnes[2], kOnes[5]};
  EXPECT_EQ(lines_of(collector.stop()), expected);
}

TEST(Options, LimitCountsWhatItLeavesOut) {
  trace::Collector collector({.limit = 3});
  at::ones({2, 2});
  EXPECT_EQ(lines_of(collector.stop()), std::vector(kOnes.begin(), kOnes.begin() + 3));
  EXPECT_EQ(collector.dropped(), 4U);
}

TEST(Options, OneThreadOnly) {
  trace::Collector mine({.this_thread_only = true});
  trace::Collector all;
  std::thread([] { at::ones({2, 2}); }).join();
  EXPECT_EQ(mine.stop().size(), 0U);
  EXPECT_EQ(all.stop().size(), 7U);
}

TEST(Options, ExplainNamesWhatEachArgumentBrought) {
  const at::Tensor x = at::ones({2}).requires_grad_();
  const at::Tensor scalar = at::ones({}, at::kDouble);
  trace::Collector collector({.operators = {"aten::mul.Tensor"}, .explain = true});
  at::mul(x, scalar);
  const auto& events = collector.stop();
  ASSERT_GE(events.size(), 2U);
  ASSERT_EQ(events[0].arguments.size(), 2U);
  EXPECT_EQ(events[0].arguments[0].name, "self");
  EXPECT_EQ(events[0].arguments[0].keys, x.key_set());
  EXPECT_EQ(events[0].arguments[1].name, "other");
  const std::string text = trace::explain(events[0]);
  EXPECT_NE(text.find("AutogradCPU is the highest of DispatchKeySet(CPU, AutogradCPU)"), std::string::npos) << text;
  EXPECT_NE(text.find("self brings (CPU, ADInplaceOrView, AutogradCPU, AutocastCPU)"), std::string::npos) << text;
  EXPECT_NE(text.find("the thread takes away (AutocastCPU)"), std::string::npos) << text;
  EXPECT_NE(text.find("the operator falls through at (BackendSelect, ADInplaceOrView)"), std::string::npos) << text;
}

TEST(Options, ExplainNamesWhatTheArgumentsOfABoxedCallBrought) {
  const at::Tensor x = at::ones({2}).requires_grad_();
  const auto concatenate = c10::Dispatcher::singleton().findSchemaOrThrow("aten::cat", "");
  torch::jit::Stack stack{c10::IValue("below"), c10::List<at::Tensor>({at::ones({2}), x}), 0};
  trace::Collector collector({.limit = 1, .explain = true});
  concatenate.callBoxed(&stack);
  const auto& events = collector.stop();
  ASSERT_EQ(events.size(), 1U);
  EXPECT_EQ(events[0].kind, trace::Kind::call_boxed);
  ASSERT_EQ(events[0].arguments.size(), 1U);
  EXPECT_EQ(events[0].arguments[0].name, "tensors");
  EXPECT_EQ(events[0].arguments[0].keys, x.key_set());
  const std::string text = trace::explain(events[0]);
  EXPECT_NE(text.find("AutogradCPU is the highest of DispatchKeySet(CPU, AutogradCPU)"), std::string::npos) << text;
  EXPECT_NE(text.find("tensors brings (CPU, ADInplaceOrView, AutogradCPU, AutocastCPU)"), std::string::npos) << text;
}

TEST(TextSink, WritesLibtorchsLines) {
  std::ostringstream out;
  {
    const trace::Scope scope(trace::text_sink(out));
    at::ones({2, 2});
  }
  EXPECT_EQ(split_lines(out.str()), kOnes);
}

TEST(JsonLinesSink, WritesOneObjectAStep) {
  std::ostringstream out;
  {
    const trace::Scope scope(trace::json_lines_sink(out), {.explain = true});
    at::ones({2, 2});
  }
  const auto lines = split_lines(out.str());
  ASSERT_EQ(lines.size(), 7U);
  for (const auto& line : lines) {
    EXPECT_TRUE(JsonCheck::valid(line)) << line;
  }
  EXPECT_EQ(lines.back().find(R"({"kind":"call","op":"aten::ones","key":"BackendSelect","keys":[)"), 0U)
      << lines.back();
}

TEST(ChromeTraceSink, WritesCompleteEvents) {
  std::ostringstream out;
  {
    const trace::Scope scope(trace::chrome_trace_sink(out));
    at::ones({2, 2});
  }
  const std::string text = out.str();
  EXPECT_TRUE(JsonCheck::valid(text)) << text;
  EXPECT_EQ(text.find(R"({"displayTimeUnit":"ns","traceEvents":[)"), 0U);
  std::size_t count = 0;
  for (std::size_t at = text.find("\"ph\":\"X\""); at != std::string::npos; at = text.find("\"ph\":\"X\"", at + 1)) {
    ++count;
  }
  EXPECT_EQ(count, 7U);
  std::ostringstream empty;
  { const trace::Scope scope(trace::chrome_trace_sink(empty)); }
  EXPECT_TRUE(JsonCheck::valid(empty.str())) << empty.str();
}

TEST(CustomOperators, TypedCallsAreCalls) {
  const at::Tensor x = at::ones({1});
  trace::Collector collector({.operators = {"openreg_trace_test::*"}});
  custom("twice").typed<at::Tensor(const at::Tensor&)>().call(x);
  custom("nothing_in").typed<at::Tensor()>().call();
  const std::vector<std::string> expected{" [call] op=[openreg_trace_test::twice], key=[AutogradCPU]",
                                          " [call] op=[openreg_trace_test::nothing_in], key=[Undefined]"};
  EXPECT_EQ(lines_of(collector.stop()), expected);
}

TEST(CustomOperators, BoxedCallsAreCallBoxedAndNest) {
  torch::jit::Stack stack{at::ones({1})};
  trace::Collector collector;
  custom("twice").callBoxed(stack);
  const auto lines = lines_of(collector.stop());
  ASSERT_GE(lines.size(), 2U);
  EXPECT_EQ(lines[0], " [callBoxed] op=[openreg_trace_test::twice], key=[AutogradCPU]");
  EXPECT_EQ(lines[1], "  [call] op=[aten::add.Tensor], key=[AutogradCPU]");
  for (const auto& event : collector.stop()) {
    EXPECT_TRUE(event.duration.has_value());
  }
}

TEST(CustomOperators, KernelsThatThrowEndTheirSteps) {
  const at::Tensor x = at::ones({1});
  trace::Collector collector;
  EXPECT_ANY_THROW(custom("fails").typed<at::Tensor(const at::Tensor&)>().call(x));
  torch::jit::Stack stack{x};
  EXPECT_ANY_THROW(custom("fails").callBoxed(stack));
  EXPECT_ANY_THROW(at::add(at::ones({3}), at::ones({8})));
  at::ones({1});
  const auto& events = collector.stop();
  EXPECT_EQ(events.back().depth, 5);
  EXPECT_EQ(trace::line(events[events.size() - 7]), kOnes[0]);
  for (const auto& event : events) {
    EXPECT_TRUE(event.duration.has_value()) << trace::line(event);
  }
}

TEST(CustomOperators, AnOperatorWithoutKernelThrowsAndHidesNothing) {
  const at::Tensor meta = at::ones({1}, at::TensorOptions().device(at::kMeta));
  trace::Collector collector({.operators = {"openreg_trace_test::twice"}});
  auto sparse = at::detail::make_tensor<c10::TensorImpl>(c10::DispatchKeySet(DispatchKey::VE),
                                                         caffe2::TypeMeta::Make<float>(), at::Device(at::kVE, 0));
  EXPECT_ANY_THROW(at::abs(sparse));
  torch::jit::Stack stack{at::ones({1})};
  custom("twice").callBoxed(stack);
  EXPECT_EQ(collector.stop().size(), 1U) << "the boxed call after the failed one must not be taken for it";
}

TEST(Observers, OfTheProgramSeeEachCallOnceAndUnchanged) {
  static int seen = 0;
  seen = 0;
  const auto handle = at::addThreadLocalCallback(
      at::RecordFunctionCallback([](const at::RecordFunction&) -> std::unique_ptr<at::ObserverContext> {
        ++seen;
        return nullptr;
      }).scopes({at::RecordScope::FUNCTION}));
  at::ones({2, 2});
  const int without = seen;
  seen = 0;
  {
    trace::Collector collector;
    at::ones({2, 2});
    EXPECT_EQ(lines_of(collector.stop()), kOnes);
  }
  at::removeCallback(handle);
  EXPECT_GT(without, 0);
  EXPECT_EQ(seen, without);
}

TEST(Threads, LinesStayWholeAndInOrder) {
  std::ostringstream out;
  trace::Collector collector;
  {
    const trace::Scope scope(trace::text_sink(out));
    std::vector<std::thread> threads;
    for (int i = 0; i < 4; ++i) {
      threads.emplace_back([] {
        for (int round = 0; round < 100; ++round) {
          at::ones({2, 2});
        }
      });
    }
    for (auto& thread : threads) {
      thread.join();
    }
  }
  const auto lines = split_lines(out.str());
  EXPECT_EQ(lines.size(), 4U * 100U * 7U);
  const std::set<std::string> known(kOnes.begin(), kOnes.end());
  EXPECT_TRUE(std::ranges::all_of(lines, [&](const std::string& line) { return known.count(line) == 1; }));
  std::map<std::uint64_t, std::vector<std::string>> of_thread;
  for (const auto& event : collector.stop()) {
    of_thread[event.thread].push_back(trace::line(event));
  }
  ASSERT_EQ(of_thread.size(), 4U);
  for (const auto& [thread, its] : of_thread) {
    for (std::size_t i = 0; i < its.size(); ++i) {
      ASSERT_EQ(its[i], kOnes[i % 7]) << i;
    }
  }
}

TEST(Sinks, ThatThrowOrCallOperatorsChangeNothing) {
  class Bad final : public trace::Sink {
   public:
    void begin(const trace::Event& /*event*/) override {
      ++calls;
      at::ones({1});
      throw std::runtime_error("bad sink");
    }
    int calls = 0;
  };
  const auto bad = std::make_shared<Bad>();
  trace::Collector collector;
  {
    const trace::Scope scope(bad);
    EXPECT_NO_THROW(at::ones({2, 2}));
  }
  EXPECT_EQ(bad->calls, 7);
  EXPECT_EQ(lines_of(collector.stop()), kOnes) << "what the sink calls is not traced";
  EXPECT_THROWS_WITH(trace::start(nullptr), "needs a sink");
  EXPECT_EQ(trace::stop(123456), 0U);
}

TEST(Sinks, MayStopTheirOwnTracingAndThrowWhenTheyFinish) {
  class Once final : public trace::Sink {
   public:
    void begin(const trace::Event& /*event*/) override {
      ++calls;
      trace::stop(number);
    }
    void finish() override {
      ++finished;
      throw std::runtime_error("bad sink");
    }
    int calls = 0;
    int finished = 0;
    std::uint64_t number = 0;
  };
  const auto once = std::make_shared<Once>();
  once->number = trace::start(once);
  at::ones({2, 2});
  EXPECT_NO_THROW(trace::stop(once->number));
  EXPECT_EQ(once->calls, 1);
  EXPECT_EQ(once->finished, 1);
}

TEST(Interposition, WorksInThisProgram) {
  const auto found = trace::check_interposition();
  EXPECT_TRUE(found.works) << found.problem;
  EXPECT_EQ(found.problem, "");
  trace::Collector collector;
  EXPECT_TRUE(trace::check_interposition().works);
  EXPECT_TRUE(collector.stop().empty()) << "the check is not traced";
  EXPECT_FALSE(trace::requested_by_environment());
}
