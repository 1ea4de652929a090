#pragma once

namespace openreg::fallback {

// Registers the fallback for each operator that has a CPU kernel and would otherwise run a composite kernel.
//
// Note [Which operators need the fallback by name]
// The dispatcher prefers a composite kernel to a backend's m.fallback. For an operator that has both a composite
// and a CPU kernel this costs twice: the composite calls further operators, each with a fallback of its own, and
// its results differ from the CPU kernel's in the last bits. So these get the fallback by m.impl:
//  * CompositeExplicitAutogradNonFunctional: every structured operator;
//  * CompositeExplicitAutograd, e.g. native_layer_norm;
//  * CompositeImplicitAutograd only where an Autograd kernel exists: elsewhere a backend kernel would cut off the
//    gradient, which comes from the operators that the composite calls.
// An operator that has a PrivateUse1 kernel already is left alone: a user's own kernel wins, linked before or after,
// because this runs at first use of the device and not before main. It is repeated only by an explicit call.
void register_explicit_set();

}  // namespace openreg::fallback
