#include "ops/minimal_table.h"

#include <ATen/core/Tensor.h>
#include <ATen/ops/_copy_from_and_resize_ops.h>
#include <ATen/ops/_copy_from_ops.h>
#include <ATen/ops/_has_compatible_shallow_copy_type_ops.h>
#include <ATen/ops/_local_scalar_dense_ops.h>
#include <ATen/ops/_reshape_alias_native.h>
#include <ATen/ops/_reshape_alias_ops.h>
#include <ATen/ops/as_strided_native.h>
#include <ATen/ops/as_strided_ops.h>
#include <ATen/ops/empty_ops.h>
#include <ATen/ops/empty_strided_ops.h>
#include <ATen/ops/record_stream_ops.h>
#include <ATen/ops/resize_ops.h>
#include <ATen/ops/set_ops.h>
#include <ATen/ops/view_native.h>
#include <ATen/ops/view_ops.h>

#include "fallback/boxed.h"
#include "fallback/forcible.h"
#include "fallback/native_call.h"
#include "library.h"
#include "ops/copy.h"
#include "ops/factories.h"
#include "ops/record_stream.h"
#include "ops/storage_ops.h"

namespace openreg::ops {
namespace {

using fallback::counted_call;

// Each wrapper is what the dispatcher calls: it counts, then runs the implementation of the same name.

at::Tensor wrapper_empty_memory_format(c10::IntArrayRef size, std::optional<c10::ScalarType> dtype,
                                       std::optional<c10::Layout> layout, std::optional<c10::Device> device,
                                       std::optional<bool> pin_memory, std::optional<c10::MemoryFormat> memory_format) {
  return counted_call<at::_ops::empty_memory_format, Way::native>(&empty_memory_format, size, dtype, layout, device,
                                                                  pin_memory, memory_format);
}

at::Tensor wrapper_empty_strided(c10::IntArrayRef size, c10::IntArrayRef stride, std::optional<c10::ScalarType> dtype,
                                 std::optional<c10::Layout> layout, std::optional<c10::Device> device,
                                 std::optional<bool> pin_memory) {
  return counted_call<at::_ops::empty_strided, Way::native>(&empty_strided, size, stride, dtype, layout, device,
                                                            pin_memory);
}

at::Tensor wrapper_as_strided(const at::Tensor& self, c10::IntArrayRef size, c10::IntArrayRef stride,
                              std::optional<std::int64_t> offset) {
  return counted_call<at::_ops::as_strided, Way::native>(&at::native::as_strided_tensorimpl, self, size, stride,
                                                         offset);
}

const at::Tensor& wrapper_resize_(const at::Tensor& self, c10::IntArrayRef size,
                                  std::optional<c10::MemoryFormat> memory_format) {
  return counted_call<at::_ops::resize_, Way::native>(&resize_, self, size, memory_format);
}

at::Tensor wrapper__reshape_alias(const at::Tensor& self, c10::IntArrayRef size, c10::IntArrayRef stride) {
  return counted_call<at::_ops::_reshape_alias, Way::native>(&at::native::_reshape_alias, self, size, stride);
}

at::Tensor wrapper__copy_from(const at::Tensor& self, const at::Tensor& dst, bool non_blocking) {
  return counted_call<at::_ops::_copy_from, Way::native>(&copy_from, self, dst, non_blocking);
}

at::Tensor wrapper__copy_from_and_resize(const at::Tensor& self, const at::Tensor& dst) {
  return counted_call<at::_ops::_copy_from_and_resize, Way::native>(&copy_from_and_resize, self, dst);
}

at::Scalar wrapper__local_scalar_dense(const at::Tensor& self) {
  return counted_call<at::_ops::_local_scalar_dense, Way::native>(&local_scalar_dense, self);
}

bool wrapper__has_compatible_shallow_copy_type(const at::Tensor& self, const at::Tensor& from) {
  return counted_call<at::_ops::_has_compatible_shallow_copy_type, Way::native>(&has_compatible_shallow_copy_type, self,
                                                                                from);
}

at::Tensor& wrapper_set_source_Tensor(at::Tensor& self, const at::Tensor& source) {
  return counted_call<at::_ops::set__source_Tensor, Way::native>(&set_source_tensor, self, source);
}

at::Tensor& wrapper_set_source_Storage(at::Tensor& self, c10::Storage source) {
  return counted_call<at::_ops::set__source_Storage, Way::native>(&set_source_storage, self, std::move(source));
}

at::Tensor& wrapper_set_source_Storage_storage_offset(at::Tensor& self, c10::Storage source, std::int64_t offset,
                                                      c10::IntArrayRef size, c10::IntArrayRef stride) {
  return counted_call<at::_ops::set__source_Storage_storage_offset, Way::native>(
      &set_source_storage_offset, self, std::move(source), offset, size, stride);
}

at::Tensor wrapper_view(const at::Tensor& self, c10::IntArrayRef size) {
  return counted_call<at::_ops::view, Way::native>(&at::native::view, self, size);
}

void wrapper_record_stream(at::Tensor& self, c10::Stream stream) {
  counted_call<at::_ops::record_stream, Way::native>(&record_stream, self, stream);
}

}  // namespace

void register_minimal_operators() {
  auto& aten = library("aten", c10::DispatchKey::PrivateUse1);
  aten.impl("empty.memory_format", wrapper_empty_memory_format);
  aten.impl("empty_strided", wrapper_empty_strided);
  aten.impl("as_strided", wrapper_as_strided);
  aten.impl("resize_", wrapper_resize_);
  aten.impl("_reshape_alias", wrapper__reshape_alias);
  aten.impl("_copy_from", wrapper__copy_from);
  aten.impl("_copy_from_and_resize", wrapper__copy_from_and_resize);
  aten.impl("_local_scalar_dense", wrapper__local_scalar_dense);
  aten.impl("_has_compatible_shallow_copy_type", wrapper__has_compatible_shallow_copy_type);
  aten.impl("set_.source_Tensor", wrapper_set_source_Tensor);
  aten.impl("set_.source_Storage", wrapper_set_source_Storage);
  aten.impl("set_.source_Storage_storage_offset", wrapper_set_source_Storage_storage_offset);
  aten.impl("view", wrapper_view);
  aten.impl("record_stream", wrapper_record_stream);
}

void register_shallow_copy_type(c10::DispatchKey key) {
  library("aten", key).impl("_has_compatible_shallow_copy_type", wrapper__has_compatible_shallow_copy_type);
}

void register_copy_fallthrough(c10::DispatchKey key) {
  auto& aten = library("aten", key);
  aten.impl("_copy_from", torch::CppFunction::makeFallthrough());
  aten.impl("_copy_from_and_resize", torch::CppFunction::makeFallthrough());
}

void register_selective_fallback() {
  library("aten", c10::DispatchKey::PrivateUse1)
      .impl("sub.Tensor", torch::CppFunction::makeFromBoxedFunction<&fallback::selective_fallback>());
  fallback::mark_forcible("aten::sub.Tensor");
}

}  // namespace openreg::ops
