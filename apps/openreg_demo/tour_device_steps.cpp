#include <ATen/ops/empty.h>
#include <ATen/ops/ones.h>
#include <c10/core/DispatchKeySet.h>
#include <openreg/host_view.h>
#include <openreg/memory.h>
#include <openreg/openreg.h>

#include "touch_memory.h"
#include "tour.h"

namespace openreg::demo {

void step_devices(Tour& tour) {
  OPENREG_DEMO_SHOW(tour, const int count = openreg::device_count());
  OPENREG_DEMO_SHOW(tour, const at::Tensor x = at::empty({256, 1024}, at::Device("openreg:0")));
  Table table({Align::left, Align::right, Align::right});
  table.add({"device", "in tensors", "held"});
  for (int i = 0; i < count; ++i) {
    const auto memory = memory_statistics(static_cast<c10::DeviceIndex>(i));
    table.add({"openreg:" + std::to_string(i), bytes_text(memory.allocated), bytes_text(memory.reserved)});
  }
  tour.block(table.text(0));
  tour.check(count >= 1, "There is a device. OPENREG_DEVICE_COUNT sets how many.");
  tour.check(x.device().type() == at::kPrivateUse1 && memory_statistics(0).allocated >= x.nbytes(),
             "The 1 MiB tensor lies in openreg:0's memory.");
}

void step_dispatch_keys(Tour& tour) {
  OPENREG_DEMO_SHOW(tour, const at::Tensor x = at::ones({3, 3}, at::Device("openreg")));
  const auto keys = c10::toString(x.key_set());
  tour.block(keys);
  tour.say("Priority grows to the right: a call begins at the last key and works its way down to PrivateUse1.");
  const std::string expected = "DispatchKeySet(PrivateUse1, ADInplaceOrView, AutogradPrivateUse1, AutocastPrivateUse1)";
  tour.check(keys == expected, "The keys are PrivateUse1's where a CPU tensor has the CPU's.", "expected " + expected);
}

void step_isolation(Tour& tour) {
  OPENREG_DEMO_SHOW(tour, const at::Tensor x = at::ones({4}, at::Device("openreg")));
  void* const address = x.data_ptr();
  const auto read = fate_of_access(address, Access::read);
  const auto written = fate_of_access(address, Access::write);
  tour.say("A child process reads *x.data_ptr(): " + read + ". Another one writes it: " + written + ".");
  tour.check(read == "killed by SIGSEGV" && written == read, "Device memory is closed to the host, always.");
  OPENREG_DEMO_SHOW(tour, const openreg::HostView view(x));
  tour.check(*static_cast<const float*>(view.data()) == 1, "Through a host view, a kernel of yours reads the bytes.");
}

}  // namespace openreg::demo
