#include "support/samples.h"

#include <ATen/ATen.h>

#include <functional>
#include <limits>
#include <sstream>

namespace openreg::test {
namespace {

using Shape = std::vector<std::int64_t>;
using View = std::function<at::Tensor(const at::Tensor&)>;

struct Layout {
  const char* name;
  Shape base;
  View view;
};

std::vector<Layout> layouts(const Shape& shape, at::ScalarType dtype) {
  const auto same = [](const at::Tensor& base) { return base; };
  const bool scalar = shape.empty();
  Shape reversed(shape.rbegin(), shape.rend());
  Shape longer = scalar ? Shape{3} : shape;
  longer.front() += 2;
  std::vector<Layout> made{{"contiguous", shape, same}};
  made.push_back({"offset", longer, [scalar, n = longer.front()](const at::Tensor& base) {
                    return scalar ? base.select(0, 2) : base.narrow(0, 2, n - 2);
                  }});
  if (!scalar) {
    Shape doubled = shape;
    doubled.back() *= 2;
    Shape one = shape;
    one.front() = 1;
    made.push_back({"stepped", doubled, [](const at::Tensor& base) { return base.slice(-1, 0, base.size(-1), 2); }});
    made.push_back({"expanded", one, [shape](const at::Tensor& base) { return base.expand(shape); }});
  }
  if (shape.size() > 1) {
    made.push_back({"transposed", reversed, [](const at::Tensor& base) {
                      return base.permute([&] {
                        Shape order;
                        for (auto d = base.dim(); d-- > 0;) order.push_back(d);
                        return order;
                      }());
                    }});
  }
  if (shape.size() == 4) {
    made.push_back({"channels last", shape,
                    [](const at::Tensor& base) { return base.contiguous(at::MemoryFormat::ChannelsLast); }});
  }
  if (c10::isComplexType(dtype)) {
    made.push_back({"conjugated", shape, [](const at::Tensor& base) { return base.conj(); }});
  }
  const bool float8 = c10::elementSize(dtype) == 1;  // the CPU cannot negate it
  if (c10::isComplexType(dtype) || (c10::isFloatingType(dtype) && !float8)) {
    made.push_back({"negated", shape, [](const at::Tensor& base) { return at::_neg_view(base); }});
  }
  return made;
}

}  // namespace

c10::Device device(int index) { return {c10::DeviceType::PrivateUse1, static_cast<c10::DeviceIndex>(index)}; }

at::Tensor counting(std::int64_t n, c10::Device where) { return at::arange(n, at::kFloat).to(where); }

const std::vector<at::ScalarType>& all_dtypes() {
  static const std::vector<at::ScalarType> dtypes{at::kByte,
                                                  at::kChar,
                                                  at::kShort,
                                                  at::kInt,
                                                  at::kLong,
                                                  at::kUInt16,
                                                  at::kUInt32,
                                                  at::kUInt64,
                                                  at::kHalf,
                                                  at::kFloat,
                                                  at::kDouble,
                                                  at::kComplexHalf,
                                                  at::kComplexFloat,
                                                  at::kComplexDouble,
                                                  at::kBool,
                                                  at::kBFloat16,
                                                  at::kFloat8_e5m2,
                                                  at::kFloat8_e4m3fn,
                                                  at::kFloat8_e5m2fnuz,
                                                  at::kFloat8_e4m3fnuz};
  return dtypes;
}

const std::vector<Shape>& all_shapes() {
  static const std::vector<Shape> shapes{{}, {0}, {7}, {5, 6}, {2, 0, 3}, {3, 4, 5}, {2, 3, 4, 5}};
  return shapes;
}

at::Tensor values(c10::IntArrayRef shape, at::ScalarType dtype) {
  const auto count = c10::multiply_integers(shape);
  auto real = at::arange(count, at::kDouble) * 1.25 - static_cast<double>(count) / 2;
  if (c10::isFloatingType(dtype) || c10::isComplexType(dtype)) {
    const auto infinity = std::numeric_limits<double>::infinity();
    const auto nan = std::numeric_limits<double>::quiet_NaN();
    const double special[] = {-0.0, infinity, -infinity, nan, -nan, 0.0};
    for (std::int64_t i = 0; i < 6 && 2 * i + 1 < count; ++i) {
      real[2 * i + 1] = special[i];
    }
  }
  if (c10::isComplexType(dtype)) {
    return at::complex(real, real.flip(0) * 0.5).to(dtype).reshape(shape);
  }
  if (dtype == at::kBool) {
    return at::arange(count, at::kLong).remainder(3).eq(0).reshape(shape);
  }
  if (!c10::isFloatingType(dtype)) {
    real = real.trunc();
  }
  return real.to(c10::isFloatingType(dtype) ? dtype : at::kLong).to(dtype).reshape(shape);
}

std::vector<Sample> layouts_of(c10::IntArrayRef shape, at::ScalarType dtype) {
  std::vector<Sample> samples;
  for (const auto& layout : layouts(shape.vec(), dtype)) {
    const auto base = values(layout.base, dtype);
    std::ostringstream name;
    name << dtype << " " << shape << " " << layout.name;
    samples.push_back({name.str(), layout.view(base), layout.view(base.to(device()))});
  }
  return samples;
}

std::vector<Sample> all_samples() {
  std::vector<Sample> samples;
  for (const auto dtype : all_dtypes()) {
    for (const auto& shape : all_shapes()) {
      for (auto& sample : layouts_of(shape, dtype)) {
        samples.push_back(std::move(sample));
      }
    }
  }
  return samples;
}

}  // namespace openreg::test
