//! Numbers that begin at a cache line.

use std::ops::{Deref, DerefMut};

/// A slice whose first number is the first of a cache line. Rows of full cache lines then lie on no
/// more of them than they fill, and no register is loaded from two.
#[derive(Debug)]
pub struct Aligned<T> {
    /// Some numbers that are not used, then the slice.
    numbers: Vec<T>,
    first: usize,
}

/// Bytes of a cache line.
const CACHE_LINE: usize = 64;

impl<T: Copy + Default> Aligned<T> {
    /// As many zeros.
    pub fn zeros(count: usize) -> Aligned<T> {
        let mut numbers = vec![T::default(); count + CACHE_LINE / size_of::<T>()];
        let first = numbers.as_ptr().align_offset(CACHE_LINE).min(numbers.len() - count);
        numbers.truncate(first + count);
        Aligned { numbers, first }
    }

    /// The same numbers with zeros behind them, `count` in all.
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

/// A copy lies elsewhere in memory and has a first number of its own.
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
    fn numbers_begin_at_a_cache_line() {
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
