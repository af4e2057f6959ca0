//! Tables computed at compile time, where closures cannot be called.

/// `table![n in 81 => entry]`: the array of `entry` for every `n` from 0 to 80.
macro_rules! table {
    ($index:ident in $length:expr => $entry:expr) => {{
        let mut $index = 0;
        let mut table = [$entry; $length];
        while $index < $length {
            table[$index] = $entry;
            $index += 1;
        }
        table
    }};
}
pub(super) use table;
