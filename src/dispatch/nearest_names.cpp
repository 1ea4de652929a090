#include "nearest_names.h"

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <numeric>
#include <utility>

namespace openreg::dispatch {
namespace {

std::string lower(std::string_view text) {
  std::string result(text);
  std::transform(result.begin(), result.end(), result.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return result;
}

std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({row[j] + 1, row[j - 1] + 1, replaced});
    }
  }
  return row[b.size()];
}

}  // namespace

std::vector<std::string> nearest_names(std::string_view text, const std::vector<std::string>& candidates) {
  const std::string wanted = lower(text);
  const std::size_t limit = std::max<std::size_t>(2, wanted.size() / 3);
  std::vector<std::pair<std::size_t, std::string>> found;
  for (const std::string& candidate : candidates) {
    const std::string name = lower(candidate);
    const std::size_t gap = name.size() > wanted.size() ? name.size() - wanted.size() : wanted.size() - name.size();
    std::size_t distance = gap > limit ? limit + 1 : edit_distance(wanted, name);
    // `aten::add` names a family: its overloads are what was meant, however long their names.
    if (name.size() > wanted.size() && name.compare(0, wanted.size(), wanted) == 0 && name[wanted.size()] == '.') {
      distance = 0;
    }
    if (distance <= limit) {
      found.emplace_back(distance, candidate);
    }
  }
  std::sort(found.begin(), found.end());
  std::vector<std::string> result;
  for (auto& [distance, name] : found) {
    if (result.size() == 3) {
      break;
    }
    if (std::find(result.begin(), result.end(), name) == result.end()) {
      result.push_back(std::move(name));
    }
  }
  return result;
}

std::string nearest_sentence(const std::vector<std::string>& names) {
  if (names.empty()) {
    return "";
  }
  std::string text = " Nearest: ";
  for (std::size_t i = 0; i < names.size(); ++i) {
    text += (i == 0 ? "" : ", ") + names[i];
  }
  return text + ".";
}

}  // namespace openreg::dispatch
