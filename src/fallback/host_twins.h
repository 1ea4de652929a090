#pragma once

#include <ATen/core/Tensor.h>

#include <array>
#include <optional>

#include "fallback/host_session.h"

namespace openreg::fallback {

// Note [Twins]
// A forwarded call needs a CPU tensor for each device tensor, and making one costs as much as the rest of a small
// operator: two objects, a version counter, the layout worked out anew. Each thread therefore keeps a few, the twins,
// and lends them: a loan writes address and layout into an old object. A twin does not hold the device storage while
// the call lasts, because the caller's argument does. If the kernel kept it, it is told of the storage after the call
// and never lent again.
struct Twin {
  at::Tensor tensor;
  c10::intrusive_ptr<c10::StorageImpl> storage;  // the tensor's own; during a call it may stand on another twin's
};

struct TwinPool;

// The twins of one call. For ordinary arguments only, and not for staged memory: whatever is special about a tensor
// makes take() refuse it, and the call goes through a HostSession instead.
class HostTwins {
 public:
  HostTwins() noexcept;
  ~HostTwins();
  HostTwins(const HostTwins&) = delete;
  HostTwins& operator=(const HostTwins&) = delete;

  // The CPU tensor to pass for an argument: the argument itself when it is undefined or a CPU number. Null when it is
  // out of the ordinary, or on another device than those before it.
  const at::Tensor* take(const at::Tensor& tensor, bool written);

  // The device of all that was taken; -1 when there was none.
  c10::DeviceIndex device() const noexcept { return device_; }

  // As in HostSession, where `user` is named in errors.
  void write_back(const char* user);
  void to_device(const char* user, at::Tensor* const* results, std::size_t count);

 private:
  static constexpr std::size_t kLimit = 16;  // beyond it a HostSession, which has a hash, is the better way

  struct Loan {
    const at::Tensor* device;
    Twin* twin;
    const c10::StorageImpl* storage;  // the twin's for this call
    const void* address;
    std::uint32_t version;
    bool written;
  };

  const at::Tensor* lend(const at::Tensor& tensor, c10::TensorImpl& impl, bool written);
  HostSession& session(const char* user);
  static bool changed(const Loan& loan);
  static void end(const Loan& loan) noexcept;

  TwinPool* pool_;
  std::size_t first_ = 0;  // of the pool's twins
  std::size_t count_ = 0;
  c10::DeviceIndex device_ = -1;
  std::array<Loan, kLimit> loans_;      // the first count_ are valid
  std::optional<HostSession> session_;  // once something out of the ordinary came back
};

}  // namespace openreg::fallback
