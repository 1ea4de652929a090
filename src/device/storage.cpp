#include "device/storage.h"

#include <c10/util/Exception.h>

#include <algorithm>

#include "device/allocator.h"
#include "device/driver/driver.h"
#include "device/driver_check.h"
#include "device/streams.h"

namespace openreg::device {

void resize_storage(c10::StorageImpl& storage, std::size_t bytes) {
  TORCH_CHECK(storage.resizable(), "Trying to resize storage that is not resizable");
  auto data = allocate(bytes, storage.device().index());
  const auto kept = storage.data() == nullptr ? 0 : std::min(bytes, storage.nbytes());
  if (kept > 0) {
    order_with_current_stream(storage.device().index());
    check(driver::copy(data.get(), storage.data(), kept, driver::CopyKind::device_to_device));
  }
  storage.set_data_ptr_noswap(std::move(data));
  storage.set_nbytes(bytes);
}

}  // namespace openreg::device
