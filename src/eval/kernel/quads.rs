//! Products of network layers for CPUs whose registers have four 32-bit numbers.

use super::portable;

/// 32-bit numbers per register.
pub(super) const REGISTER: usize = 4;

/// Code for such a CPU that keeps the sums of all outputs in registers.
pub(super) trait Quads {
    /// Adds the products of weights and inputs to `N * REGISTER` outputs.
    fn add_products<const N: usize>(sums: &mut [i32], weights: &[i8], input: &[u8]);
}

/// Adds the products of weights and inputs to every output. See
/// [`Kernel::add_products`](super::Kernel).
#[inline]
pub(super) fn add_products<Q: Quads>(sums: &mut [i32], weights: &[i8], input: &[u8]) {
    match sums.len() {
        16 => Q::add_products::<4>(sums, weights, input),
        32 => Q::add_products::<8>(sums, weights, input),
        _ => portable::add_products(sums, weights, input),
    }
}
