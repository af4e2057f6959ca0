//! A board as SVG, with the pieces in hand, the last move, and arrows.

use std::fmt::Write;

use crate::cli::html::escaped;
use crate::record::japanese_kind_symbol;
use crate::shogi::{Color, HandPiece, Move, Piece, Position, Square};

/// Size of a square.
const CELL: f64 = 36.0;

/// A position to draw.
pub(super) struct Board<'a> {
    pub pos: &'a Position,
    pub last: Option<Move>,
    /// In the order of drawing.
    pub arrows: Vec<Arrow>,
}

/// A move of the side to move, as an arrow or as the dropped piece.
pub(super) struct Arrow {
    pub mv: Move,
    pub color: &'static str,
}

impl Board<'_> {
    /// Draws the board with the hands above and below. `at`: the left upper corner. Width 350,
    /// height 380.
    pub fn draw(&self, svg: &mut String, at: (f64, f64), players: &[String; 2]) {
        let (left, top) = (at.0, at.1 + 40.0);
        let all = 9.0 * CELL;
        self.draw_hand(svg, Color::White, &players[1], (left, at.1 + 18.0));
        let _ = writeln!(
            svg,
            "<rect x=\"{left}\" y=\"{top}\" width=\"{all}\" height=\"{all}\" fill=\"#f3d59b\"/>"
        );
        let squares = self.last.into_iter().flat_map(|mv| mv.from().into_iter().chain([mv.to()]));
        for sq in squares {
            let (x, y) = center(left, top, sq);
            let _ = writeln!(
                svg,
                "<rect x=\"{}\" y=\"{}\" width=\"{CELL}\" height=\"{CELL}\" fill=\"#efb75a\"/>",
                x - CELL / 2.0,
                y - CELL / 2.0
            );
        }
        let mut grid = String::new();
        for n in 1..9 {
            let at = f64::from(n) * CELL;
            let _ = write!(grid, "M{} {top}v{all}M{left} {}h{all}", left + at, top + at);
        }
        let _ = writeln!(svg, "<path d=\"{grid}\" stroke=\"#7d6a45\" stroke-width=\".8\"/>");
        let _ = writeln!(
            svg,
            "<path d=\"M{left} {top}h{all}v{all}h-{all}z\" fill=\"none\" stroke=\"#54452a\" \
             stroke-width=\"1.5\"/>"
        );
        for (n, rank) in "一二三四五六七八九".chars().enumerate() {
            let along = (n as f64 + 0.5) * CELL;
            let (x, y) = (left + along, top + along);
            let _ = writeln!(
                svg,
                "<text x=\"{x}\" y=\"{}\" font-size=\"11\" fill=\"#667\" text-anchor=\"middle\">{}\
                 </text><text x=\"{}\" y=\"{}\" font-size=\"11\" fill=\"#667\">{rank}</text>",
                top - 5.0,
                9 - n,
                left + all + 5.0,
                y + 4.0
            );
        }
        for sq in Square::all() {
            if let Some(piece) = self.pos.piece_on(sq) {
                draw_piece(svg, piece, center(left, top, sq), None);
            }
        }
        for arrow in &self.arrows {
            self.draw_arrow(svg, arrow, left, top);
        }
        self.draw_hand(svg, Color::Black, &players[0], (left, top + all + 20.0));
    }

    /// The name of a player and the pieces in hand, as a line of text.
    fn draw_hand(&self, svg: &mut String, color: Color, player: &str, at: (f64, f64)) {
        let hand = self.pos.hand(color);
        let held = HandPiece::ALL.into_iter().rev().filter(|&held| hand.has(held));
        let pieces = held.map(|held| match hand.count(held) {
            1 => japanese_kind_symbol(held.kind()).to_owned(),
            count => format!("{}{count}", japanese_kind_symbol(held.kind())),
        });
        let pieces = pieces.collect::<Vec<_>>().join(" ");
        let (mark, player) = (["▲", "△"][color.index()], escaped(player));
        let weight = if self.pos.side_to_move() == color { "bold" } else { "normal" };
        let (x, y, right) = (at.0, at.1, at.0 + 9.0 * CELL);
        let _ = writeln!(
            svg,
            "<text x=\"{x}\" y=\"{y}\" font-size=\"14\" font-weight=\"{weight}\">{mark} {player}\
             </text><text x=\"{right}\" y=\"{y}\" font-size=\"17\" text-anchor=\"end\">{pieces}</text>"
        );
    }

    fn draw_arrow(&self, svg: &mut String, arrow: &Arrow, left: f64, top: f64) {
        let (mv, color) = (arrow.mv, arrow.color);
        let (x2, y2) = center(left, top, mv.to());
        let Some(from) = mv.from() else {
            let piece = self.pos.moved_piece(mv);
            let piece = Piece::new(self.pos.side_to_move(), piece);
            return draw_piece(svg, piece, (x2, y2), Some(color));
        };
        let (x1, y1) = center(left, top, from);
        let length = (x2 - x1).hypot(y2 - y1);
        let (dx, dy) = ((x2 - x1) / length, (y2 - y1) / length);
        let neck = length - 14.0;
        let outline = [
            (4.0, 2.7),
            (neck, 2.7),
            (neck, 8.0),
            (length, 0.0),
            (neck, -8.0),
            (neck, -2.7),
            (4.0, -2.7),
        ];
        let points: Vec<String> = outline
            .map(|(along, aside)| {
                format!("{:.1},{:.1}", x1 + along * dx - aside * dy, y1 + along * dy + aside * dx)
            })
            .into();
        let points = points.join(" ");
        let _ = writeln!(svg, "<polygon points=\"{points}\" fill=\"{color}\" opacity=\".85\"/>");
    }
}

/// The centre of a square.
fn center(left: f64, top: f64, sq: Square) -> (f64, f64) {
    (left + (8.5 - sq.file() as f64) * CELL, top + (sq.rank() as f64 + 0.5) * CELL)
}

/// A piece that points to the enemy. A dropped piece has an edge of this color.
fn draw_piece(svg: &mut String, piece: Piece, at: (f64, f64), edge: Option<&str>) {
    let turned = if piece.color == Color::White { " rotate(180)" } else { "" };
    let ink = if piece.kind.is_promoted() { "#b00020" } else { "#1a1a1a" };
    let (stroke, width, opacity) = edge.map_or(("#8b7347", 0.7, 1.0), |edge| (edge, 2.4, 0.88));
    let (x, y) = at;
    let symbol = japanese_kind_symbol(piece.kind);
    let _ = writeln!(
        svg,
        "<g transform=\"translate({x} {y}){turned}\" opacity=\"{opacity}\">\
         <polygon points=\"0,-16 9.5,-12.5 13.5,15.5 -13.5,15.5 -9.5,-12.5\" fill=\"#fbe9c4\" \
         stroke=\"{stroke}\" stroke-width=\"{width}\"/>\
         <text y=\"9\" font-size=\"20\" text-anchor=\"middle\" fill=\"{ink}\">{symbol}</text></g>"
    );
}
