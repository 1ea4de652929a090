#pragma once

#include <map>
#include <string>
#include <vector>

namespace openreg::differential {

struct OperatorList {
  std::vector<std::string> run;                 // sorted
  std::map<std::string, std::string> left_out;  // name and reason
};

// The aten operators that a CPU can run, as the dispatcher of this libtorch knows them.
OperatorList operators_to_run();

// Every n-th, from the i-th on: shards are alike in what they cost.
std::vector<std::string> shard_of(const std::vector<std::string>& operators, std::size_t index, std::size_t count);

}  // namespace openreg::differential
