#include "models/built_models.h"

#include <ATen/ATen.h>

namespace openreg::test {

void Model::weight(const char* name, c10::IntArrayRef shape) {
  module.register_parameter(name, at::randn(shape) / 3, /*is_buffer=*/false);
}

void Model::buffer(const char* name, const at::Tensor& value) { module.register_buffer(name, value); }

namespace {

void mlp_with_abs(Model& model) {
  model.weight("w1", {16, 8});
  model.weight("b1", {16});
  model.weight("w2", {4, 16});
  model.module.define(R"(
    def forward(self, x):
        h = torch.abs(torch.linear(x, self.w1, self.b1))
        return torch.softmax(torch.linear(h, self.w2), -1)
  )");
  model.inputs = {at::randn({5, 8})};
}

void cnn_with_batch_norm(Model& model) {
  model.weight("w1", {6, 3, 3, 3});
  model.weight("gamma", {6});
  model.weight("beta", {6});
  model.buffer("mean", at::randn({6}) / 4);
  model.buffer("variance", at::rand({6}) + 0.5);
  model.weight("w2", {10, 96});
  model.module.define(R"(
    def forward(self, x):
        y = torch.conv2d(x, self.w1, None, [2, 2], [1, 1])
        y = torch.batch_norm(y, self.gamma, self.beta, self.mean, self.variance, False, 0.1, 0.00001, False)
        y = torch.max_pool2d(torch.relu(y), [2, 2])
        return torch.linear(torch.flatten(y, 1), self.w2)
  )");
  model.inputs = {at::randn({2, 3, 16, 16})};
}

void cnn_trains_its_batch_norm(Model& model) {
  model.weight("w", {4, 3, 3, 3});
  model.buffer("mean", at::zeros({4}));
  model.buffer("variance", at::ones({4}));
  model.module.define(R"(
    def forward(self, x):
        y = torch.conv2d(x, self.w)
        y = torch.batch_norm(y, None, None, self.mean, self.variance, True, 0.1, 0.00001, False)
        return y, self.mean, self.variance
  )");
  model.inputs = {at::randn({2, 3, 8, 8})};
}

void unet_with_transposed_convolution(Model& model) {
  model.weight("down1", {4, 1, 3, 3});
  model.weight("down2", {8, 4, 3, 3});
  model.weight("up", {8, 4, 2, 2});
  model.weight("last", {1, 8, 3, 3});
  model.module.define(R"(
    def forward(self, x):
        a = torch.relu(torch.conv2d(x, self.down1, None, [1, 1], [1, 1]))
        b = torch.relu(torch.conv2d(torch.max_pool2d(a, [2, 2]), self.down2, None, [1, 1], [1, 1]))
        c = torch.conv_transpose2d(b, self.up, None, [2, 2])
        return torch.sigmoid(torch.conv2d(torch.cat([a, c], 1), self.last, None, [1, 1], [1, 1]))
  )");
  model.inputs = {at::randn({1, 1, 16, 16})};
}

void lstm(Model& model) {
  model.weight("wi", {20, 3});
  model.weight("wh", {20, 5});
  model.weight("bi", {20});
  model.weight("bh", {20});
  model.module.define(R"(
    def forward(self, x):
        h = torch.zeros([1, x.size(1), 5], dtype=x.dtype, device=x.device)
        y, hn, cn = torch.lstm(x, [h, h], [self.wi, self.wh, self.bi, self.bh], True, 1, 0.0, False, False, False)
        return y, (hn, cn)
  )");
  model.inputs = {at::randn({7, 2, 3})};
}

void bidirectional_gru(Model& model) {
  for (const char* name : {"wi", "wi2"}) model.weight(name, {15, 3});
  for (const char* name : {"wh", "wh2"}) model.weight(name, {15, 5});
  for (const char* name : {"bi", "bh", "bi2", "bh2"}) model.weight(name, {15});
  model.module.define(R"(
    def forward(self, x):
        h = torch.zeros([2, x.size(1), 5], dtype=x.dtype, device=x.device)
        parameters = [self.wi, self.wh, self.bi, self.bh, self.wi2, self.wh2, self.bi2, self.bh2]
        return torch.gru(x, h, parameters, True, 1, 0.0, False, True, False)
  )");
  model.inputs = {at::randn({7, 2, 3})};
}

void decoder_with_attention(Model& model) {
  model.weight("tokens", {50, 16});
  model.weight("positions", {12, 16});
  model.weight("qkv", {48, 16});
  model.weight("projection", {16, 16});
  model.weight("up", {32, 16});
  model.weight("down", {16, 32});
  model.module.define(R"(
    def forward(self, ids):
        n = ids.size(1)
        x = torch.embedding(self.tokens, ids) + self.positions[:n]
        y = torch.layer_norm(x, [16])
        q, k, v = torch.chunk(torch.linear(y, self.qkv), 3, -1)
        q = q.view(-1, n, 2, 8).transpose(1, 2)
        k = k.view(-1, n, 2, 8).transpose(1, 2)
        v = v.view(-1, n, 2, 8).transpose(1, 2)
        a = torch.scaled_dot_product_attention(q, k, v, None, 0.0, True)
        x = x + torch.linear(a.transpose(1, 2).reshape(-1, n, 16), self.projection)
        x = x + torch.linear(torch.gelu(torch.linear(torch.layer_norm(x, [16]), self.up)), self.down)
        return torch.log_softmax(torch.linear(x, self.tokens), -1)
  )");
  model.inputs = {at::randint(50, {2, 9}, at::kLong)};
}

void loop_that_depends_on_the_data(Model& model) {
  model.weight("w", {4, 4});
  model.module.define(R"(
    def forward(self, x):
        steps = 0
        while bool(x.abs().sum() > 1.0) and steps < 100:
            if bool(x.mean() > 0):
                x = torch.tanh(torch.mm(x, self.w)) * 0.7
            else:
                x = x * -0.9
            steps += 1
        return x, torch.tensor([steps], device=x.device)
  )");
  model.inputs = {at::randn({4, 4})};
}

void submodules_and_containers(Model& model) {
  torch::jit::Module inner("Inner");
  inner.register_parameter("w", at::randn({3, 3}), false);
  inner.define("def forward(self, x):\n    return torch.mm(x, self.w)\n");
  model.module.register_module("inner", inner);
  model.module.define(R"(
    def forward(self, x, scale: float, others: List[Tensor]):
        y = self.inner.forward(x) * scale
        return {"sum": y.sum(), "all": torch.cat(others, 0)}, [y, y.t()]
  )");
  c10::List<at::Tensor> others{at::randn({1, 3}), at::randn({2, 3})};
  model.inputs = {at::randn({3, 3}), 0.5, others};
}

struct Entry {
  const char* name;
  void (*build)(Model& model);
};

constexpr Entry kModels[] = {
    {"MlpWithAbs", &mlp_with_abs},
    {"CnnWithBatchNorm", &cnn_with_batch_norm},
    {"CnnTrainsItsBatchNorm", &cnn_trains_its_batch_norm},
    {"UNetWithTransposedConvolution", &unet_with_transposed_convolution},
    {"Lstm", &lstm},
    {"BidirectionalGru", &bidirectional_gru},
    {"DecoderWithAttention", &decoder_with_attention},
    {"LoopThatDependsOnTheData", &loop_that_depends_on_the_data},
    {"SubmodulesAndContainers", &submodules_and_containers},
};

}  // namespace

Model built_model(const std::string& name) {
  for (const auto& entry : kModels) {
    if (entry.name == name) {
      at::manual_seed(11);
      Model model;
      entry.build(model);
      return model;
    }
  }
  TORCH_CHECK(false, "No model is called ", name);
}

std::vector<std::string> built_model_names() {
  std::vector<std::string> names;
  for (const auto& entry : kModels) names.emplace_back(entry.name);
  return names;
}

c10::IValue moved(const c10::IValue& value, c10::Device where) {
  if (value.isTensor()) {
    return value.toTensor().to(where);
  }
  if (value.isTensorList()) {
    c10::List<at::Tensor> list;
    for (const at::Tensor& tensor : value.toTensorVector()) list.push_back(tensor.to(where));
    return list;
  }
  if (value.isTuple()) {
    std::vector<c10::IValue> elements;
    for (const auto& element : value.toTupleRef().elements()) elements.push_back(moved(element, where));
    return c10::ivalue::Tuple::create(std::move(elements));
  }
  return value;
}

}  // namespace openreg::test
