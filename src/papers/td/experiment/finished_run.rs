//! A finished run.

use crate::lab::learn::CurvePoint;
use crate::papers::td::learner::{TdConfig, TdMeasure};

/// A finished run.
pub(super) struct FinishedRun {
    pub config: TdConfig,
    pub curve: Vec<CurvePoint<TdMeasure>>,
}

impl FinishedRun {
    /// The last point of the curve.
    pub fn last(&self) -> TdMeasure {
        self.curve.last().expect("a curve starts before the first game").measured
    }
}
