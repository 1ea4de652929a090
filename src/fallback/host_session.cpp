#include "fallback/host_session.h"

#include <ATen/core/TensorBase.h>
#include <ATen/quantized/QTensorImpl.h>
#include <c10/core/CPUAllocator.h>
#include <c10/core/TensorImpl.h>
#include <c10/util/Exception.h>

#include <algorithm>
#include <atomic>

#include "device/allocator.h"
#include "device/driver/driver.h"
#include "device/driver_check.h"
#include "device/environment.h"
#include "device/runtime.h"
#include "device/streams.h"
#include "fallback/host_allocator.h"
#include "fallback/policy.h"

namespace openreg::fallback {
namespace {

constexpr std::size_t kNone = static_cast<std::size_t>(-1);
constexpr std::size_t kIndexAbove = 16;  // beyond this many entries a hash is faster than a look at each

void release_device_storage(void* storage) { c10::raw::intrusive_ptr::decref(static_cast<c10::StorageImpl*>(storage)); }

// A CPU copy of a device storage's bytes.
c10::DataPtr staged_data(const void* data, std::size_t bytes) {
  auto copy = c10::GetCPUAllocator()->allocate(data == nullptr ? 0 : bytes);
  if (data != nullptr) {
    device::check(driver::copy(copy.get(), data, bytes, driver::CopyKind::device_to_host));
  }
  return copy;
}

void copy_bits(const c10::TensorImpl& from, c10::TensorImpl& to) {
  if (C10_UNLIKELY(from.is_conj())) to._set_conj(true);
  if (C10_UNLIKELY(from.is_neg())) to._set_neg(true);
  if (C10_UNLIKELY(from.is_wrapped_number())) to.set_wrapped_number(true);
}

bool is_quantized(const c10::TensorImpl& impl) {
  return impl.key_set().has_all(c10::DispatchKeySet(c10::DispatchKey::Quantized));
}

// A tensor like another on the other side's storage.
at::Tensor make_alias(const c10::TensorImpl& like, c10::Storage storage, c10::DeviceType side) {
  const bool to_host = side == c10::DeviceType::CPU;
  at::Tensor tensor;
  if (C10_UNLIKELY(is_quantized(like))) {
    const auto key = to_host ? c10::DispatchKey::QuantizedCPU : c10::DispatchKey::QuantizedPrivateUse1;
    auto quantizer = const_cast<at::QTensorImpl&>(static_cast<const at::QTensorImpl&>(like)).quantizer();
    tensor = at::detail::make_tensor<at::QTensorImpl>(std::move(storage), c10::DispatchKeySet(key), like.dtype(),
                                                      std::move(quantizer));
  } else {
    const auto key = to_host ? c10::DispatchKey::CPU : c10::DispatchKey::PrivateUse1;
    c10::DispatchKeySet keys(key);
    if (C10_UNLIKELY(like._is_zerotensor())) {
      keys = keys.add(c10::DispatchKey::ZeroTensor);  // this bit can be set in no tensor that is made already
    }
    tensor = at::detail::make_tensor<c10::TensorImpl>(std::move(storage), keys, like.dtype());
  }
  auto* impl = tensor.unsafeGetTensorImpl();
  impl->set_sizes_and_strides(like.sizes(), like.strides(), like.storage_offset());
  copy_bits(like, *impl);
  return tensor;
}

// Strided, and of no kind but dense or quantized.
bool is_plain(const c10::TensorImpl& impl, c10::DispatchKey dense, c10::DispatchKey quantized) {
  return (impl.key_set().has(dense) || impl.key_set().has(quantized)) && impl.layout() == c10::kStrided;
}

// A nested tensor says that it is strided.
std::string kind_of(const at::Tensor& tensor) { return tensor.is_nested() ? "Nested" : c10::str(tensor.layout()); }

bool same_geometry(const c10::TensorImpl& a, const c10::TensorImpl& b) {
  return a.storage_offset() == b.storage_offset() && a.sizes() == b.sizes() && a.strides() == b.strides();
}

template <typename Entries, typename Match>
std::size_t find_entry(const Entries& entries, const std::unordered_map<const void*, std::size_t>& index,
                       const void* key, Match match) {
  if (entries.size() > kIndexAbove) {
    const auto found = index.find(key);
    return found == index.end() ? kNone : found->second;
  }
  for (std::size_t i = 0; i < entries.size(); ++i) {
    if (match(entries[i])) {
      return i;
    }
  }
  return kNone;
}

// Call after an entry was added: keeps the hash complete once the list is long.
template <typename Entries, typename Key>
void index_entries(const Entries& entries, std::unordered_map<const void*, std::size_t>& index, Key key) {
  if (entries.size() <= kIndexAbove) {
    return;
  }
  for (auto i = index.empty() ? 0 : entries.size() - 1; i < entries.size(); ++i) {
    index.emplace(key(entries[i]), i);
  }
}

std::atomic<HostAccess>& access_in_force() {
  static std::atomic<HostAccess> access = [] {
    const bool staged = device::environment().host_access == "staged" || device::host_distance() == 0;
    return staged ? HostAccess::staged : HostAccess::mapped;
  }();
  return access;
}

}  // namespace

HostAccess host_access() {
  device::ensure_initialized();  // each time: it also refuses a forked child
  return access_in_force().load(std::memory_order_relaxed);
}

void set_host_access(HostAccess access) {
  device::ensure_initialized();
  access_in_force().store(access, std::memory_order_relaxed);
  policy_epoch.fetch_add(1, std::memory_order_release);
}

c10::DataPtr mapped_data(c10::StorageImpl& storage) {
  const auto* data = storage.data();
  TORCH_CHECK(data == nullptr || device::is_device_address(data), "openreg: the storage of a tensor on ",
              storage.device(), " is at ", data,
              ", which is no device memory. Make the tensor on the CPU and move it.");
  c10::raw::intrusive_ptr::incref(&storage);
  return {data == nullptr ? nullptr : device::to_host(data), &storage, &release_device_storage,
          c10::Device(c10::DeviceType::CPU)};
}

HostSession::StoragePair& HostSession::storage_pair(const at::Tensor& device, bool written) {
  auto* storage = device.unsafeGetTensorImpl()->unsafe_storage().unsafeGetStorageImpl();
  auto found = find_entry(storages_, storage_index_, storage, [&](const auto& pair) { return pair.device == storage; });
  if (found == kNone) {
    device::order_with_current_stream(storage->device().index());
    // A zero tensor has bytes but no data; an empty one may have neither.
    const auto* data = written ? storage->mutable_data() : storage->data();
    const auto bytes = storage->nbytes();
    auto host_data = access_ == HostAccess::mapped ? mapped_data(*storage) : staged_data(data, bytes);
    const auto* address = host_data.get();
    bytes_copied_ += access_ == HostAccess::staged && data != nullptr ? bytes : 0;
    auto host = c10::make_intrusive<c10::StorageImpl>(c10::StorageImpl::use_byte_size_t(), bytes, std::move(host_data),
                                                      c10::GetCPUAllocator(), storage->resizable());
    storages_.push_back({storage, std::move(host), address, written});
    index_entries(storages_, storage_index_, [](const auto& pair) -> const void* { return pair.device; });
    found = storages_.size() - 1;
  }
  auto& pair = storages_[found];
  pair.written = pair.written || written;
  return pair;
}

std::size_t HostSession::find_tensor(const c10::TensorImpl* impl) const {
  return find_entry(tensors_, tensor_index_, impl,
                    [&](const auto& pair) { return pair.device.unsafeGetTensorImpl() == impl; });
}

at::Tensor HostSession::host(const at::Tensor& device, bool written) {
  if (!device.defined()) {
    return device;
  }
  auto* impl = device.unsafeGetTensorImpl();
  if (const auto found = find_tensor(impl); found != kNone) {
    auto& pair = tensors_[found];
    if (written && !pair.written) {
      pair.written = true;
      storage_pair(device, true);
    }
    return pair.host;
  }
  TORCH_CHECK_NOT_IMPLEMENTED(is_plain(*impl, c10::DispatchKey::PrivateUse1, c10::DispatchKey::QuantizedPrivateUse1),
                              "openreg: ", user_, " got a tensor on ", device.device(), " of layout ", impl->layout(),
                              " and type ", device.toString(),
                              "; only strided tensors run there. Make it dense, or "
                              "keep it on the CPU.");
  auto host = make_alias(*impl, c10::Storage(storage_pair(device, written).host), c10::DeviceType::CPU);
  tensors_.push_back({device, host, written, 0});
  index_entries(tensors_, tensor_index_,
                [](const auto& pair) -> const void* { return pair.device.unsafeGetTensorImpl(); });
  return host;
}

void HostSession::take_over(const at::Tensor& device, const at::Tensor& host, c10::StorageImpl& host_storage,
                            const void* address, std::uint32_t version, bool written) {
  auto* storage = device.unsafeGetTensorImpl()->unsafe_storage().unsafeGetStorageImpl();
  if (find_entry(storages_, storage_index_, storage, [&](const auto& pair) { return pair.device == storage; }) ==
      kNone) {
    if (address != nullptr && host_storage.data() == address) {
      host_storage.set_data_ptr_noswap(mapped_data(*storage));  // the device tensor may get another storage now
    }
    storages_.push_back({storage, c10::intrusive_ptr<c10::StorageImpl>::reclaim_copy(&host_storage), address, written});
    index_entries(storages_, storage_index_, [](const auto& pair) -> const void* { return pair.device; });
  }
  tensors_.push_back({device, host, written, version});
  index_entries(tensors_, tensor_index_,
                [](const auto& pair) -> const void* { return pair.device.unsafeGetTensorImpl(); });
}

// The kernel gave the host storage other memory: hand it to the device storage, and let the host storage see it
// there, in case the kernel kept the tensor.
void HostSession::take_resized_storage(StoragePair& pair) {
  auto& host = *pair.host;
  const auto bytes = host.nbytes();
  c10::DataPtr data;
  if (access_ == HostAccess::mapped && is_adoptable(host.data_ptr())) {
    void* block = device::to_device(host.data_ptr().get());
    host._mutable_data_ptr_no_checks().release_context();
    data = {block, block, &device::delete_block, pair.device->device()};
  } else {
    data = device::allocate(bytes, pair.device->device().index());
    if (bytes > 0) {
      device::check(driver::copy(data.get(), host.data(), bytes, driver::CopyKind::host_to_device));
      bytes_copied_ += bytes;
    }
  }
  pair.device->set_data_ptr_noswap(std::move(data));
  pair.device->set_nbytes(bytes);
  if (access_ == HostAccess::mapped) {
    host.set_data_ptr_noswap(mapped_data(*pair.device));
  }
  pair.address = host.data();
}

void HostSession::write_back() {
  for (auto& pair : storages_) {
    if (pair.host->data() != pair.address) {
      take_resized_storage(pair);
      continue;
    }
    if (pair.host->nbytes() != pair.device->nbytes()) {
      pair.device->set_nbytes(pair.host->nbytes());
    }
    if (access_ == HostAccess::staged && pair.written && pair.address != nullptr && pair.host->nbytes() > 0) {
      device::check(driver::copy(pair.device->mutable_data(), pair.address, pair.host->nbytes(),
                                 driver::CopyKind::host_to_device));
      bytes_copied_ += pair.host->nbytes();
    }
  }
  for (auto& pair : tensors_) {
    if (!pair.written) {
      continue;
    }
    auto& device = *pair.device.unsafeGetTensorImpl();
    const auto& host = *pair.host.unsafeGetTensorImpl();
    // A composite writes through operators that count; below a kernel that counts for it, none of them does.
    if (host.version_counter().enabled() && device.version_counter().enabled()) {
      for (auto version = host.version_counter().current_version(); version != pair.version; --version) {
        device.bump_version();
      }
    }
    auto* storage = device.unsafe_storage().unsafeGetStorageImpl();
    const auto known =
        find_entry(storages_, storage_index_, storage, [&](const auto& p) { return p.device == storage; });
    if (known == kNone || storages_[known].host.get() != host.unsafe_storage().unsafeGetStorageImpl()) {
      device.set_storage_keep_dtype(device_storage(pair.host, pair.device.device()));
    }
    if (!same_geometry(device, host)) {
      device.set_sizes_and_strides(host.sizes(), host.strides(), host.storage_offset());
    }
  }
}

void HostSession::announce(const at::Tensor& result) {
  if (!result.defined() || !result.has_storage()) {
    return;
  }
  const auto* impl = result.unsafeGetTensorImpl();
  auto* storage = impl->unsafe_storage().unsafeGetStorageImpl();
  for (auto& fresh : fresh_) {
    if (fresh.host == storage) {
      ++fresh.appearances;
      if (std::find(fresh.tensors.begin(), fresh.tensors.end(), impl) == fresh.tensors.end()) {
        fresh.tensors.push_back(impl);
      }
      return;
    }
  }
  fresh_.push_back({storage, {impl}, 1, nullptr});
}

// A kernel may keep a result, by its storage or by the tensor itself: neither may become the device's under it.
bool HostSession::only_results_hold(const FreshStorage& fresh) {
  std::size_t holders = 0;
  for (const auto* impl : fresh.tensors) {
    holders += c10::raw::intrusive_ptr::use_count(const_cast<c10::TensorImpl*>(impl));
  }
  return holders == fresh.appearances && c10::raw::intrusive_ptr::use_count(fresh.host) == fresh.tensors.size();
}

void HostSession::adopt(FreshStorage& fresh, c10::Device target) {
  auto& host = *fresh.host;
  const auto bytes = host.nbytes();
  const bool has_block = bytes > 0 && host.data() != nullptr;
  if (access_ == HostAccess::mapped && only_results_hold(fresh) && (!has_block || is_adoptable(host.data_ptr()))) {
    void* block = has_block ? device::to_device(host.data()) : nullptr;
    if (has_block) {
      host._mutable_data_ptr_no_checks().release_context();
    }
    host.set_data_ptr_noswap({block, block, &device::delete_block, target});
    host.set_allocator(&device::allocator());
    fresh.device = c10::intrusive_ptr<c10::StorageImpl>::reclaim_copy(&host);
    return;
  }
  auto data = device::allocate(has_block ? bytes : 0, target.index());
  if (has_block) {
    device::check(driver::copy(data.get(), host.data(), bytes, driver::CopyKind::host_to_device));
    bytes_copied_ += bytes;
  }
  fresh.device = c10::make_intrusive<c10::StorageImpl>(c10::StorageImpl::use_byte_size_t(), bytes, std::move(data),
                                                       &device::allocator(), true);
}

c10::Storage HostSession::device_storage(const at::Tensor& result, c10::Device target) {
  auto* storage = result.unsafeGetTensorImpl()->unsafe_storage().unsafeGetStorageImpl();
  for (auto& pair : storages_) {
    if (pair.host.get() == storage) {
      return c10::Storage(c10::intrusive_ptr<c10::StorageImpl>::reclaim_copy(pair.device));
    }
  }
  auto* fresh = std::find_if(fresh_.begin(), fresh_.end(), [&](const auto& entry) { return entry.host == storage; });
  if (fresh == fresh_.end()) {
    fresh_.push_back({storage, {}, 0, nullptr});  // not announced: somebody else holds it, so it is copied
    fresh = &fresh_.back();
  }
  if (fresh->device == nullptr) {
    adopt(*fresh, target);
  }
  return c10::Storage(fresh->device);
}

at::Tensor HostSession::to_device(at::Tensor result, c10::Device target) {
  if (!result.defined()) {
    return result;
  }
  auto* impl = result.unsafeGetTensorImpl();
  for (const auto& pair : tensors_) {
    if (pair.host.unsafeGetTensorImpl() == impl) {
      return pair.device;
    }
  }
  if (!result.device().is_cpu()) {
    return result;
  }
  TORCH_CHECK_NOT_IMPLEMENTED(is_plain(*impl, c10::DispatchKey::CPU, c10::DispatchKey::QuantizedCPU),
                              "openreg: ", user_, " gives a result of layout ", kind_of(result), " and type ",
                              result.toString(), ", which ", device::kBackendName,
                              " does not have: it supports strided tensors only. "
                              "Call it on the CPU: move the input with Tensor::cpu().");
  TORCH_CHECK_NOT_IMPLEMENTED(!impl->key_set().has(c10::DispatchKey::QuantizedCPU) ||
                                  (result.qscheme() == at::kPerTensorAffine && result.scalar_type() != at::kQUInt4x2 &&
                                   result.scalar_type() != at::kQUInt2x4),
                              "openreg: ", user_, " gives a quantized result of type ", result.scalar_type(),
                              " and scheme ", c10::toString(result.qscheme()), ", which ", device::kBackendName,
                              " does not have: it supports QInt8, QUInt8 and QInt32, quantized per "
                              "tensor. Call it on the CPU: move the input with Tensor::cpu().");
  auto storage = device_storage(result, target);
  if (result.use_count() == 1 && impl->autograd_meta() == nullptr && impl->allow_tensor_metadata_change()) {
    impl->set_storage_keep_dtype(std::move(storage));
    impl->_change_backend_component_keys(target);
    return result;
  }
  return make_alias(*impl, std::move(storage), device::kDeviceType);
}

}  // namespace openreg::fallback
