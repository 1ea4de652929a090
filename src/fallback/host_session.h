#pragma once

#include <ATen/core/Tensor.h>
#include <c10/util/SmallVector.h>

#include <unordered_map>

namespace openreg::fallback {

// Whether the CPU reaches device bytes where they lie, or through copies.
enum class HostAccess : std::uint8_t {
  mapped,  // a CPU tensor over the device's bytes
  staged,  // a CPU tensor over a copy, written back: for devices whose memory the host cannot address
};

// What OPENREG_HOST_ACCESS and the driver say.
HostAccess host_access();

// Overrides that for all threads, to compare the two in one process.
void set_host_access(HostAccess access);

// A DataPtr at the host address of a device storage's bytes that keeps the storage alive. Throws when its data is no
// device memory. Valid for mapped memory.
c10::DataPtr mapped_data(c10::StorageImpl& storage);

// The CPU tensors that stand for device tensors during one call, and the way back.
//
// One host storage stands for one device storage and one host tensor for one device tensor, so that kernels see
// the aliasing that is there. A mapped host storage holds a reference to its device storage: a kernel that keeps
// its argument keeps the memory.
class HostSession {
 public:
  // `user` is named in errors: an operator, or what else asked.
  explicit HostSession(const char* user) : user_(user), access_(host_access()) {}
  HostSession(const HostSession&) = delete;
  HostSession& operator=(const HostSession&) = delete;

  // The CPU tensor for a device tensor; undefined stays undefined. `written` says that the kernel writes it. Throws
  // when the tensor is not strided.
  at::Tensor host(const at::Tensor& device, bool written);

  // For HostTwins: `host` stands for `device` already. Its storage was at `address` when the call began and its version
  // was `version`.
  void take_over(const at::Tensor& device, const at::Tensor& host, c10::StorageImpl& host_storage, const void* address,
                 std::uint32_t version, bool written);

  // Gives resized storages, changed sizes and staged bytes back to the device tensors. Called after the kernel,
  // also when it threw.
  void write_back();

  // Counts who shares a storage: call it for each result before the first to_device.
  void announce(const at::Tensor& result);

  // Turns one result of the kernel into a device tensor: an argument into that argument, a view of one into a view
  // of it, anything else into a tensor of its own. Throws when the result is not strided.
  at::Tensor to_device(at::Tensor result, c10::Device target);

  std::uint64_t bytes_copied() const noexcept { return bytes_copied_; }

 private:
  struct StoragePair {
    c10::StorageImpl* device;
    c10::intrusive_ptr<c10::StorageImpl> host;
    const void* address;  // of the host storage when it was made
    bool written;
  };
  struct TensorPair {
    at::Tensor device;
    at::Tensor host;
    bool written;
    std::uint32_t version;  // of the host tensor when it was made
  };
  struct FreshStorage {
    c10::StorageImpl* host;
    c10::SmallVector<const c10::TensorImpl*, 1> tensors;  // announced results that hold it
    std::size_t appearances = 0;                          // of these among the results: one may be given twice
    c10::intrusive_ptr<c10::StorageImpl> device;          // once it is adopted or copied
  };

  StoragePair& storage_pair(const at::Tensor& device, bool written);
  void take_resized_storage(StoragePair& pair);
  c10::Storage device_storage(const at::Tensor& result, c10::Device target);
  static bool only_results_hold(const FreshStorage& fresh);
  void adopt(FreshStorage& fresh, c10::Device target);
  std::size_t find_tensor(const c10::TensorImpl* impl) const;

  const char* user_;
  HostAccess access_;
  std::uint64_t bytes_copied_ = 0;
  c10::SmallVector<StoragePair, 6> storages_;
  c10::SmallVector<TensorPair, 6> tensors_;
  c10::SmallVector<FreshStorage, 2> fresh_;
  // Filled only for long lists, where looking through the vectors would be quadratic.
  std::unordered_map<const void*, std::size_t> storage_index_;
  std::unordered_map<const void*, std::size_t> tensor_index_;
};

}  // namespace openreg::fallback
