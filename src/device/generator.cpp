#include "device/generator.h"

#include <ATen/CPUGeneratorImpl.h>
#include <c10/core/TensorImpl.h>
#include <c10/util/Exception.h>

#include <mutex>
#include <vector>

#include "device/runtime.h"
#include "openreg/random.h"

namespace openreg::device {
namespace {

// Note [Device generators and their twins]
// Random operators run CPU kernels, and these accept nothing but a CPU generator. Each device generator therefore
// owns one, its twin: kernels draw from the twin, seed and state are the twin's. The values are those of a CPU
// generator with the same seed, and the CPU's own default generator never moves. Kernels lock the twin's mutex while
// they draw, callers the device generator's: whatever reaches the twin from here locks the twin's as well.
class DeviceGenerator final : public c10::GeneratorImpl {
 public:
  DeviceGenerator(c10::Device device, at::Generator twin)
      : GeneratorImpl(device, c10::DispatchKeySet(c10::DispatchKey::PrivateUse1)), twin_(std::move(twin)) {}

  const at::Generator& twin() const { return twin_; }

  void set_current_seed(std::uint64_t seed) override {
    const std::lock_guard lock(twin_impl().mutex_);
    twin_impl().set_current_seed(seed);
  }
  std::uint64_t current_seed() const override {
    const std::lock_guard lock(twin_impl().mutex_);
    return twin_impl().current_seed();
  }
  std::uint64_t seed() override {
    const std::lock_guard lock(twin_impl().mutex_);
    return twin_impl().seed();
  }
  void set_state(const c10::TensorImpl& state) override {
    const std::lock_guard lock(twin_impl().mutex_);
    twin_impl().set_state(state);
  }
  c10::intrusive_ptr<c10::TensorImpl> get_state() const override {
    const std::lock_guard lock(twin_impl().mutex_);
    return twin_impl().get_state();
  }

  void set_offset(std::uint64_t) override {
    TORCH_CHECK_NOT_IMPLEMENTED(false, kBackendName, " generators have no offset: use set_state.");
  }
  std::uint64_t get_offset() const override {
    TORCH_CHECK_NOT_IMPLEMENTED(false, kBackendName, " generators have no offset: use get_state.");
  }

 private:
  c10::GeneratorImpl& twin_impl() const { return *twin_.unsafeGetGeneratorImpl(); }

  DeviceGenerator* clone_impl() const override {
    const std::lock_guard lock(twin_impl().mutex_);
    return new DeviceGenerator(device(), twin_.clone());
  }

  at::Generator twin_;
};

at::Generator make_seeded(c10::DeviceIndex index, std::uint64_t seed) {
  return at::make_generator<DeviceGenerator>(c10::Device(kDeviceType, index), at::detail::createCPUGenerator(seed));
}

}  // namespace

// Leaked: see allocator().
const at::Generator& default_generator(c10::DeviceIndex device) {
  static const auto* const generators = [] {
    auto* made = new std::vector<at::Generator>;
    for (c10::DeviceIndex i = 0; i < device_count(); ++i) {
      made->push_back(make_seeded(i, c10::default_rng_seed_val));
    }
    return made;
  }();
  return (*generators)[static_cast<std::size_t>(resolve_device({kDeviceType, device}).index())];
}

at::Generator make_generator(c10::DeviceIndex device) {
  return make_seeded(resolve_device({kDeviceType, device}).index(), c10::default_rng_seed_val);
}

at::Generator host_twin(const at::Generator& generator, c10::Device device) {
  if (!generator.defined()) {
    return default_generator(device.index()).get<DeviceGenerator>()->twin();
  }
  TORCH_CHECK(generator.device() == device, "Expected a generator of ", device, " but got one of ", generator.device(),
              ". Make it with openreg::make_generator(", static_cast<int>(device.index()), ").");
  auto* impl = dynamic_cast<DeviceGenerator*>(generator.unsafeGetGeneratorImpl());
  TORCH_CHECK(impl != nullptr, "The generator of ", device, " was not made by openreg.");
  return impl->twin();
}

}  // namespace openreg::device

namespace openreg {

void manual_seed(std::uint64_t seed, c10::DeviceIndex device) {
  auto generator = default_generator(device);
  const std::lock_guard lock(generator.mutex());
  generator.set_current_seed(seed);
}

void manual_seed_all(std::uint64_t seed) {
  for (c10::DeviceIndex i = 0; i < device::device_count(); ++i) {
    manual_seed(seed, i);
  }
}

at::Generator default_generator(c10::DeviceIndex device) { return device::default_generator(device); }

at::Generator make_generator(c10::DeviceIndex device) { return device::make_generator(device); }

}  // namespace openreg
