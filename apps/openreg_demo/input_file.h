#pragma once

#include <ATen/core/ivalue.h>

#include <string>
#include <vector>

namespace openreg::demo {

// The values in a file, in order: what torch::pickle_save or Python's torch.save wrote (the elements of a tuple one by
// one, those of a list too unless `keep_list`), or what torch::save wrote from C++. Throws c10::Error that names the
// file.
std::vector<c10::IValue> values_from_file(const std::string& path, bool keep_list);

// Throws c10::Error that names the file and the reason when it cannot be read.
void check_readable(const std::string& path);

}  // namespace openreg::demo
