//! The runs of the experiment.

use crate::papers::policy::learner::{PassCurve, PolicyMethod};

/// The run of the improved learner ends after this number of passes without a better held-out
/// agreement.
pub(super) const PATIENCE: u64 = 2;

/// A run with its result.
pub(super) struct FinishedCourse {
    pub method: PolicyMethod,
    pub games: usize,
    pub curve: PassCurve,
    /// Number of weights clipped in the weights file; `None` if none was written.
    pub cut: Option<usize>,
}
