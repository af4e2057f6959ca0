//! Numbers that start at a cache line.

use std::ops::{Deref, DerefMut};

/// A slice that starts at a cache line. Rows whose length is a multiple of a cache line then span
/// no extra cache line, and no register load crosses a boundary.
#[derive(Debug)]
pub struct Aligned<T> {
    /// Unused numbers, then the slice.
    numbers: Vec<T>,
    first: usize,
}

/// Bytes per cache line.
const CACHE_LINE: usize = 64;

impl<T: Copy + Default> Aligned<T> {
    /// Creates a slice of `count` zeros.
    pub fn zeros(count: usize) -> Aligned<T> {
        let mut numbers = vec![T::default(); count + CACHE_LINE / size_of::<T>()];
        let first = numbers.as_ptr().align_offset(CACHE_LINE).min(numbers.len() - count);
        numbers.truncate(first + count);
        Aligned { numbers, first }
    }

    /// Copies the numbers and appends zeros up to a length of `count`.
    pub fn grown(&self, count: usize) -> Aligned<T> {
        let mut grown = Aligned::zeros(count);
        grown[..self.len()].copy_from_slice(self);
        grown
    }
}

impl<T: Copy + Default> From<&[T]> for Aligned<T> {
    fn from(numbers: &[T]) -> Aligned<T> {
        let mut aligned = Aligned::zeros(numbers.len());
        aligned.copy_from_slice(numbers);
        aligned
    }
}

/// The clone has its own alignment, because its memory has another address.
impl<T: Copy + Default> Clone for Aligned<T> {
    fn clone(&self) -> Aligned<T> {
        Aligned::from(&self[..])
    }
}

impl<T: PartialEq> PartialEq for Aligned<T> {
    fn eq(&self, other: &Aligned<T>) -> bool {
        self[..] == other[..]
    }
}

impl<T> Deref for Aligned<T> {
    type Target = [T];

    #[inline]
    fn deref(&self) -> &[T] {
        &self.numbers[self.first..]
    }
}

impl<T> DerefMut for Aligned<T> {
    #[inline]
    fn deref_mut(&mut self) -> &mut [T] {
        &mut self.numbers[self.first..]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_start_at_a_cache_line() {
        for count in [0, 1, 31, 1_000] {
            let numbers: Vec<i16> = (0..count as i16).collect();
            let aligned = Aligned::from(&numbers[..]);
            let grown = aligned.grown(count + 7);
            for copy in [&aligned, &aligned.clone(), &grown] {
                assert_eq!(copy[..count], numbers);
                assert_eq!(copy.as_ptr().addr() % CACHE_LINE, 0);
            }
            assert_eq!(aligned.clone(), aligned);
            assert_eq!(grown[count..], [0; 7]);
        }
    }
}
