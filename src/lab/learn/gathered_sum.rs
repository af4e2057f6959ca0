//! Sums of scattered numbers.

/// Sum of the numbers of `items`. Four partial sums, so that no addition waits for the previous one.
#[inline]
pub(crate) fn gathered_sum<T: Copy>(items: &[T], number: impl Fn(T) -> f32) -> f32 {
    let mut sums = [0.0; 4];
    let (fours, rest) = items.as_chunks::<4>();
    for items in fours.iter().map(|four| &four[..]).chain([rest]) {
        for (sum, &item) in sums.iter_mut().zip(items) {
            *sum += number(item);
        }
    }
    (sums[0] + sums[1]) + (sums[2] + sums[3])
}
