//! Reports of a search as events of the session.

use crate::engine::{Info, Report};
use crate::shogi::Move;

/// An owned [`Report`].
pub(super) enum Saying {
    Line(Box<Info>),
    Better(Box<Info>),
    CurrentMove(Move, usize),
    Remark(String),
}

impl Saying {
    /// `None` for reports that clients do not use.
    pub(super) fn of(report: Report<'_>) -> Option<Saying> {
        match report {
            Report::Line(info) => Some(Saying::Line(Box::new(info.clone()))),
            Report::Better(info) => Some(Saying::Better(Box::new(info.clone()))),
            Report::CurrentMove(mv, number) => Some(Saying::CurrentMove(mv, number)),
            Report::Remark(text) => Some(Saying::Remark(text.to_owned())),
            Report::Samples(_) => None,
        }
    }
}
