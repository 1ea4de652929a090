#include <unistd.h>

#include <openreg/trace.h>

#include <cstdio>
#include <ostream>

namespace openreg::trace {
namespace {

std::int64_t start_ns(const Event& event) {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(event.start.time_since_epoch()).count();
}

std::int64_t duration_ns(const Event& event) { return event.duration ? event.duration->count() : 0; }

/// JSON text under construction.
class Json {
 public:
  Json& raw(std::string_view text) {
    text_.append(text);
    return *this;
  }
  Json& number(std::uint64_t value) { return raw(std::to_string(value)); }
  Json& microseconds(std::int64_t nanoseconds) {
    char text[40];
    std::snprintf(text, sizeof text, "%lld.%03lld", static_cast<long long>(nanoseconds / 1000),
                  static_cast<long long>(nanoseconds % 1000));
    return raw(text);
  }
  Json& string(std::string_view text) {
    text_.push_back('"');
    for (const char c : text) {
      if (static_cast<unsigned char>(c) < 0x20) {
        char escaped[8];
        std::snprintf(escaped, sizeof escaped, "\\u%04x", static_cast<unsigned>(static_cast<unsigned char>(c)));
        raw(escaped);
        continue;
      }
      if (c == '"' || c == '\\') {
        text_.push_back('\\');
      }
      text_.push_back(c);
    }
    text_.push_back('"');
    return *this;
  }
  Json& keys(c10::DispatchKeySet keys) {
    raw("[");
    bool first = true;
    for (const c10::DispatchKey key : keys) {
      raw(first ? "" : ",").string(c10::toString(key));
      first = false;
    }
    return raw("]");
  }
  Json& arguments(const std::vector<Argument>& arguments) {
    raw("{");
    for (const Argument& argument : arguments) {
      raw(&argument == arguments.data() ? "" : ",").string(argument.name).raw(":").keys(argument.keys);
    }
    return raw("}");
  }
  void write(std::ostream& out) const { out.write(text_.data(), static_cast<std::streamsize>(text_.size())); }

 private:
  std::string text_;
};

class JsonLinesSink final : public Sink {
 public:
  explicit JsonLinesSink(std::ostream& out) : out_(out) {}

  void begin(const Event& /*event*/) override {}
  void end(const Event& event) override {
    Json json;
    json.raw("{\"kind\":").string(kind_name(event.kind)).raw(",\"op\":").string(event.op);
    json.raw(",\"key\":").string(c10::toString(event.key)).raw(",\"keys\":").keys(event.keys);
    json.raw(",\"depth\":").number(static_cast<std::uint64_t>(event.depth)).raw(",\"thread\":").number(event.thread);
    json.raw(",\"id\":").number(event.id).raw(",\"parent\":").number(event.parent);
    json.raw(",\"start_ns\":").number(static_cast<std::uint64_t>(start_ns(event)));
    json.raw(",\"duration_ns\":").number(static_cast<std::uint64_t>(duration_ns(event)));
    if (!event.arguments.empty()) {
      json.raw(",\"arguments\":").arguments(event.arguments);
    }
    json.raw("}\n").write(out_);
  }
  void finish() override { out_.flush(); }

 private:
  std::ostream& out_;
};

// The JSON object form with "traceEvents"; a complete event ("ph":"X") for each step.
class ChromeTraceSink final : public Sink {
 public:
  explicit ChromeTraceSink(std::ostream& out) : out_(out) { out_ << "{\"displayTimeUnit\":\"ns\",\"traceEvents\":["; }

  void begin(const Event& /*event*/) override {}
  void end(const Event& event) override {
    Json json;
    json.raw(first_ ? "\n" : ",\n").raw("{\"name\":").string(event.op);
    json.raw(",\"cat\":").string(kind_name(event.kind)).raw(",\"ph\":\"X\",\"ts\":").microseconds(start_ns(event));
    json.raw(",\"dur\":").microseconds(duration_ns(event));
    json.raw(",\"pid\":").number(static_cast<std::uint64_t>(getpid())).raw(",\"tid\":").number(event.thread);
    json.raw(",\"args\":{\"key\":").string(c10::toString(event.key)).raw(",\"keys\":").keys(event.keys);
    json.raw(",\"depth\":").number(static_cast<std::uint64_t>(event.depth)).raw("}}").write(out_);
    first_ = false;
  }
  void finish() override { (out_ << "\n]}\n").flush(); }

 private:
  std::ostream& out_;
  bool first_ = true;
};

}  // namespace

std::shared_ptr<Sink> json_lines_sink(std::ostream& out) { return std::make_shared<JsonLinesSink>(out); }

std::shared_ptr<Sink> chrome_trace_sink(std::ostream& out) { return std::make_shared<ChromeTraceSink>(out); }

}  // namespace openreg::trace
