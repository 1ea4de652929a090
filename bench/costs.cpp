#include <cstdlib>
#include <string>

#include "ledger.h"
#include "resident.h"
#include "threads.h"

// openreg_costs: what the ledger costs a call, how much two threads do more than one, and what a process holds at most.
int main(int argc, char** argv) {
  using namespace openreg::bench;
  const std::string word = argc > 1 ? argv[1] : "";
  if (is_resident_child(word)) {
    return resident_child(word);
  }
  setenv("OPENREG_FALLBACK_WARN", "off", /*overwrite=*/0);
  print_ledger_cost();
  print_two_threads();
  print_resident_memory();
  return 0;
}
