#include <set>

#include "driver_test.h"

namespace openreg::driver {
namespace {

constexpr Status all[] = {
    Status::success,        Status::not_ready,       Status::not_initialized,    Status::invalid_argument,
    Status::invalid_device, Status::out_of_memory,   Status::reservation_failed, Status::task_failed,
    Status::wrong_device,   Status::timing_disabled, Status::unsupported};

TEST(Status, EachHasItsNameAndText) {
  std::set<std::string> names;
  std::set<std::string> texts;
  for (const Status status : all) {
    ASSERT_NE(status_name(status), nullptr);
    ASSERT_NE(status_text(status), nullptr);
    names.insert(status_name(status));
    texts.insert(status_text(status));
  }
  EXPECT_EQ(names.size(), std::size(all));
  EXPECT_EQ(texts.size(), std::size(all));
  EXPECT_STREQ(status_name(Status::out_of_memory), "out_of_memory");
}

TEST(Status, UnknownValueHasTextsToo) {
  EXPECT_STREQ(status_name(static_cast<Status>(99)), "unknown");
  EXPECT_NE(std::string(status_text(static_cast<Status>(99))), "");
}

TEST(LastError, IsEmptyBeforeAnyFailureAndBelongsToItsThread) {
  EXPECT_EQ(set_current_device(-1) == Status::success, false);
  EXPECT_NE(last_error(), "");
  std::string other = "not asked";
  std::thread([&] { other = last_error(); }).join();
  EXPECT_EQ(other, "");
}

TEST(LastError, SurvivesACallThatSucceeds) {
  ASSERT_TRUE(succeeds(initialize({})));
  EXPECT_TRUE(fails(set_current_device(77), Status::invalid_device, {"set_current_device", "77", "[0, 2)"}));
  ASSERT_TRUE(succeeds(set_current_device(0)));
  EXPECT_NE(last_error().find("77"), std::string::npos);
}

}  // namespace
}  // namespace openreg::driver
