#pragma once

/// @file
/// What openreg does with the operators of the libtorch in use, and whether everything is in its place.
///
/// Link `openreg::inspect` beside `openreg::openreg`. Every function may be called from any thread; all but
/// `switched_off`, `coverage_name` and `count_coverage` start the devices.

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace openreg::inspect {

/// How an operator runs on openreg tensors.
enum class Coverage : std::uint8_t {
  native,              ///< a kernel of openreg's own
  stub,                ///< a kernel of openreg's own behind a DispatchStub
  forwarded,           ///< the CPU kernel, registered for the operator, called unboxed where all is plain
  explicit_fallback,   ///< the CPU kernel, boxed, registered for the operator
  composite_implicit,  ///< made of other operators, with their gradients
  composite_explicit,  ///< made of other operators, with a gradient of its own or none
  global_fallback,     ///< the CPU kernel, boxed, by the fallback for all operators
  forbidden,           ///< a fallback that the policy in force forbids
  none                 ///< nothing runs: an error at the call
};

/// `native`, `stub`, `explicit_fallback` ...
const char* coverage_name(Coverage coverage) noexcept;

struct OperatorCoverage {
  std::string op;  ///< `aten::add.Tensor`
  Coverage how = Coverage::none;
  /// The file and line of the kernel that runs; empty if there is none. openreg's own files are named from the top of
  /// its sources (`src/ops/copy.cpp:12`), others as their compiler had them.
  std::string where;
};

/// Every operator of the libtorch in use, by name. Reads the dispatcher and the policy as they are now.
/// @throws c10::Error if the devices cannot start.
std::vector<OperatorCoverage> operator_coverage();

/// How many operators go which way.
std::map<Coverage, std::size_t> count_coverage(const std::vector<OperatorCoverage>& operators);

/// A registration that is there and does not do what it seems to do.
struct Trap {
  std::string op;
  std::string what;  ///< one sentence with the remedy
  bool sure = true;  ///< false if it depends on what the kernel calls, which cannot be seen; the doctor lets it pass
};

/// The traps that the dispatcher holds now: a PrivateUse1 kernel that cuts off the gradient of a composite operator, an
/// operator that ends in a stub whose slot is empty, kernels for operators that nobody defined.
std::vector<Trap> find_traps();

/// Whether `OPENREG_DISABLE` keeps the device out of this process.
bool switched_off() noexcept;

/// One of the variables that openreg reads, docs/environment.md.
struct Setting {
  std::string name;    ///< `OPENREG_FALLBACK`
  std::string value;   ///< what is in force now, by the variable, its default or a call such as set_fallback_policy
  bool given = false;  ///< the variable is set, and not empty
  std::string meaning;
};

/// All of them. Where the device is switched off nothing else is read, and `OPENREG_DISABLE` stands alone.
/// @throws c10::Error if a variable has a value that is not allowed, or the devices cannot start.
std::vector<Setting> settings();

/// One line of the doctor.
struct Finding {
  std::string what;  ///< `guard`, `allocator`, ...
  bool ok = false;
  std::string text;  ///< what was found; with the remedy if it is not ok
};

/// Looks at name, guard, hooks, allocator, generator, operators, fallback, autocast, conjugate and negative views,
/// shallow copies, copies of openreg in the process, and the libtorch that is loaded. Never throws: what throws is a
/// finding. Where the device is switched off only libtorch is looked at, for nothing else is there.
std::vector<Finding> examine();

}  // namespace openreg::inspect
