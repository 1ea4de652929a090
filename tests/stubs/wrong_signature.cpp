#include <ATen/TensorIterator.h>
#include <ATen/native/UnaryOps.h>

// Compiled by a test: as it is, and with the signature of another stub, which the compiler must refuse.
namespace at::native {

#ifdef WRONG
void my_abs(TensorIteratorBase&, int64_t) {}
#else
void my_abs(TensorIteratorBase&) {}
#endif

REGISTER_PRIVATEUSE1_DISPATCH(abs_stub, &my_abs)

}  // namespace at::native
