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

void fill_arguments(Event& event, const c10::OperatorHandle& handle,
                    const std::initializer_list<c10::DispatchKeySet>& keys) {
  auto at = keys.begin();
  for (const auto& argument : handle.schema().arguments()) {
    const auto& type = *argument.type();
    const bool takes_part =
        type.isSubtypeOf(*c10::TensorType::get()) || type.isSubtypeOf(*c10::ListType::ofTensors()) ||
        type.isSubtypeOf(*c10::ListType::ofOptionalTensors()) || type.isSubtypeOf(*c10::OptionalType::ofTensor()) ||
        type.isSubtypeOf(*c10::GeneratorType::get()) ||
        type.isSubtypeOf(*c10::OptionalType::create(c10::GeneratorType::get()));
    if (takes_part && at != keys.end()) {
      event.arguments.push_back({argument.name(), *at++});
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
                  const c10::OperatorHandle* handle,
                  const std::initializer_list<c10::DispatchKeySet>* arguments) noexcept {
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
    if (explains && handle != nullptr && arguments != nullptr) {
      fill_arguments(event, *handle, *arguments);
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
