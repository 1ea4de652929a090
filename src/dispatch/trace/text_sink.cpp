#include <openreg/trace.h>

#include <ostream>

namespace openreg::trace {
namespace {

class TextSink final : public Sink {
 public:
  explicit TextSink(std::ostream& out) : out_(out) {}

  // One write a line: lines of other threads and of the program never land inside.
  void begin(const Event& event) override {
    std::string text = line(event) + "\n";
    if (!event.arguments.empty() || !event.included.empty() || !event.excluded.empty()) {
      text.append(static_cast<std::size_t>(event.depth) + 1, ' ').append("because ").append(explain(event)) += '\n';
    }
    out_.write(text.data(), static_cast<std::streamsize>(text.size())).flush();
  }

 private:
  std::ostream& out_;
};

}  // namespace

std::shared_ptr<Sink> text_sink(std::ostream& out) { return std::make_shared<TextSink>(out); }

}  // namespace openreg::trace
