//! Rounding to fixed point.

/// Rounds to integers and counts the values that do not fit.
#[derive(Default)]
pub(super) struct Rounding {
    /// Number of values that did not fit and were clamped.
    pub clipped: usize,
}

impl Rounding {
    pub(super) fn round_to_i16(&mut self, value: f32) -> i16 {
        self.round(value, f32::from(i16::MAX)) as i16
    }

    pub(super) fn round_to_i8(&mut self, value: f32) -> i8 {
        self.round(value, f32::from(i8::MAX)) as i8
    }

    pub(super) fn round(&mut self, value: f32, limit: f32) -> f32 {
        let rounded = value.round();
        if rounded.abs() > limit {
            self.clipped += 1;
        }
        rounded.clamp(-limit, limit)
    }
}
