// Writes the files that the tests of openreg_demo read: TorchScript models and saved tensors. cli_files DIRECTORY
#include <ATen/ATen.h>
#include <torch/csrc/jit/api/module.h>
#include <torch/csrc/jit/serialization/pickle.h>
#include <torch/serialize.h>

#include <filesystem>
#include <fstream>
#include <string>

namespace {

std::string directory;

std::string in_directory(const std::string& name) { return directory + "/" + name; }

torch::jit::Module model(const std::string& name, const std::string& source) {
  torch::jit::Module module(name);
  module.define(source);
  return module;
}

void save_model(const std::string& name, const std::string& source) {
  model(name, source).save(in_directory(name + ".pt"));
}

void save_models() {
  save_model("mul_by_int", "def forward(self, x, n: int):\n    return x * n\n");
  save_model("mul_by_default", "def forward(self, x, n: int = 2):\n    return x * n\n");
  save_model("nested", R"(
def forward(self, x):
    d = {'sum': x.sum(), 'rows': x + 1}
    return (x - 1, [x, -x], d, 3, 0.5, 'text', x > 0, None)
)");
  save_model("not_finite", "def forward(self, x):\n    return torch.stack([x / 0, -x / 0, (x - x) / 0])\n");
  save_model("on_cpu", "def forward(self, x):\n    return (x + 1, (x - 1).cpu())\n");
  save_model("nothing", "def forward(self, n: int):\n    return n + 1\n");
  save_model("raises", "def forward(self, x):\n    assert x.numel() < 0, 'the model says no'\n    return x\n");
  save_model("wrong_shapes", "def forward(self, x):\n    return torch.mm(x, x)\n");
  save_model("bad_example",
             "def forward(self, x):\n    return x\ndef example(self):\n    return torch.ones([2]) + torch.ones([3])\n");
  save_model("names_the_cpu", "def forward(self, x):\n    return x + torch.ones([2], device=torch.device('cpu'))\n");
  save_model("random", "def forward(self, x):\n    return x + torch.rand_like(x)\n");
  save_model("in_place", "def forward(self, x):\n    return x.add_(1)\n");
  save_model("pair", "def forward(self, x, y):\n    return x - y\n");
  save_model("list_of_tensors", "def forward(self, xs: List[Tensor]):\n    return torch.cat(xs)\n");
  save_model("no_forward", "def other(self, x):\n    return x\n");

  torch::jit::Module counter("counter");
  counter.register_buffer("total", at::zeros({2}));
  counter.define("def forward(self, x):\n    self.total.add_(x)\n    return self.total * 2\n");
  counter.save(in_directory("counter.pt"));
}

void save_tensors() {
  const auto x = at::linspace(-1, 1, 6);
  const auto y = at::linspace(0, 5, 6);
  const auto write = [](const std::string& name, const c10::IValue& value) {
    const auto bytes = torch::jit::pickle_save(value);
    std::ofstream(in_directory(name), std::ios::binary).write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  };
  write("x.pt", x);
  write("x_and_y.pt", c10::ivalue::Tuple::create(x, y));
  write("list.pt", c10::List<at::Tensor>({x, y}));
  torch::save(std::vector<at::Tensor>{x, y}, in_directory("x_and_y_archive.pt"));
  std::ofstream(in_directory("text.pt")) << "This is not what it should be.\n";
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    return 2;
  }
  directory = argv[1];
  std::filesystem::create_directories(directory);
  save_models();
  save_tensors();
  return 0;
}
