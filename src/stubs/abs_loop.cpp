#include "stubs/abs_loop.h"

#include <cstdint>
#include <type_traits>

// Built twice, with and without AVX2, for the compiler to vectorise: at::vec's own AVX2 types need sleef.h, which no
// libtorch package ships. The namespace carries the capability, so that the linker mixes nothing up.
namespace openreg::stubs::OPENREG_CAPABILITY {
namespace {

struct UnsignedInteger {
  template <typename T>
  static T apply(T value) {
    return value;
  }
};

struct SignedInteger {
  // Through unsigned: the smallest number has no absolute value and stays, as on the CPU.
  template <typename T>
  static T apply(T value) {
    return value < 0 ? static_cast<T>(0 - static_cast<std::make_unsigned_t<T>>(value)) : value;
  }
};

// Any floating point format with its sign on top, seen as an integer of its size.
struct FloatingPoint {
  template <typename Bits>
  static Bits apply(Bits value) {
    return static_cast<Bits>(value & static_cast<Bits>(static_cast<Bits>(~Bits{0}) >> 1));
  }
};

template <typename Operation, typename T>
void loop(char* out, std::int64_t out_stride, const char* in, std::int64_t in_stride, std::int64_t n) {
  constexpr auto item = static_cast<std::int64_t>(sizeof(T));
  if (out_stride == item && in_stride == item) {
    auto* to = reinterpret_cast<T*>(out);
    const auto* from = reinterpret_cast<const T*>(in);
    for (std::int64_t i = 0; i < n; ++i) {
      to[i] = Operation::apply(from[i]);
    }
    return;
  }
  for (std::int64_t i = 0; i < n; ++i) {
    *reinterpret_cast<T*>(out + i * out_stride) = Operation::apply(*reinterpret_cast<const T*>(in + i * in_stride));
  }
}

}  // namespace

AbsLoop abs_loop(c10::ScalarType dtype) {
  switch (dtype) {
    case c10::ScalarType::Byte:
      return &loop<UnsignedInteger, std::uint8_t>;
    case c10::ScalarType::Char:
      return &loop<SignedInteger, std::int8_t>;
    case c10::ScalarType::Short:
      return &loop<SignedInteger, std::int16_t>;
    case c10::ScalarType::Int:
      return &loop<SignedInteger, std::int32_t>;
    case c10::ScalarType::Long:
      return &loop<SignedInteger, std::int64_t>;
    case c10::ScalarType::Float:
      return &loop<FloatingPoint, std::uint32_t>;
    case c10::ScalarType::Double:
      return &loop<FloatingPoint, std::uint64_t>;
    case c10::ScalarType::Half:
      return &loop<FloatingPoint, std::uint16_t>;
    case c10::ScalarType::BFloat16:
      return &loop<FloatingPoint, std::uint16_t>;
    default:
      return nullptr;
  }
}

}  // namespace openreg::stubs::OPENREG_CAPABILITY
