#include <openreg/openreg.h>

#include <cstdio>
#include <exception>
#include <map>
#include <string>

namespace caffe2 {
[[gnu::visibility("default")]] const std::map<std::string, std::string>& GetBuildOptions() {
  static const std::map<std::string, std::string> options{{"TORCH_VERSION", "9.8.7"}};
  return options;
}
}  // namespace caffe2

int main() {
  try {
    openreg::init();
    return 0;
  } catch (const std::exception& error) {
    std::printf("exception: %s\n", error.what());
    return 2;
  }
}
