#include "recorder.h"

#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <mutex>
#include <unordered_set>
#include <vector>

#include <c10/util/Exception.h>

#include "hop.h"
#include "originals.h"
#include "session.h"

namespace openreg::trace {
namespace detail {
namespace {

// Made at first use and never destroyed: operators run while the program ends.
struct Recorder {
  std::mutex mutex;
  std::vector<std::shared_ptr<Session>> sessions;
  std::atomic<std::uint64_t> next_id{1};
  std::uint64_t next_number = 1;
};

Recorder& recorder() {
  static Recorder* const instance = new Recorder;
  return *instance;
}

thread_local constinit ThreadState state_of_thread{};

bool is_generator(const c10::Type& type) {
  return type.isSubtypeOf(*c10::GeneratorType::get()) ||
         type.isSubtypeOf(*c10::OptionalType::create(c10::GeneratorType::get()));
}

bool holds_tensors(const c10::Type& type) {
  return type.isSubtypeOf(*c10::TensorType::get()) || type.isSubtypeOf(*c10::ListType::ofTensors()) ||
         type.isSubtypeOf(*c10::ListType::ofOptionalTensors()) || type.isSubtypeOf(*c10::OptionalType::ofTensor());
}

c10::DispatchKeySet keys_of_value(const c10::IValue& value) {
  if (value.isTensor()) {
    return value.toTensor().key_set();
  }
  if (value.isGenerator()) {
    return value.toGenerator().key_set();
  }
  c10::DispatchKeySet keys;
  if (value.isList()) {
    for (const c10::IValue& element : value.toListRef()) {
      keys = keys | keys_of_value(element);
    }
  }
  return keys;
}

void fill_arguments(Event& event, const Arguments& arguments) {
  const auto& formal = arguments.schema.arguments();
  // A boxed call hands over its whole stack; the arguments are the top of it.
  const bool by_value = arguments.keys == nullptr && arguments.values.size() >= formal.size();
  const auto values = by_value ? arguments.values.slice(arguments.values.size() - formal.size()) : arguments.values;
  const auto* next = arguments.keys == nullptr ? nullptr : arguments.keys->begin();
  for (std::size_t i = 0; i < formal.size(); ++i) {
    const auto& type = *formal[i].type();
    // libtorch asks generators only where arguments are not boxed.
    if (!holds_tensors(type) && !(is_generator(type) && event.kind != Kind::call_boxed)) {
      continue;
    }
    if (by_value) {
      event.arguments.push_back({formal[i].name(), keys_of_value(values[i])});
    } else if (next != nullptr && next != arguments.keys->end()) {
      event.arguments.push_back({formal[i].name(), *next++});
    }
  }
  const auto local = c10::impl::tls_local_dispatch_key_set();
  event.included = local.included_;
  event.excluded = local.excluded_;
}

}  // namespace

constinit std::atomic<int> probes{0};

ThreadState& thread_state() noexcept { return state_of_thread; }

std::string_view interned(const std::string& text) {
  static std::mutex* const mutex = new std::mutex;
  static auto* const names = new std::unordered_set<std::string>;
  const std::lock_guard lock(*mutex);
  return *names->insert(text).first;
}

bool tracing() noexcept { return (gate.load(std::memory_order_relaxed) & kTracing) != 0; }

void update_gate() noexcept {
  const std::lock_guard lock(recorder().mutex);
  const int bits = (recorder().sessions.empty() ? 0 : kTracing) | (probes.load() == 0 ? 0 : kProbing);
  gate.store(static_cast<std::uint8_t>(bits), std::memory_order_release);
}

Frame* begin_step(Kind kind, std::string_view op, c10::DispatchKeySet keys, std::int64_t depth,
                  const Arguments* arguments) noexcept {
  try {
    const Busy busy;
    ThreadState& state = thread_state();
    if (state.thread == 0) {
      state.thread = static_cast<std::uint64_t>(syscall(SYS_gettid));
    }
    auto frame = std::make_unique<Frame>();
    Event& event = frame->event;
    event.kind = kind;
    event.op = op;
    event.key = keys.highestPriorityTypeId();
    event.keys = keys;
    event.depth = depth;
    event.thread = state.thread;
    event.parent = state.top == nullptr ? 0 : state.top->event.id;
    bool explains = false;
    {
      const std::lock_guard lock(recorder().mutex);
      for (const auto& session : recorder().sessions) {
        frame->takers.push_back(session);
        explains = explains || session->explains();
      }
    }
    if (explains && arguments != nullptr) {
      fill_arguments(event, *arguments);
    }
    event.id = recorder().next_id.fetch_add(1, std::memory_order_relaxed);
    event.start = std::chrono::steady_clock::now();
    const auto refuses = [&](const std::shared_ptr<Session>& session) {
      try {
        return !session->begin(event);
      } catch (...) {
        return true;
      }
    };
    frame->takers.erase(std::remove_if(frame->takers.begin(), frame->takers.end(), refuses), frame->takers.end());
    frame->outer = state.top;
    state.top = frame.get();
    return frame.release();
  } catch (...) {
    return nullptr;
  }
}

void end_step(Frame* frame) noexcept {
  const std::unique_ptr<Frame> owned(frame);
  const Busy busy;
  thread_state().top = frame->outer;
  try {
    if (!frame->takers.empty()) {
      frame->event.duration = std::chrono::steady_clock::now() - frame->event.start;
    }
    for (const auto& taker : frame->takers) {
      taker->end(frame->event);
    }
  } catch (...) {
    // The sink failed; the program goes on.
  }
}

}  // namespace detail

Sink::~Sink() = default;
void Sink::end(const Event& /*event*/) {}
void Sink::finish() {}

std::uint64_t start(std::shared_ptr<Sink> sink, Options options) {
  TORCH_CHECK(sink != nullptr, "openreg::trace::start needs a sink, for example text_sink(std::cerr).");
  detail::ensure_ready();
  const auto number = detail::add_session(std::move(sink), std::move(options));
  detail::update_gate();
  return number;
}

std::uint64_t detail::add_session(std::shared_ptr<Sink> sink, Options options) {
  auto& recorder = detail::recorder();
  const auto thread = static_cast<std::uint64_t>(syscall(SYS_gettid));
  std::uint64_t number = 0;
  {
    const std::lock_guard lock(recorder.mutex);
    number = recorder.next_number++;
    recorder.sessions.push_back(std::make_shared<detail::Session>(number, std::move(sink), std::move(options), thread));
  }
  return number;
}

std::uint64_t stop(std::uint64_t number) {
  auto& recorder = detail::recorder();
  std::shared_ptr<detail::Session> session;
  {
    const std::lock_guard lock(recorder.mutex);
    std::erase_if(recorder.sessions, [&](const auto& candidate) {
      const bool found = candidate->number() == number;
      if (found) {
        session = candidate;
      }
      return found;
    });
  }
  detail::update_gate();
  const detail::Busy busy;
  return session == nullptr ? 0 : session->close();
}

}  // namespace openreg::trace
