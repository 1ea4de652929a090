#include <c10/core/Event.h>

#include "cases.h"
#include "dispatch.h"
#include "openreg/stream.h"

namespace openreg::bench {
namespace {

void add_stream_case(const char* name, std::function<std::function<void()>()> make, bool wall_time) {
  Case one{name, [make = std::move(make)](bool on_device) { return on_device ? make() : nullptr; }, "Streams"};
  one.wall_time = wall_time;
  one.openreg_alone = true;
  cases().push_back(std::move(one));
}

}  // namespace

void add_stream_cases() {
  add_stream_case(
      "current stream", [] { return [] { static_cast<void>(current_stream()); }; }, false);
  add_stream_case(
      "record and query an event",
      [] {
        return [stream = pool_stream()] {
          c10::Event event(stream.device_type());
          event.record(stream);
          static_cast<void>(event.query());
        };
      },
      true);
  add_stream_case(
      "launch an empty task and wait",
      [] {
        return [stream = pool_stream()] {
          launch(stream, [] {});
          stream.synchronize();
        };
      },
      true);
  add_stream_case(
      "100 empty tasks and one wait",
      [] {
        return [stream = pool_stream()] {
          for (int i = 0; i < 100; ++i) {
            launch(stream, [] {});
          }
          stream.synchronize();
        };
      },
      true);
}

}  // namespace openreg::bench
