#pragma once

// The contract between openreg and the device below it.
//
// A vendor who brings up real hardware implements these functions and changes nothing else; the simulated
// device in this folder is one implementation. Nothing here knows torch.
//
// Rules that hold for every function:
//  * It returns a Status and never throws, unless it says otherwise. Results arrive through pointers, which
//    must not be null and stay untouched when the call fails.
//  * It may be called from any thread at any time, also at the same time as itself.
//  * Handles belong to the caller who created them; each is destroyed once. A handle of another driver, or one
//    already destroyed, is not detected.
//  * last_error() gives the calling thread's latest failure in words: the function, the value, the limit.
//  * Before initialize() has succeeded everything returns not_initialized, except what reads texts, frees a null
//    block, or asks what an address is (MemoryKind::unmanaged).
//  * In a child process after fork the device is gone: everything returns unsupported, except that freeing and
//    destroying do nothing and succeed, so that destructors stay silent.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>

namespace openreg::driver {

enum class Status : int {
  success = 0,
  not_ready,           // the work that was asked about is still running; not a failure
  not_initialized,     // initialize() has not succeeded yet
  invalid_argument,    // null pointer, size 0, unknown address, priority out of range, range past its block
  invalid_device,      // device index outside [0, device_count)
  out_of_memory,       // the device's capacity is used up
  reservation_failed,  // the operating system refused the address range, its pages, host memory or a thread
  task_failed,         // a task that was launched earlier threw; last_error() names what it said
  wrong_device,        // two handles of different devices where one device is needed
  timing_disabled,     // elapsed time of an event that does not record time
  unsupported,         // this device cannot do it
};

// The enumerator as text, e.g. "out_of_memory". Never null.
const char* status_name(Status status) noexcept;

// One short sentence about a status. Never null.
const char* status_text(Status status) noexcept;

// What the calling thread's latest failed call said. Empty when none failed.
std::string last_error();

// ---- devices -------------------------------------------------------------------------------------------------

struct Config {
  int device_count = 2;             // 1 to max_device_count
  std::size_t memory_capacity = 0;  // bytes a device may hold; 0: all that its address range can take
};

inline constexpr int max_device_count = 8;

struct DeviceProperties {
  char name[64];
  std::size_t memory_capacity;         // bytes
  std::size_t allocation_granularity;  // bytes; every block starts at a multiple of it
  std::uintptr_t address_base;         // all blocks of the device lie in [address_base, address_base + address_bytes)
  std::size_t address_bytes;
  bool host_addressable;         // host code can reach device bytes at address + host_distance
  std::ptrdiff_t host_distance;  // bytes; one value for all devices; 0 unless host_addressable
  int least_priority;            // stream priorities: a lower number runs first; 0 is the ordinary one
  int greatest_priority;
};

// Sets the driver up. The first call that succeeds decides; later calls succeed and change nothing.
Status initialize(const Config& config) noexcept;

Status device_count(int* count) noexcept;
Status device_properties(int device, DeviceProperties* properties) noexcept;

// The calling thread's current device, 0 at first. In a task it is the device of the task's stream.
Status current_device(int* device) noexcept;
Status set_current_device(int device) noexcept;

// Blocks until all that was queued on the device's streams before the call is done. Callable with any current
// device. From a task, the task's own stream is left out. Returns task_failed when tasks threw since the last
// synchronize, also tasks of streams destroyed meanwhile; last_error() counts and quotes them. Each failure is
// reported once, by the first synchronize that covers it.
Status device_synchronize(int device) noexcept;

// ---- memory --------------------------------------------------------------------------------------------------

enum class MemoryKind { unmanaged, host, device };

struct PointerAttributes {
  MemoryKind kind = MemoryKind::unmanaged;
  int device = -1;         // -1 unless kind is device
  void* block = nullptr;   // start of the block that holds the pointer
  std::size_t size = 0;    // bytes of that block, as they were asked for
  std::size_t offset = 0;  // bytes from block to the pointer
};

struct MemoryInfo {
  std::size_t free = 0;      // bytes
  std::size_t capacity = 0;  // bytes
};

// A block of device memory, `bytes` > 0, zeroed. Host code must not dereference it. Does not wait for streams.
Status memory_allocate(int device, std::size_t bytes, void** block) noexcept;

// Gives a block back by its start address; null is allowed and does nothing. The caller sees to it that no
// queued work uses it any more.
Status memory_free(void* block) noexcept;

// Tells that the bytes' contents are not needed: the block stays, physical pages that lie wholly inside the range go.
// All bytes of the range read as zero afterwards. `bytes` 0 does nothing.
Status memory_discard(void* address, std::size_t bytes) noexcept;

// What an address is. Interior addresses resolve to their block; unknown ones, also null, give
// MemoryKind::unmanaged and success.
Status pointer_attributes(const void* address, PointerAttributes* attributes) noexcept;

Status memory_info(int device, MemoryInfo* info) noexcept;

// Page-locked host memory: ordinary addresses that host code may use. `bytes` > 0.
Status host_allocate(std::size_t bytes, void** block) noexcept;
Status host_free(void* block) noexcept;

enum class CopyKind { host_to_host, host_to_device, device_to_host, device_to_device };

// Copies between ranges that do not overlap (invalid_argument) and returns when it is done. Both ranges are checked
// against their blocks, start and end. A host range may also be the backing of a device block (address +
// host_distance). Not ordered with streams. `bytes` 0 does nothing. Devices may differ.
Status copy(void* destination, const void* source, std::size_t bytes, CopyKind kind) noexcept;

// Sets every byte of a device range and returns when it is done.
Status fill(void* destination, int value, std::size_t bytes) noexcept;

// ---- streams -------------------------------------------------------------------------------------------------

struct StreamState;
using Stream = StreamState*;
struct EventState;
using Event = EventState*;

// A queue of tasks that run one after the other, in order; streams are independent of each other. Its worker
// starts with the first task. priority lies between greatest_priority and least_priority.
Status stream_create(int device, int priority, Stream* stream) noexcept;

// Runs what is still queued, then frees the stream. From one of the stream's own tasks: invalid_argument.
Status stream_destroy(Stream stream) noexcept;

Status stream_device(Stream stream, int* device) noexcept;
Status stream_priority(Stream stream, int* priority) noexcept;

// success when all queued tasks are done, not_ready while one is queued or runs.
Status stream_query(Stream stream) noexcept;

// Blocks until all that was queued before the call is done. From one of the stream's own tasks: success at once
// (the caller is the work). Returns task_failed when tasks threw since the last synchronize, as device_synchronize.
Status stream_synchronize(Stream stream) noexcept;

// Tasks launched on the stream after this call wait for the event's latest record before the call. An event that
// was never recorded does not block. The event may belong to another device.
Status stream_wait_event(Stream stream, Event event) noexcept;

// Queues a task and returns. A task that throws ends alone; the exception's text reaches the next synchronize.
// Tasks may allocate, launch and record, but must not wait for work queued behind them. What the task holds is
// destroyed before it counts as done. A queue has an end: a caller that is far ahead of the stream (65536 here) waits
// for room, a task that launches never does.
Status launch(Stream stream, std::function<void()> task) noexcept;

// Queues a copy; the host range must stay valid until it is done. Checked as copy() before it is queued and again
// when it runs: a block freed in between is a task_failed.
Status copy_async(void* destination, const void* source, std::size_t bytes, CopyKind kind, Stream stream) noexcept;

// True on the thread that runs a task of the stream.
bool on_stream(Stream stream) noexcept;

// True when any stream of any device may have work queued or running: one atomic load, for callers that would rather
// not ask each stream. False also means that the caller sees what the finished tasks wrote.
bool any_work_pending() noexcept;

// ---- events --------------------------------------------------------------------------------------------------

// A point in a stream's queue. Each record is a version of its own: a wait or query that began on an earlier
// record is not completed by a later one.
Status event_create(int device, bool enable_timing, Event* event) noexcept;

// Destroying an event does not disturb what waits for its records.
Status event_destroy(Event event) noexcept;

Status event_record(Event event, Stream stream) noexcept;  // wrong_device unless both are of one device
Status event_query(Event event) noexcept;                  // success when never recorded

// Blocks until the latest record before the call is done. From a task that the record is queued behind:
// invalid_argument.
Status event_synchronize(Event event) noexcept;

// Milliseconds between two completed records of one device (else wrong_device) by events with timing (else
// timing_disabled); not_ready until both are done, invalid_argument when one was never recorded.
Status event_elapsed_ms(Event start, Event end, double* milliseconds) noexcept;

}  // namespace openreg::driver
