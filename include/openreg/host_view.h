#pragma once

#include <ATen/core/Tensor.h>

#include <memory>

// Reach the memory of openreg tensors from a kernel of your own.
//
// A device tensor's data_ptr() must not be dereferenced by host code: it faults. A host view is a CPU tensor with
// the same sizes, strides, offset, dtype and bytes. It waits for work queued on the tensor's stream, and holds the
// memory while it lives.
//
//   at::Tensor my_relu_(at::Tensor& x) {
//     openreg::MutableHostView view(x);
//     float* data = view.tensor().mutable_data_ptr<float>();
//     ...
//   }
//
// A view may be made on any thread and used on one thread at a time.
namespace openreg {

namespace fallback {
class HostSession;
}

// To read. Writing through it is undefined.
class HostView {
 public:
  // Throws c10::Error when the tensor is undefined, not on openreg, or not strided.
  explicit HostView(const at::Tensor& tensor);
  ~HostView();
  HostView(const HostView&) = delete;
  HostView& operator=(const HostView&) = delete;

  const at::Tensor& tensor() const noexcept { return host_; }

  // The first element; null when there is none.
  const void* data() const { return host_.const_data_ptr(); }

 private:
  std::unique_ptr<fallback::HostSession> session_;
  at::Tensor host_;
};

// To read and write. The tensor has the new bytes when the view is destroyed, at the latest. Copy-on-write storage
// is made the tensor's own first. Sizes and storage must not be changed through it.
class MutableHostView {
 public:
  // Throws as HostView.
  explicit MutableHostView(const at::Tensor& tensor);
  ~MutableHostView();
  MutableHostView(const MutableHostView&) = delete;
  MutableHostView& operator=(const MutableHostView&) = delete;

  const at::Tensor& tensor() const noexcept { return host_; }
  void* data() { return host_.mutable_data_ptr(); }

 private:
  std::unique_ptr<fallback::HostSession> session_;
  at::Tensor host_;
};

}  // namespace openreg
