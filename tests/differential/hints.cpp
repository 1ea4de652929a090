#include "differential/hints.h"

#include <map>

namespace openreg::differential {
namespace {

using Index = std::map<std::string_view, std::vector<std::string_view>>;

const Index& index() {
  static const auto* const all = [] {
    auto* made = new Index;
    for (const auto* table :
         {&linalg_hints(), &convolution_hints(), &pooling_hints(), &network_hints(), &loss_hints(), &index_hints(),
          &shape_hints(), &reduction_hints(), &factory_hints(), &spectral_hints(), &list_hints()}) {
      for (const auto& hint : *table) {
        (*made)[hint.op].push_back(hint.text);
      }
    }
    return made;
  }();
  return *all;
}

}  // namespace

std::vector<std::string_view> hints_for(const std::string& name, const std::string& overload) {
  auto plain = name.substr(name.find("::") == std::string::npos ? 0 : name.find("::") + 2);
  const auto look = [&](const std::string& key) -> const std::vector<std::string_view>* {
    const auto found = index().find(key);
    return found == index().end() ? nullptr : &found->second;
  };
  auto base = plain;
  if (base.size() > 1 && base.back() == '_' && base.compare(0, 2, "__") != 0) {
    base.pop_back();
  }
  std::vector<std::string> keys;
  for (const auto& known : {plain, base}) {
    if (overload.empty()) continue;
    keys.push_back(known + "." + overload);
    for (const std::string end : {"_out", "_functional"}) {
      if (overload.size() > end.size() && overload.compare(overload.size() - end.size(), end.size(), end) == 0) {
        keys.push_back(known + "." + overload.substr(0, overload.size() - end.size()));
      }
    }
  }
  keys.push_back(plain);
  keys.push_back(base);
  for (const std::string end : {"_copy", "_functional"}) {
    if (base.size() > end.size() && base.compare(base.size() - end.size(), end.size(), end) == 0) {
      const auto source = base.substr(0, base.size() - end.size());
      if (!overload.empty()) keys.push_back(source + "." + overload);
      if (overload.size() > 4 && overload.compare(overload.size() - 4, 4, "_out") == 0) {
        keys.push_back(source + "." + overload.substr(0, overload.size() - 4));
      }
      keys.push_back(source);
    }
  }
  for (const auto& key : keys) {
    if (const auto* hints = look(key)) {
      return *hints;
    }
  }
  return {};
}

}  // namespace openreg::differential
