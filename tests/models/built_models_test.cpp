#include <gtest/gtest.h>
#include <openreg/fallback.h>
#include <torch/script.h>

#include "models/run_both.h"
#include "support/ledger.h"
#include "support/samples.h"

namespace openreg::test {
namespace {

// A TorchScript module with the parameters and buffers that its code names.
class Built : public testing::Test {
 protected:
  Built() { at::manual_seed(11); }

  void weight(const char* name, c10::IntArrayRef shape) {
    module.register_parameter(name, at::randn(shape) / 3, /*is_buffer=*/false);
  }
  void buffer(const char* name, const at::Tensor& value) { module.register_buffer(name, value); }

  torch::jit::Module module{"Built"};
};

TEST_F(Built, MlpWithAbs) {
  weight("w1", {16, 8});
  weight("b1", {16});
  weight("w2", {4, 16});
  module.define(R"(
    def forward(self, x):
        h = torch.abs(torch.linear(x, self.w1, self.b1))
        return torch.softmax(torch.linear(h, self.w2), -1)
  )");
  const LedgerScope ledger;
  expect_same_on_both(module, {at::randn({5, 8})});
  EXPECT_TRUE(ran_by(ledger, "aten::abs.out", Way::stub));
  EXPECT_TRUE(only_cpu_kernels_computed(ledger));  // so it was compared to the bit
}

TEST_F(Built, CnnWithBatchNorm) {
  weight("w1", {6, 3, 3, 3});
  weight("gamma", {6});
  weight("beta", {6});
  buffer("mean", at::randn({6}) / 4);
  buffer("variance", at::rand({6}) + 0.5);
  weight("w2", {10, 96});
  module.define(R"(
    def forward(self, x):
        y = torch.conv2d(x, self.w1, None, [2, 2], [1, 1])
        y = torch.batch_norm(y, self.gamma, self.beta, self.mean, self.variance, False, 0.1, 0.00001, False)
        y = torch.max_pool2d(torch.relu(y), [2, 2])
        return torch.linear(torch.flatten(y, 1), self.w2)
  )");
  const LedgerScope ledger;
  expect_same_on_both(module, {at::randn({2, 3, 16, 16})});
  EXPECT_TRUE(ran_by(ledger, "aten::convolution", Way::forwarded));
  EXPECT_TRUE(only_cpu_kernels_computed(ledger));
}

TEST_F(Built, CnnTrainsItsBatchNorm) {
  weight("w", {4, 3, 3, 3});
  buffer("mean", at::zeros({4}));
  buffer("variance", at::ones({4}));
  module.define(R"(
    def forward(self, x):
        y = torch.conv2d(x, self.w)
        y = torch.batch_norm(y, None, None, self.mean, self.variance, True, 0.1, 0.00001, False)
        return y, self.mean, self.variance
  )");
  expect_same_on_both(module, {at::randn({2, 3, 8, 8})});
}

TEST_F(Built, UNetWithTransposedConvolution) {
  weight("down1", {4, 1, 3, 3});
  weight("down2", {8, 4, 3, 3});
  weight("up", {8, 4, 2, 2});
  weight("last", {1, 8, 3, 3});
  module.define(R"(
    def forward(self, x):
        a = torch.relu(torch.conv2d(x, self.down1, None, [1, 1], [1, 1]))
        b = torch.relu(torch.conv2d(torch.max_pool2d(a, [2, 2]), self.down2, None, [1, 1], [1, 1]))
        c = torch.conv_transpose2d(b, self.up, None, [2, 2])
        return torch.sigmoid(torch.conv2d(torch.cat([a, c], 1), self.last, None, [1, 1], [1, 1]))
  )");
  const LedgerScope ledger;
  expect_same_on_both(module, {at::randn({1, 1, 16, 16})});
  EXPECT_TRUE(only_cpu_kernels_computed(ledger));
}

TEST_F(Built, Lstm) {
  weight("wi", {20, 3});
  weight("wh", {20, 5});
  weight("bi", {20});
  weight("bh", {20});
  module.define(R"(
    def forward(self, x):
        h = torch.zeros([1, x.size(1), 5], dtype=x.dtype, device=x.device)
        y, hn, cn = torch.lstm(x, [h, h], [self.wi, self.wh, self.bi, self.bh], True, 1, 0.0, False, False, False)
        return y, (hn, cn)
  )");
  const LedgerScope ledger;
  expect_same_on_both(module, {at::randn({7, 2, 3})});
  EXPECT_TRUE(ran_by(ledger, "aten::_thnn_fused_lstm_cell", Way::native));
}

TEST_F(Built, BidirectionalGru) {
  for (const char* name : {"wi", "wi2"}) weight(name, {15, 3});
  for (const char* name : {"wh", "wh2"}) weight(name, {15, 5});
  for (const char* name : {"bi", "bh", "bi2", "bh2"}) weight(name, {15});
  module.define(R"(
    def forward(self, x):
        h = torch.zeros([2, x.size(1), 5], dtype=x.dtype, device=x.device)
        parameters = [self.wi, self.wh, self.bi, self.bh, self.wi2, self.wh2, self.bi2, self.bh2]
        return torch.gru(x, h, parameters, True, 1, 0.0, False, True, False)
  )");
  const LedgerScope ledger;
  expect_same_on_both(module, {at::randn({7, 2, 3})});
  EXPECT_TRUE(ran_by(ledger, "aten::_thnn_fused_gru_cell", Way::native));
}

TEST_F(Built, DecoderWithAttention) {
  weight("tokens", {50, 16});
  weight("positions", {12, 16});
  weight("qkv", {48, 16});
  weight("projection", {16, 16});
  weight("up", {32, 16});
  weight("down", {16, 32});
  module.define(R"(
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
  expect_same_on_both(module, {at::randint(50, {2, 9}, at::kLong)});
}

TEST_F(Built, LoopThatDependsOnTheData) {
  weight("w", {4, 4});
  module.define(R"(
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
  const LedgerScope ledger;
  expect_same_on_both(module, {at::randn({4, 4})});
  EXPECT_TRUE(ran_by(ledger, "aten::_local_scalar_dense", Way::native));
  EXPECT_TRUE(only_cpu_kernels_computed(ledger));
}

TEST_F(Built, SubmodulesAndContainers) {
  torch::jit::Module inner("Inner");
  inner.register_parameter("w", at::randn({3, 3}), false);
  inner.define("def forward(self, x):\n    return torch.mm(x, self.w)\n");
  module.register_module("inner", inner);
  module.define(R"(
    def forward(self, x, scale: float, others: List[Tensor]):
        y = self.inner.forward(x) * scale
        return {"sum": y.sum(), "all": torch.cat(others, 0)}, [y, y.t()]
  )");
  c10::List<at::Tensor> others{at::randn({1, 3}), at::randn({2, 3})};
  expect_same_on_both(module, {at::randn({3, 3}), 0.5, others});
}

}  // namespace
}  // namespace openreg::test
