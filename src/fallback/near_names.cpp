#include "fallback/near_names.h"

#include <algorithm>
#include <numeric>

namespace openreg::fallback {
namespace {

std::size_t edit_distance(const std::string& a, const std::string& b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), 0);
  for (std::size_t i = 1; i <= a.size(); ++i) {
    auto diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const auto above = row[j];
      row[j] = std::min({above + 1, row[j - 1] + 1, diagonal + (a[i - 1] == b[j - 1] ? 0 : 1)});
      diagonal = above;
    }
  }
  return row[b.size()];
}

}  // namespace

std::vector<std::string> by_distance(const std::string& name, const std::vector<std::string>& known) {
  const auto limit = std::max<std::size_t>(2, name.size() / 3);
  std::vector<std::pair<std::size_t, std::string>> near;
  for (const auto& candidate : known) {
    const auto gap = candidate.size() > name.size() ? candidate.size() - name.size() : name.size() - candidate.size();
    if (gap > limit) {
      continue;
    }
    if (const auto distance = edit_distance(name, candidate); distance <= limit) {
      near.emplace_back(distance, candidate);
    }
  }
  std::sort(near.begin(), near.end());
  std::vector<std::string> names;
  for (auto& entry : near) {
    names.push_back(std::move(entry.second));
  }
  return names;
}

std::string near_names(const std::string& name, const std::vector<std::string>& known) {
  auto near = by_distance(name, known);
  near.resize(std::min<std::size_t>(3, near.size()));
  std::string text;
  for (std::size_t i = 0; i < near.size(); ++i) {
    text += (i == 0 ? " (did you mean '" : i + 1 == near.size() ? "' or '" : "', '") + near[i];
  }
  return text.empty() ? "" : text + "'?)";
}

}  // namespace openreg::fallback
