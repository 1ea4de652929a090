#include "random/draws.h"

#include <torch/torch.h>

namespace openreg::test {
namespace {

using D = c10::Device;
using G = const OptionalGenerator&;

at::Tensor empty(D d) { return at::empty({3, 50}, d); }
at::Tensor half(D d) { return at::full({3, 50}, 0.5, d); }
at::Tensor probabilities(D d) { return at::arange(1, 31, at::kFloat).view({3, 10}).div(31).to(d); }
at::Tensor wide(D d) { return at::arange(1, 151, at::kFloat).view({3, 50}).div(50).to(d); }

}  // namespace

const Draws& draws_with_generator() {
  static const Draws draws = {
      {"rand.generator",
       [](D d, G g) {
         return at::rand({3, 5}, g, at::device(d));
       }},
      {"rand.generator_out",
       [](D d, G g) {
         auto x = at::empty({0}, d);
         return at::rand_out(x, {3, 5}, g);
       }},
      {"randn.generator",
       [](D d, G g) {
         return at::randn({3, 50}, g, at::device(d));
       }},
      {"randn.generator_out",
       [](D d, G g) {
         auto x = at::empty({0}, d);
         return at::randn_out(x, {3, 50}, g);
       }},
      {"randint.generator",
       [](D d, G g) {
         return at::randint(100, {3, 5}, g, at::device(d));
       }},
      {"randint.low_generator",
       [](D d, G g) {
         return at::randint(-7, 100, {3, 5}, g, at::device(d));
       }},
      {"randint.generator_out",
       [](D d, G g) {
         auto x = at::empty({0}, d);
         return at::randint_out(x, 9, {7}, g);
       }},
      {"randperm.generator", [](D d, G g) { return at::randperm(40, g, at::device(d)); }},
      {"randperm.generator_out",
       [](D d, G g) {
         auto x = at::empty({0}, at::device(d).dtype(at::kLong));
         return at::randperm_out(x, 40, g);
       }},
      {"normal_", [](D d, G g) { return empty(d).normal_(2, 3, g); }},
      {"normal_ into a view",
       [](D d, G g) {
         auto x = half(d);
         x.t().select(1, 1).normal_(0, 1, g);
         return x;
       }},
      {"normal_ in half", [](D d, G g) { return empty(d).to(at::kHalf).normal_(2, 3, g); }},
      {"normal_ complex",
       [](D d, G g) { return at::empty({20}, at::device(d).dtype(at::kComplexFloat)).normal_(0, 1, g); }},
      {"uniform_", [](D d, G g) { return empty(d).uniform_(-1, 2, g); }},
      {"uniform_ in double", [](D d, G g) { return empty(d).to(at::kDouble).uniform_(-1, 2, g); }},
      {"random_", [](D d, G g) { return empty(d).random_(g); }},
      {"random_.to", [](D d, G g) { return empty(d).to(at::kInt).random_(17, g); }},
      {"random_.from", [](D d, G g) { return empty(d).to(at::kLong).random_(-5, 17, g); }},
      {"bernoulli", [](D d, G g) { return at::bernoulli(half(d), g); }},
      {"bernoulli.p", [](D d, G g) { return at::bernoulli(half(d), 0.2, g); }},
      {"bernoulli.out",
       [](D d, G g) {
         auto x = empty(d);
         return at::bernoulli_out(x, half(d), g);
       }},
      {"bernoulli_.float", [](D d, G g) { return empty(d).bernoulli_(0.3, g); }},
      {"bernoulli_.Tensor", [](D d, G g) { return empty(d).bernoulli_(half(d), g); }},
      {"exponential_", [](D d, G g) { return empty(d).exponential_(1.5, g); }},
      {"geometric_", [](D d, G g) { return empty(d).geometric_(0.4, g); }},
      {"cauchy_", [](D d, G g) { return empty(d).cauchy_(1, 2, g); }},
      {"log_normal_", [](D d, G g) { return empty(d).log_normal_(1, 0.5, g); }},
      {"multinomial", [](D d, G g) { return at::multinomial(probabilities(d), 4, false, g); }},
      {"multinomial with replacement", [](D d, G g) { return at::multinomial(probabilities(d), 40, true, g); }},
      {"multinomial.out",
       [](D d, G g) {
         auto x = at::empty({0}, at::device(d).dtype(at::kLong));
         return at::multinomial_out(x, probabilities(d), 4, true, g);
       }},
      {"normal.Tensor_float", [](D d, G g) { return at::normal(wide(d), 2.0, g); }},
      {"normal.float_Tensor", [](D d, G g) { return at::normal(1.0, wide(d), g); }},
      {"normal.Tensor_Tensor", [](D d, G g) { return at::normal(wide(d), wide(d), g); }},
      {"normal.float_float",
       [](D d, G g) {
         return at::normal(1.0, 2.0, {3, 50}, g, at::device(d));
       }},
      {"normal.Tensor_float_out",
       [](D d, G g) {
         auto x = empty(d);
         return at::normal_out(x, wide(d), 2.0, g);
       }},
      {"poisson", [](D d, G g) { return at::poisson(wide(d), g); }},
      {"binomial",
       [](D d, G g) {
         return at::binomial(at::full({3, 50}, 20.0, d), half(d), g);
       }},
      {"_standard_gamma", [](D d, G g) { return at::_standard_gamma(wide(d), g); }},
      {"_sample_dirichlet", [](D d, G g) { return at::_sample_dirichlet(wide(d), g); }},
      {"rrelu", [](D d, G g) { return at::rrelu(wide(d).sub(1), 0.1, 0.3, true, g); }},
      {"rrelu_",
       [](D d, G g) {
         auto x = wide(d).sub(1);
         return at::rrelu_(x, 0.1, 0.3, true, g);
       }},
  };
  return draws;
}

const Draws& draws_without_generator() {
  namespace init = torch::nn::init;
  static const Draws draws = {
      {"rand",
       [](D d, G) {
         return at::rand({3, 5}, d);
       }},
      {"randn",
       [](D d, G) {
         return at::randn({3, 50}, d);
       }},
      {"rand_like", [](D d, G) { return at::rand_like(half(d)); }},
      {"randn_like", [](D d, G) { return at::randn_like(half(d)); }},
      {"randint_like", [](D d, G) { return at::randint_like(half(d), 50); }},
      {"randint_like.low_dtype", [](D d, G) { return at::randint_like(half(d), -9, 50); }},
      {"dropout", [](D d, G) { return at::dropout(wide(d), 0.3, true); }},
      {"dropout_",
       [](D d, G) {
         auto x = wide(d);
         return at::dropout_(x, 0.3, true);
       }},
      {"native_dropout", [](D d, G) { return std::get<0>(at::native_dropout(wide(d), 0.3, true)); }},
      {"feature_dropout", [](D d, G) { return at::feature_dropout(wide(d), 0.3, true); }},
      {"alpha_dropout", [](D d, G) { return at::alpha_dropout(wide(d), 0.3, true); }},
      {"feature_alpha_dropout", [](D d, G) { return at::feature_alpha_dropout(wide(d), 0.3, true); }},
      {"two draws, one after the other",
       [](D d, G) {
         return at::stack({at::rand({5}, d), at::randn({5}, d)});
       }},
      {"init::uniform_", [](D d, G) { return init::uniform_(empty(d)); }},
      {"init::normal_", [](D d, G) { return init::normal_(empty(d)); }},
      {"init::xavier_uniform_", [](D d, G) { return init::xavier_uniform_(empty(d)); }},
      {"init::xavier_normal_", [](D d, G) { return init::xavier_normal_(empty(d)); }},
      {"init::kaiming_uniform_", [](D d, G) { return init::kaiming_uniform_(empty(d)); }},
      {"init::kaiming_normal_", [](D d, G) { return init::kaiming_normal_(empty(d)); }},
      {"init::sparse_", [](D d, G) { return init::sparse_(empty(d), 0.4); }},
  };
  return draws;
}

}  // namespace openreg::test
