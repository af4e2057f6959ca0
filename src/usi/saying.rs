//! What a search says, on its way to the session.

use crate::engine::{Info, Report};
use crate::shogi::Move;

/// A [`Report`] that has left its search.
pub(super) enum Saying {
    Line(Box<Info>),
    Better(Box<Info>),
    CurrentMove(Move, usize),
    Remark(String),
}

impl Saying {
    /// `None` of what is of no use to a client.
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
