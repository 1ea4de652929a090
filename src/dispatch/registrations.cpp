#include <openreg/dispatch.h>

#include <sstream>

namespace openreg::dispatch {
namespace {

bool take_suffix(std::string& text, std::string_view suffix) {
  if (text.size() < suffix.size() || text.compare(text.size() - suffix.size(), suffix.size(), suffix) != 0) {
    return false;
  }
  text.resize(text.size() - suffix.size());
  return true;
}

}  // namespace

// Note [Registrations from the dump]
// The list of kernels is private in libtorch; its text form is the only public way to it. A line reads
// `KEY[alias] (inactive): DEBUG :: SIGNATURE [ FLAGS ]`, and the header lines have no ` :: ` after a key.
std::vector<Registration> registrations(std::string_view name) {
  const std::string text = dump(name);
  std::vector<Registration> result;
  std::istringstream lines(text);
  std::string op;
  for (std::string line; std::getline(lines, line);) {
    if (op.empty() && line.compare(0, 6, "name: ") == 0) {
      op = line.substr(6);
      continue;
    }
    const std::size_t colon = line.find(": ");
    const std::size_t signature = line.rfind(" :: ");
    if (colon == std::string::npos || signature == std::string::npos || signature < colon) {
      continue;
    }
    Registration entry;
    entry.op = op;
    entry.key = line.substr(0, colon);
    entry.active = !take_suffix(entry.key, " (inactive)");
    take_suffix(entry.key, "[alias]");
    entry.where = line.substr(colon + 2, signature - colon - 2);
    constexpr std::string_view registered = "registered at ";
    if (const std::size_t at = entry.where.find(registered); at != std::string::npos) {
      entry.where.erase(0, at + registered.size());
    }
    entry.boxed = line.compare(signature + 4, 6, "(none)") == 0;
    entry.fallthrough = line.find(" fallthrough ", signature) != std::string::npos;
    result.push_back(std::move(entry));
  }
  return result;
}

}  // namespace openreg::dispatch
