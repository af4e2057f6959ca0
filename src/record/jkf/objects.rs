//! The objects of JKF.

use std::fmt;
use std::time::Duration;

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::value::RawValue;
use serde_json::{Map, Value};

use super::start::{Initial, side};
use crate::record::MoveFault;
use crate::record::notation::csa::{kind, kind_name};
use crate::record::notation::japanese::relative_text;
use crate::record::text::believed;
use crate::shogi::{Move, Position, Square};

#[derive(Debug, Deserialize)]
pub struct Record {
    #[serde(default)]
    pub header: Map<String, Value>,
    pub initial: Option<Initial>,
    pub moves: Vec<Entry>,
}

#[derive(Debug, Default, Serialize, Deserialize)]
pub struct Entry {
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub comments: Vec<String>,
    #[serde(rename = "move", skip_serializing_if = "Option::is_none")]
    pub mv: Option<Step>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub time: Option<Times>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub special: Option<String>,
    /// Not parsed with the entry: neither bad nor deeply nested variations are to cost the main
    /// line.
    #[serde(skip_serializing)]
    pub forks: Option<Box<RawValue>>,
}

#[derive(Debug, Serialize, Deserialize)]
pub struct Step {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub color: Option<u8>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub from: Option<Place>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub to: Option<Place>,
    pub piece: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub same: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub promote: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub capture: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub relative: Option<String>,
}

#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub struct Place {
    pub x: usize,
    pub y: usize,
}

#[derive(Debug, Serialize, Deserialize)]
pub struct Times {
    pub now: Clock,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub total: Option<Clock>,
}

#[derive(Debug, Serialize, Deserialize)]
pub struct Clock {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub h: Option<u64>,
    pub m: u64,
    /// Some programs write fractions.
    #[serde(serialize_with = "whole_seconds", deserialize_with = "seconds")]
    pub s: Duration,
}

fn whole_seconds<S: Serializer>(time: &Duration, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_u64(time.as_secs())
}

fn seconds<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Duration, D::Error> {
    Duration::try_from_secs_f64(f64::deserialize(deserializer)?).map_err(D::Error::custom)
}

impl Place {
    pub fn of(sq: Square) -> Place {
        Place { x: sq.file() + 1, y: sq.rank() + 1 }
    }

    pub fn square(self) -> Option<Square> {
        Square::new(self.x.checked_sub(1)?, self.y.checked_sub(1)?)
    }
}

impl Clock {
    pub fn of(time: Duration, has_hours: bool) -> Clock {
        let seconds = time.as_secs();
        let (hours, minutes) = (seconds / 3600, seconds / 60);
        let (h, m) = if has_hours { (Some(hours), minutes % 60) } else { (None, minutes) };
        Clock { h, m, s: Duration::from_secs(seconds % 60) }
    }

    pub fn time(&self) -> Option<Duration> {
        let minutes = self.h.unwrap_or(0).checked_mul(60)?.checked_add(self.m)?;
        believed(Duration::from_secs(minutes.checked_mul(60)?).checked_add(self.s)?)
    }
}

impl fmt::Display for Step {
    /// The form of CSA, for errors: `7776FU`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let place =
            |place: Option<Place>| place.map_or("00".to_owned(), |p| format!("{}{}", p.x, p.y));
        write!(f, "{}{}{}", place(self.from), place(self.to), self.piece)
    }
}

impl Step {
    pub fn to_move(&self, pos: &Position) -> Result<Move, MoveFault> {
        let bad = || MoveFault::NotAMove(self.to_string());
        if self.color.is_some_and(|color| side(color) != Some(pos.side_to_move())) {
            return Err(MoveFault::WrongSide(self.to_string()));
        }
        let to = match self.to {
            Some(to) => to.square(),
            None if self.same == Some(true) => pos.last_move().map(Move::to),
            None => None,
        };
        let (to, kind) = (to.ok_or_else(bad)?, kind(&self.piece).ok_or_else(bad)?);
        let Some(from) = self.from else {
            return kind.droppable().map(|held| Move::drop(held, to)).ok_or_else(bad);
        };
        let from = from.square().filter(|&from| from != to).ok_or_else(bad)?;
        if pos.piece_on(from).is_none_or(|piece| piece.kind != kind) {
            return Err(MoveFault::NoPiece(self.to_string()));
        }
        let promotes = self.promote == Some(true);
        Ok(if promotes { Move::promotion(from, to) } else { Move::board(from, to) })
    }

    pub fn of(pos: &Position, mv: Move) -> Step {
        let us = pos.side_to_move();
        let kind = pos.moved_piece(mv);
        let zone = |from: Square| from.is_promotion_zone(us) || mv.to().is_promotion_zone(us);
        let chooses = kind.promoted().is_some() && mv.from().is_some_and(zone);
        let captured = pos.piece_on(mv.to()).map(|piece| kind_name(piece.kind).to_owned());
        let is_same = pos.last_move().map(Move::to) == Some(mv.to());
        Step {
            color: Some(us.index() as u8),
            from: mv.from().map(Place::of),
            to: Some(Place::of(mv.to())),
            piece: kind_name(kind).to_owned(),
            same: is_same.then_some(true),
            promote: chooses.then_some(mv.is_promotion()),
            capture: captured,
            relative: Some(relative_text(pos, mv)).filter(|text| !text.is_empty()),
        }
    }
}
