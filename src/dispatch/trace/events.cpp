#include <openreg/trace.h>

#include <array>

namespace openreg::trace {

std::string_view kind_name(Kind kind) {
  constexpr std::array<std::string_view, 4> names{"call", "redispatch", "callBoxed", "redispatchBoxed"};
  return names[static_cast<std::size_t>(kind)];
}

std::string line(const Event& event) {
  std::string text(static_cast<std::size_t>(event.depth), ' ');
  text.append("[").append(kind_name(event.kind)).append("] op=[").append(event.op);
  text.append("], key=[").append(c10::toString(event.key)).append("]");
  return text;
}

std::string explain(const Event& event) {
  std::string text = std::string(c10::toString(event.key)) + " is the highest of " + c10::toString(event.keys);
  if (event.arguments.empty() && event.included.empty() && event.excluded.empty()) {
    return text;
  }
  c10::DispatchKeySet brought;
  for (const Argument& argument : event.arguments) {
    text += "; " + argument.name + " brings " + c10::toString(argument.keys).substr(14);
    brought = brought | argument.keys;
  }
  if (!event.included.empty()) {
    text += "; the thread adds " + c10::toString(event.included).substr(14);
  }
  const auto excluded = (brought | event.included) & event.excluded;
  if (!excluded.empty()) {
    text += "; the thread takes away " + c10::toString(excluded).substr(14);
  }
  const auto skipped = ((brought | event.included) - event.excluded) - event.keys;
  if (!skipped.empty()) {
    text += "; the operator falls through at " + c10::toString(skipped).substr(14);
  }
  return text;
}

}  // namespace openreg::trace
