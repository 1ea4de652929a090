#pragma once

#include <functional>
#include <string>
#include <vector>

#include <c10/core/DispatchKeySet.h>

/// The calls of operators while `work` runs, as lines.
std::vector<std::string> observed_calls(const std::function<void()>& work);

/// Numbers threads in the order in which they first appear, so that two runs can be compared.
std::string call_line(std::uint64_t thread, const std::string& op, c10::DispatchKeySet keys);
