#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

// The fallback: running a CPU kernel on openreg tensors, which operators may do so, and what ran which way.
//
//   openreg::LedgerScope ledger;                 // count what runs
//   model.forward({input});
//   std::cout << openreg::ledger_table(ledger.entries());
//
// All functions may be called from any thread.
namespace openreg {

// How an operator ran on openreg.
enum class Way : std::uint8_t {
  native,             // a kernel of openreg's own
  stub,               // a kernel of openreg's own behind a DispatchStub
  forwarded,          // the CPU kernel, registered for this operator by m.impl, called unboxed where all is plain
  explicit_fallback,  // the CPU kernel, boxed, registered for this operator by m.impl
  global_fallback,    // the CPU kernel, boxed, reached by m.fallback
};

// "native", "stub", ... Never null.
const char* way_name(Way way) noexcept;

// True for the ways that run a CPU kernel: forwarded, explicit_fallback, global_fallback.
bool is_fallback(Way way) noexcept;

// ---- policy --------------------------------------------------------------------------------------------------

enum class FallbackMode : std::uint8_t {
  global,     // every operator that has a CPU kernel may fall back
  selective,  // only those on the allow list, and those registered one by one (aten::sub.Tensor)
  off,        // only those registered one by one
  stock,      // as global, but through at::native::cpu_fallback, which copies every tensor, and without what openreg
              // does for speed alone (forwarded operators, whole LSTM and GRU layers): for comparison
};

enum class FallbackWarning : std::uint8_t { off, once /* an operator */, always };

// Operators are named as "aten::add.Tensor" (one overload) or "aten::add" (all overloads).
// Precedence: forbid, then force, then mode and allow.
struct FallbackPolicy {
  FallbackMode mode = FallbackMode::global;
  std::vector<std::string> forbid = {"aten::abs", "aten::abs.out"};
  std::vector<std::string> allow;

  // Run the CPU kernel, whatever the mode says and also where openreg has a kernel of its own that can give way
  // (aten::abs.out). Of "aten::abs", all overloads, those that can be forced are.
  std::vector<std::string> force;

  // Not set: as it is, so that a policy made for its lists does not undo OPENREG_FALLBACK_WARN and OPENREG_FORWARDED.
  // Always set in what fallback_policy() returns.
  std::optional<FallbackWarning> warning;  // through c10's warning handler
  std::optional<bool> forwarded;           // false: the forwarded operators go boxed, as all others
};

// The policy in force. At first it is what the OPENREG_FALLBACK variables say. Throws c10::Error when one of them
// holds a word that is not allowed.
FallbackPolicy fallback_policy();

// Sets the policy for all threads; calls that already run keep the old one. Throws c10::Error, and changes
// nothing, when a name is unknown to the dispatcher (the text lists near ones) or when `force` names an operator
// that cannot be forced: without a CPU kernel, composite, or with a kernel that does not give way. The text says which.
void set_fallback_policy(const FallbackPolicy& policy);

// Sets a policy for the lifetime of the object, for all threads. Throws as set_fallback_policy. Scopes nest: of two
// that overlap on different threads, the last to end puts back what it found.
class FallbackPolicyScope {
 public:
  explicit FallbackPolicyScope(const FallbackPolicy& policy);
  ~FallbackPolicyScope();
  FallbackPolicyScope(const FallbackPolicyScope&) = delete;
  FallbackPolicyScope& operator=(const FallbackPolicyScope&) = delete;

 private:
  FallbackPolicy previous_;
};

// While it lives, an operator that falls back on the calling thread throws c10::Error instead of running:
//
//   openreg::ExpectNoFallback strict;
//   at::abs(x);        // runs: it has a kernel of its own
//   at::add(x, x);     // throws, and names aten::add.Tensor
class ExpectNoFallback {
 public:
  ExpectNoFallback() noexcept;
  ~ExpectNoFallback();
  ExpectNoFallback(const ExpectNoFallback&) = delete;
  ExpectNoFallback& operator=(const ExpectNoFallback&) = delete;
};

// ---- ledger --------------------------------------------------------------------------------------------------

struct LedgerEntry {
  std::string op;  // "aten::add.Tensor"
  Way way = Way::native;
  std::uint64_t calls = 0;
  std::uint64_t nanoseconds = 0;  // inside the kernel, operators that it calls included
  std::uint64_t bytes = 0;        // copied between host and device for the call; 0 when memory is mapped
  std::string cause;              // why it fell back; "" for native and stub
};

// Whether calls are counted. Off at first; off, a call pays for one load and one branch.
void set_ledger(bool on) noexcept;
bool ledger_on() noexcept;

// What was counted since the last reset, most calls first, then by name.
std::vector<LedgerEntry> ledger();
void reset_ledger() noexcept;

// The entries as an aligned table, or one line when there are none.
std::string ledger_table(const std::vector<LedgerEntry>& entries);

// The same as a JSON array of objects with the fields of LedgerEntry.
std::string ledger_json(const std::vector<LedgerEntry>& entries);

// Counts while it lives, on all threads, and leaves the ledger's switch as it was. Scopes nest, as policies' do.
class LedgerScope {
 public:
  LedgerScope();
  ~LedgerScope();
  LedgerScope(const LedgerScope&) = delete;
  LedgerScope& operator=(const LedgerScope&) = delete;

  // What was counted since the scope began.
  std::vector<LedgerEntry> entries() const;

  // Calls of one operator, by all ways or by one.
  std::uint64_t calls(const std::string& op) const;
  std::uint64_t calls(const std::string& op, Way way) const;

 private:
  std::vector<LedgerEntry> before_;
  bool was_on_;
};

}  // namespace openreg
