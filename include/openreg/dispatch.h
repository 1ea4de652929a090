#pragma once

/// @file
/// Questions to the dispatcher of the libtorch in use: the family `torch._C._dispatch_*` in C++.
///
/// Link `openreg::dispatch`. It needs libtorch alone: a program that uses it has no openreg device and no kernel of
/// ours.
///
/// Every function may be called from any thread. Operator names are written as Python writes them, `aten::add.Tensor`
/// (a name without namespace means `aten`). Where Python prints text, the text here is the same for the same libtorch.
///
/// @code
///   std::cout << openreg::dispatch::dump_table("aten::add.Tensor");
///   if (openreg::dispatch::has_kernel_for_dispatch_key("aten::abs.out", "PrivateUse1")) ...
/// @endcode

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <ATen/core/Tensor.h>
#include <ATen/core/dispatch/Dispatcher.h>
#include <c10/core/DispatchKeySet.h>
#include <c10/core/impl/LocalDispatchKeySet.h>

namespace openreg::dispatch {

// ---------------------------------------------------------------------------------------------------------------------
// Dispatch keys
// ---------------------------------------------------------------------------------------------------------------------

/// The key with this name; mirrors `torch._C._dispatch_key_parse`.
///
/// Takes the names that libtorch prints and, beyond them: any case, `-` and `_` between words, a leading
/// `DispatchKey.` or `c10::DispatchKey::`, and the name that the PrivateUse1 backend of this process registered
/// wherever `PrivateUse1` stands; with openreg linked: `openreg`, `Autogradopenreg`, `autograd_openreg`. Functionality
/// keys (`Dense`, `AutogradFunctionality`) and alias keys are keys too.
/// @throws c10::Error for an unknown name; the message holds the nearest names.
c10::DispatchKey key_parse(std::string_view name);

/// Like key_parse, without an exception; mirrors `torch._C._parse_dispatch_key`.
std::optional<c10::DispatchKey> try_key_parse(std::string_view name);

/// The name libtorch prints for a key; mirrors `torch._C._dispatch_key_name`.
std::string key_name(c10::DispatchKey key);

/// The key with this number in the enumeration of the libtorch in use (`torch._C.DispatchKey(number)`). Numbers differ
/// between versions of libtorch.
/// @throws c10::Error if no key has the number.
c10::DispatchKey key_from_number(std::int64_t number);

/// Every key, in the order of the enumeration: functionality keys, per-backend keys, alias keys.
std::vector<c10::DispatchKey> all_keys();

/// The keys that have a row in a dispatch table, in the order in which `dump_table` prints them, Undefined first.
std::vector<c10::DispatchKey> runtime_keys();

/// Whether the key stands for others (`Autograd`, `CompositeImplicitAutograd`); mirrors
/// `torch._C._dispatch_is_alias_key`.
bool is_alias_key(c10::DispatchKey key);

/// Whether a kernel at the alias key serves this key; mirrors `torch._C._dispatch_is_included_in_alias`.
bool is_included_in_alias(c10::DispatchKey key, c10::DispatchKey alias);

/// The name of the key that a plain tensor on this kind of device dispatches to (`cpu` gives `CPU`); mirrors
/// `torch._C._dispatch_key_for_device`.
/// @throws c10::Error for an unknown device, and for a device with an index.
std::string key_for_device(const std::string& device_type);

/// The functionality part of a per-backend key (`AutogradCPU` gives `AutogradFunctionality`); mirrors
/// `torch._C._to_functionality_key`.
c10::DispatchKey to_functionality_key(c10::DispatchKey key);

/// The per-backend keys of a functionality (`AutogradFunctionality` gives `AutogradCPU`, ...), or the key itself;
/// mirrors `torch._C._functionality_to_backend_keys`.
std::vector<c10::DispatchKey> functionality_to_backend_keys(c10::DispatchKey key);

/// How many backends a key set can tell apart; mirrors `torch._C._dispatch_num_backends`.
std::int64_t num_backends();

// ---------------------------------------------------------------------------------------------------------------------
// Key sets. Their arithmetic is c10's own: `|`, `&`, `-`, `has`, `add`, `remove`, `highestPriorityTypeId`.
// ---------------------------------------------------------------------------------------------------------------------

/// The key set of a tensor as text, priority growing from left to right:
/// `DispatchKeySet(CPU, ADInplaceOrView, AutogradCPU, AutocastCPU)`; mirrors `torch._C._dispatch_key_set`.
/// An undefined tensor has keys too: those of libtorch's undefined singleton.
std::string key_set(const at::Tensor& tensor);

/// The key set of a tensor; mirrors `torch._C._dispatch_keys`.
c10::DispatchKeySet keys(const at::Tensor& tensor);

/// Mirrors `torch._C._dispatch_keyset_to_string`.
std::string keyset_to_string(c10::DispatchKeySet keys);

/// A key set from text: names as for key_parse between commas, `|` or blanks, with or without `DispatchKeySet( )`.
/// @throws c10::Error for an unknown name and for an alias key, which a key set cannot hold.
c10::DispatchKeySet keyset_parse(std::string_view text);

/// The 64 bits of a key set; mirrors `DispatchKeySet.raw_repr`. Their meaning differs between versions of libtorch.
std::uint64_t keyset_raw(c10::DispatchKeySet keys);

/// Mirrors `DispatchKeySet.from_raw_repr`.
c10::DispatchKeySet keyset_from_raw(std::uint64_t bits);

/// Mirrors `torch._C._dispatch_keyset_full`.
c10::DispatchKeySet keyset_full();

/// Every key of lower priority than this one; mirrors `torch._C._dispatch_keyset_full_after`.
c10::DispatchKeySet keyset_full_after(c10::DispatchKey key);

/// The backend keys that an autograd key covers (`AutogradOther` covers several); mirrors
/// `torch._C._dispatch_get_backend_keyset_from_autograd`.
c10::DispatchKeySet get_backend_keyset_from_autograd(c10::DispatchKey key);

/// Whether a tensor has keys that plain C++ code cannot see through (functorch, Python subclasses, ...); mirrors
/// `torch._C._dispatch_isTensorSubclassLike`. Undefined tensors are not.
bool is_tensor_subclass_like(const at::Tensor& tensor);

/// Mirrors `torch._C._dispatch_is_main_interpreter`. No Python interpreter lives in a C++ program, so nothing but the
/// program itself can own a registration: always true.
bool is_main_interpreter();

// ---------------------------------------------------------------------------------------------------------------------
// Operators
// ---------------------------------------------------------------------------------------------------------------------

/// Everything registered for one operator: name, schema, kernels with file and line; mirrors `torch._C._dispatch_dump`.
/// @throws c10::Error for an unknown operator (Python gives ""); the message holds the nearest names.
std::string dump(std::string_view name);

/// The kernel that runs for each key and where it was registered; mirrors `torch._C._dispatch_dump_table`.
/// @throws c10::Error for an unknown operator (Python gives ""); the message holds the nearest names.
std::string dump_table(std::string_view name);

/// Whether the dispatcher knows the operator, defined or only implemented; mirrors `torch._C._dispatch_has_kernel`.
/// Unknown names give false.
bool has_kernel(std::string_view name);

/// Whether a kernel was registered for this very key; mirrors `torch._C._dispatch_has_kernel_for_dispatch_key`.
/// @throws c10::Error for an unknown operator.
bool has_kernel_for_dispatch_key(std::string_view name, c10::DispatchKey key);
bool has_kernel_for_dispatch_key(std::string_view name, std::string_view key);

/// Whether a kernel was registered for any key of the set; mirrors
/// `torch._C._dispatch_has_kernel_for_any_dispatch_key`.
/// @throws c10::Error for an unknown operator.
bool has_kernel_for_any_dispatch_key(std::string_view name, c10::DispatchKeySet keys);

/// Whether the computed table has an entry for the key, be it through an alias key or a fallback; mirrors
/// `torch._C._dispatch_has_computed_kernel_for_dispatch_key`.
/// @throws c10::Error for an unknown operator, and for an alias key, which has no row in the table.
bool has_computed_kernel_for_dispatch_key(std::string_view name, c10::DispatchKey key);
bool has_computed_kernel_for_dispatch_key(std::string_view name, std::string_view key);

/// Whether the kernel registered for this very key is a fallthrough; mirrors
/// `torch._C._dispatch_kernel_for_dispatch_key_is_fallthrough`.
/// @throws c10::Error for an unknown operator, and if no kernel is registered for the key.
bool kernel_for_dispatch_key_is_fallthrough(std::string_view name, c10::DispatchKey key);
bool kernel_for_dispatch_key_is_fallthrough(std::string_view name, std::string_view key);

/// Whether a fallback for all operators is registered at the key; mirrors `torch._C._dispatch_has_backend_fallback`.
bool has_backend_fallback(c10::DispatchKey key);

/// The handle of an operator that has a schema; mirrors `torch._C._dispatch_find_schema_or_throw`.
/// @throws c10::Error for an unknown operator; the message holds the nearest names.
c10::OperatorHandle find_schema(std::string_view name);

/// Throws if the dispatcher's own bookkeeping for the operator is inconsistent; mirrors
/// `torch._C._dispatch_check_invariants`.
/// @throws c10::Error for an unknown operator as well.
void check_invariants(std::string_view name);

/// The same for all operators; mirrors `torch._C._dispatch_check_all_invariants`.
void check_all_invariants();

/// `dump` of each operator that has kernels and no schema; mirrors `torch._C._dispatch_find_dangling_impls`.
std::vector<std::string> find_dangling_impls();

/// Up to three operators whose names resemble this one, the nearest first. A name without overload stands for its
/// family: `aten::ad` gives `aten::add`, and `aten::add` gives overloads. Empty when none is near.
std::vector<std::string> nearest_op_names(std::string_view name);

/// Mirrors `torch._C._dispatch_get_all_op_names`.
std::vector<std::string> get_all_op_names();

/// The operators with a kernel registered for this very key, or all operators; mirrors
/// `torch._C._dispatch_get_registrations_for_dispatch_key`.
std::vector<std::string> get_registrations_for_dispatch_key(std::optional<c10::DispatchKey> key = std::nullopt);

/// One kernel that somebody registered.
struct Registration {
  std::string op;     ///< `aten::add.Tensor`
  std::string key;    ///< as libtorch prints it
  std::string where;  ///< `FILE:LINE` as the registration recorded it
  bool fallthrough = false;
  bool boxed = false;  ///< a boxed function, which knows no argument types, as a fallback is
  bool active = true;  ///< false if a later registration for the same key replaced it
};

/// Every kernel registered for an operator, newest first for each key. The files come from the registrations
/// themselves: a second kernel for one key names both places.
/// @throws c10::Error for an unknown operator.
std::vector<Registration> registrations(std::string_view name);

/// One line an operator, as `torch._C._dispatch_print_registrations_for_dispatch_key` prints.
std::string dump_registrations(std::optional<c10::DispatchKey> key = std::nullopt);

// ---------------------------------------------------------------------------------------------------------------------
// The thread's included and excluded keys
// ---------------------------------------------------------------------------------------------------------------------

/// Mirror `torch._C._dispatch_tls_local_include_set` and `torch._C._dispatch_tls_local_exclude_set`.
c10::DispatchKeySet tls_local_include_set();
c10::DispatchKeySet tls_local_exclude_set();

/// Mirror `torch._C._dispatch_tls_is_dispatch_key_included` and `..._excluded`.
bool tls_is_dispatch_key_included(c10::DispatchKey key);
bool tls_is_dispatch_key_excluded(c10::DispatchKey key);

/// Mirror `torch._C._dispatch_tls_set_dispatch_key_included` and `..._excluded`. Nothing restores the old state: prefer
/// the scopes below.
void tls_set_dispatch_key_included(c10::DispatchKey key, bool included);
void tls_set_dispatch_key_excluded(c10::DispatchKey key, bool excluded);

/// Scopes that include or exclude keys on this thread until they are destroyed; mirror
/// `torch._C._IncludeDispatchKeyGuard`, `torch._C._ExcludeDispatchKeyGuard` and `torch._C._ForceDispatchKeyGuard`.
using IncludeKeys = c10::impl::IncludeDispatchKeyGuard;
using ExcludeKeys = c10::impl::ExcludeDispatchKeyGuard;
using ForceKeys = c10::impl::ForceDispatchKeyGuard;

}  // namespace openreg::dispatch
