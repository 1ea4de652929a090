#include <openreg/dispatch.h>

#include <ATen/TensorSubclassLikeUtils.h>
#include <c10/util/Exception.h>

namespace openreg::dispatch {

std::string key_set(const at::Tensor& tensor) { return keyset_to_string(keys(tensor)); }

c10::DispatchKeySet keys(const at::Tensor& tensor) { return tensor.unsafeGetTensorImpl()->key_set(); }

std::string keyset_to_string(c10::DispatchKeySet keys) { return c10::toString(keys); }

c10::DispatchKeySet keyset_parse(std::string_view text) {
  constexpr std::string_view wrapper = "DispatchKeySet(";
  if (text.substr(0, wrapper.size()) == wrapper && text.back() == ')') {
    text = text.substr(wrapper.size(), text.size() - wrapper.size() - 1);
  }
  c10::DispatchKeySet result;
  constexpr std::string_view between = ",| \t";
  for (std::size_t begin = text.find_first_not_of(between); begin != std::string_view::npos;) {
    const std::size_t end = text.find_first_of(between, begin);
    const c10::DispatchKey key = key_parse(text.substr(begin, end - begin));
    TORCH_CHECK(!c10::isAliasDispatchKey(key), "The alias key ", key,
                " cannot stand in a key set; name the keys that it covers.");
    result = result | c10::DispatchKeySet(key);
    begin = end == std::string_view::npos ? end : text.find_first_not_of(between, end);
  }
  return result;
}

std::uint64_t keyset_raw(c10::DispatchKeySet keys) { return keys.raw_repr(); }

c10::DispatchKeySet keyset_from_raw(std::uint64_t bits) { return {c10::DispatchKeySet::RAW, bits}; }

c10::DispatchKeySet keyset_full() { return c10::DispatchKeySet(c10::DispatchKeySet::FULL); }

c10::DispatchKeySet keyset_full_after(c10::DispatchKey key) { return {c10::DispatchKeySet::FULL_AFTER, key}; }

c10::DispatchKeySet get_backend_keyset_from_autograd(c10::DispatchKey key) {
  return c10::getBackendKeySetFromAutograd(key);
}

bool is_tensor_subclass_like(const at::Tensor& tensor) { return at::isTensorSubclassLike(tensor); }

bool is_main_interpreter() { return true; }

c10::DispatchKeySet tls_local_include_set() { return c10::impl::tls_local_dispatch_key_set().included_; }

c10::DispatchKeySet tls_local_exclude_set() { return c10::impl::tls_local_dispatch_key_set().excluded_; }

bool tls_is_dispatch_key_included(c10::DispatchKey key) { return c10::impl::tls_is_dispatch_key_included(key); }

bool tls_is_dispatch_key_excluded(c10::DispatchKey key) { return c10::impl::tls_is_dispatch_key_excluded(key); }

void tls_set_dispatch_key_included(c10::DispatchKey key, bool included) {
  c10::impl::tls_set_dispatch_key_included(key, included);
}

void tls_set_dispatch_key_excluded(c10::DispatchKey key, bool excluded) {
  c10::impl::tls_set_dispatch_key_excluded(key, excluded);
}

}  // namespace openreg::dispatch
