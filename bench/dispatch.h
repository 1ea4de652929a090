#pragma once

namespace openreg::bench {

// What a call costs by the way that it goes, with the ledger and the policy's switches; and streams.
void add_dispatch_cases();
void add_stream_cases();

}  // namespace openreg::bench
