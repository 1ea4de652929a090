#include "fallback/host_twins.h"

#include <c10/core/CPUAllocator.h>
#include <c10/core/InferenceMode.h>
#include <c10/core/TensorImpl.h>

#include <memory>

#include "device/allocator.h"
#include "device/runtime.h"
#include "fallback/host_allocator.h"
#include "fallback/ordinary.h"

namespace openreg::fallback {

struct TwinPool {
  std::array<Twin, 32> twins;
  std::size_t lent = 0;  // calls nest: these are in use
};

namespace {

constexpr auto kCpu = c10::DeviceType::CPU;

class TwinImpl final : public c10::TensorImpl {
 public:
  explicit TwinImpl(c10::Storage storage)
      : TensorImpl(std::move(storage), c10::DispatchKeySet(c10::DispatchKey::CPU), caffe2::TypeMeta::Make<float>()) {}

  void take_layout_of(const c10::TensorImpl& other) {
    extra_meta_.reset();
    copy_generic_tensor_metadata(&other, this);
    device_opt_ = kCpu;
  }
};

void make(Twin& twin) {
  const c10::InferenceMode off(false);  // a tensor made in inference mode would be of no use outside it
  twin.storage = c10::make_intrusive<c10::StorageImpl>(c10::StorageImpl::use_byte_size_t(), 0,
                                                       c10::DataPtr(nullptr, kCpu), c10::GetCPUAllocator(), true);
  twin.tensor = at::detail::make_tensor<TwinImpl>(c10::Storage(twin.storage));
}

constinit thread_local TwinPool* pool_of_thread = nullptr;
constinit thread_local bool thread_ends = false;

struct PoolOwner {
  std::unique_ptr<TwinPool> pool = std::make_unique<TwinPool>();
  ~PoolOwner() {
    pool_of_thread = nullptr;  // operators may still run in destructors that come later
    thread_ends = true;
  }
};

TwinPool* make_pool() noexcept {
  if (thread_ends) {
    return nullptr;
  }
  thread_local const PoolOwner owner;
  return pool_of_thread = owner.pool.get();
}

bool same_layout(const c10::TensorImpl& a, const c10::TensorImpl& b) {
  return a.storage_offset() == b.storage_offset() && a.sizes() == b.sizes() && a.strides() == b.strides();
}

bool is_number(const c10::TensorImpl& impl) { return is_ordinary(impl, kCpuKeys) && impl.dim() == 0; }

c10::StorageImpl* storage_of(const c10::TensorImpl& impl) { return impl.unsafe_storage().unsafeGetStorageImpl(); }

// A storage whose materialisation somebody else arranged; newer versions of libtorch have that.
template <typename Storage>
bool waits_for_its_bytes(const Storage& storage) {
  if constexpr (requires { storage.has_materializer(); }) {
    return storage.has_materializer();
  }
  return false;
}

// A result that nobody but the caller holds, in a block of the device.
bool is_fresh(const at::Tensor& result) {
  const auto& impl = *result.unsafeGetTensorImpl();
  if (!is_ordinary(impl, kCpuKeys) || result.use_count() != 1 || impl.autograd_meta() != nullptr ||
      !impl.allow_tensor_metadata_change()) {
    return false;
  }
  const auto* storage = storage_of(impl);
  return storage != nullptr && c10::raw::intrusive_ptr::use_count(const_cast<c10::StorageImpl*>(storage)) == 1 &&
         (is_adoptable(storage->data_ptr()) || (storage->nbytes() == 0 && storage->data() == nullptr));
}

// Makes the device's tensor of a fresh one: only the label changes.
void relabel(const at::Tensor& result, c10::Device target) {
  auto& impl = *result.unsafeGetTensorImpl();
  auto& storage = *storage_of(impl);
  void* block = storage.data() == nullptr ? nullptr : device::to_device(storage.data());
  storage._mutable_data_ptr_no_checks().release_context();
  storage.set_data_ptr_noswap({block, block, &device::delete_block, target});
  storage.set_allocator(&device::allocator());
  impl.set_storage_keep_dtype(c10::Storage(c10::intrusive_ptr<c10::StorageImpl>::reclaim_copy(&storage)));
  impl._change_backend_component_keys(target);
}

}  // namespace

HostTwins::HostTwins() noexcept : pool_(pool_of_thread) {
  if (C10_UNLIKELY(pool_ == nullptr)) {
    pool_ = make_pool();
  }
  if (C10_LIKELY(pool_ != nullptr)) {
    first_ = pool_->lent;
  }
}

HostTwins::~HostTwins() {
  session_.reset();
  for (auto i = count_; i-- > 0;) {
    end(loans_[i]);
  }
  if (count_ > 0) {
    pool_->lent = first_;
  }
}

const at::Tensor* HostTwins::take(const at::Tensor& tensor, bool written) {
  auto* impl = tensor.unsafeGetTensorImpl();
  if (C10_LIKELY(is_ordinary(*impl, kDeviceKeys))) {
    for (std::size_t i = 0; i < count_; ++i) {
      auto& loan = loans_[i];
      if (loan.device->unsafeGetTensorImpl() == impl) {
        loan.written = loan.written || written;
        return &loan.twin->tensor;
      }
    }
    return lend(tensor, *impl, written);
  }
  return !tensor.defined() || (!written && is_number(*impl)) ? &tensor : nullptr;
}

const at::Tensor* HostTwins::lend(const at::Tensor& tensor, c10::TensorImpl& impl, bool written) {
  auto* storage = storage_of(impl);
  if (pool_ == nullptr || count_ == kLimit || first_ + count_ == pool_->twins.size() || storage == nullptr ||
      waits_for_its_bytes(*storage) || impl.is_wrapped_number() || impl.has_symbolic_sizes_strides()) {
    return nullptr;
  }
  const auto& data = storage->data_ptr();
  // Neither copy-on-write nor memory that a program brought itself.
  if (data.get_deleter() != &device::delete_block || data.get_context() != data.get()) {
    return nullptr;
  }
  const auto index = data.device().index();
  if (device_ != index) {
    if (device_ >= 0) {
      return nullptr;
    }
    device_ = index;
  }
  auto& twin = pool_->twins[first_ + count_];
  if (C10_UNLIKELY(!twin.tensor.defined())) {
    make(twin);
  }
  auto* twin_impl = static_cast<TwinImpl*>(twin.tensor.unsafeGetTensorImpl());
  twin_impl->take_layout_of(impl);
  auto* host = twin.storage.get();
  const void* address = data.get() == nullptr ? nullptr : device::to_host(data.get());
  for (std::size_t i = 0; i < count_; ++i) {
    if (storage_of(*loans_[i].device->unsafeGetTensorImpl()) == storage) {
      host = const_cast<c10::StorageImpl*>(loans_[i].storage);
      twin_impl->set_storage_keep_dtype(c10::Storage(c10::intrusive_ptr<c10::StorageImpl>::reclaim_copy(host)));
      break;
    }
  }
  if (host == twin.storage.get()) {
    host->set_data_ptr_noswap(c10::DataPtr(const_cast<void*>(address), kCpu));
    host->set_nbytes(storage->nbytes());
    host->set_allocator(c10::GetCPUAllocator());
    host->set_resizable(storage->resizable());
  }
  loans_[count_] = {&tensor, &twin, host, address, twin_impl->version_counter().current_version(), written};
  ++count_;
  pool_->lent = first_ + count_;
  return &twin.tensor;
}

bool HostTwins::changed(const Loan& loan) {
  const auto& host = *loan.twin->tensor.unsafeGetTensorImpl();
  const auto& device = *loan.device->unsafeGetTensorImpl();
  return storage_of(host) != loan.storage || loan.storage->data() != loan.address ||
         loan.storage->nbytes() != storage_of(device)->nbytes() || !same_layout(host, device) ||
         host.version_counter().current_version() != loan.version;
}

// Whatever is out of the ordinary is left to a session that takes over where the twins stand.
HostSession& HostTwins::session(const char* user) {
  if (!session_.has_value()) {
    session_.emplace(user);
    for (std::size_t i = 0; i < count_; ++i) {
      const auto& loan = loans_[i];
      session_->take_over(*loan.device, loan.twin->tensor, *const_cast<c10::StorageImpl*>(loan.storage), loan.address,
                          loan.version, loan.written);
    }
  }
  return *session_;
}

void HostTwins::write_back(const char* user) {
  for (std::size_t i = 0; i < count_; ++i) {
    if (loans_[i].written && C10_UNLIKELY(changed(loans_[i]))) {
      session(user).write_back();
      return;
    }
  }
}

void HostTwins::to_device(const char* user, at::Tensor* const* results, std::size_t count) {
  const c10::Device target(device::kDeviceType, device_);
  bool all_fresh = true;
  for (std::size_t i = 0; i < count; ++i) {
    if (C10_LIKELY(results[i]->defined() && is_fresh(*results[i]))) {
      relabel(*results[i], target);
    } else {
      all_fresh = all_fresh && !results[i]->defined();
    }
  }
  if (C10_LIKELY(all_fresh)) {
    return;
  }
  auto& slow = session(user);
  for (std::size_t i = 0; i < count; ++i) {
    if (results[i]->defined() && results[i]->is_cpu()) {
      slow.announce(*results[i]);
    }
  }
  for (std::size_t i = 0; i < count; ++i) {
    if (results[i]->defined() && results[i]->is_cpu()) {
      *results[i] = slow.to_device(std::move(*results[i]), target);
    }
  }
}

void HostTwins::end(const Loan& loan) noexcept {
  auto& twin = *loan.twin;
  auto* impl = twin.tensor.unsafeGetTensorImpl();
  const bool in_place = storage_of(*impl) == loan.storage && twin.tensor.use_count() == 1;
  if (loan.storage != twin.storage.get()) {
    if (C10_LIKELY(in_place)) {
      impl->set_storage_keep_dtype(c10::Storage(twin.storage));
    } else {
      twin = {};
    }
    return;
  }
  auto& storage = *twin.storage;
  const bool owns_something = storage.data_ptr().get_context() != nullptr;
  if (C10_UNLIKELY(!in_place || twin.storage.use_count() != 2)) {
    if (!owns_something && loan.address != nullptr) {
      storage.set_data_ptr_noswap(mapped_data(*storage_of(*loan.device->unsafeGetTensorImpl())));
    }
    twin = {};
  } else if (C10_UNLIKELY(owns_something)) {
    storage.set_data_ptr_noswap(c10::DataPtr(nullptr, kCpu));
  }
}

}  // namespace openreg::fallback
