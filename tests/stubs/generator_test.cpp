#include <gtest/gtest.h>

#include "source_text.h"
#include "stub_headers.h"

namespace openreg::generator {
namespace {

std::vector<DeclaredStub> read(const std::string& text) { return read_stubs(text, "ATen/native/x.h"); }

std::string error_of(const std::string& text) {
  try {
    read(text);
  } catch (const std::exception& error) {
    return error.what();
  }
  return "";
}

TEST(StubHeaders, FollowNamespacesAliasesAndLineBreaks) {
  const auto stubs = read(R"(
#define IGNORED(x) { DECLARE_DISPATCH(x, y)
namespace c10 { class Scalar; }
namespace at::native::cpublas {
// DECLARE_DISPATCH(a, b)
using old_fn = void (*)( const Tensor & ,  // a comment, with a comma
                         int64_t );
using new_fn = old_fn;
typedef bool (*check_fn)(double);
inline char f() { return '{'; }
DECLARE_DISPATCH(
    new_fn,
    far_stub)
DECLARE_DISPATCH(check_fn, check_stub);
DECLARE_DISPATCH(std::vector<int> (*)(Tensor *, int), near_stub)
}
)");
  ASSERT_EQ(stubs.size(), 3u);
  EXPECT_EQ(stubs[0].name, "far_stub");
  EXPECT_EQ(stubs[0].signature, "void(*)(const Tensor&, int64_t)");
  EXPECT_EQ(stubs[0].symbol, "_ZN2at6native7cpublas8far_stubE");
  EXPECT_EQ(stubs[1].signature, "bool(*)(double)");
  EXPECT_EQ(stubs[2].signature, "std::vector<int>(*)(Tensor*, int)");
}

TEST(StubHeaders, FailOnFormsThatAreNotKnown) {
  EXPECT_EQ(error_of("namespace at {\nDECLARE_DISPATCH(missing_fn, x_stub)\n}"),
            "ATen/native/x.h:2: the type 'missing_fn' is not declared in this header");
  EXPECT_NE(error_of("namespace at {\n  DECLARE_DISPATCH(void(*)(), x_stub)\n}").find("does not begin a line"),
            std::string::npos);
  EXPECT_NE(error_of("namespace {\nDECLARE_DISPATCH(void(*)(), x_stub)\n}").find("nameless"), std::string::npos);
  EXPECT_NE(error_of("struct A {\nDECLARE_DISPATCH(void(*)(), x_stub)\n}").find("inside a block"), std::string::npos);
  EXPECT_NE(error_of("DECLARE_DISPATCH(void(*)(), a + b)").find("no name of a stub"), std::string::npos);
  EXPECT_NE(error_of("namespace at {").find("ends inside"), std::string::npos);
  EXPECT_NE(error_of("}").find("too many"), std::string::npos);
}

}  // namespace
}  // namespace openreg::generator
