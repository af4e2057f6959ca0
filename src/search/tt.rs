//! The transposition table: search results by position.
//!
//! Lock-free: an entry is two atomic words, the data and the key xor the data. A reader of a
//! half-written pair computes a wrong key and treats it as a miss (Hyatt and Mann 2002).

use std::sync::atomic::{AtomicU8, AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;

use super::depth::Depth;
use super::memory;
use super::prefetch::prefetch;
use super::window::Window;
use crate::engine::Bound;
use crate::eval::Score;
use crate::shogi::Move;

/// An entry of the transposition table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TtEntry {
    /// Best move found, if any.
    pub mv: Option<Move>,
    /// Score; mate distances are counted from the root.
    pub score: Score,
    /// Depth of the search that found the score.
    pub depth: Depth,
    /// Kind of score.
    pub bound: Bound,
    /// Static evaluation of the position before correction, if the searcher stores it.
    pub raw_eval: Option<Score>,
    /// Whether the position was ever searched with an open window.
    pub pv: bool,
}

impl TtEntry {
    /// An entry with an evaluation only. Its score is an upper bound of infinity, which never
    /// causes a cutoff.
    pub(super) fn evaluated(raw_eval: Option<Score>, pv: bool) -> TtEntry {
        let (score, bound) = (Score::INFINITE, Bound::Upper);
        TtEntry { mv: None, score, depth: Depth::ZERO, bound, raw_eval, pv }
    }

    /// Whether the score causes a cutoff in this window, ignoring depth.
    #[inline]
    pub(super) fn cuts(&self, window: Window) -> bool {
        match self.bound {
            Bound::Exact => true,
            Bound::Lower => self.score >= window.beta,
            Bound::Upper => self.score <= window.alpha,
        }
    }

    /// Whether the score is a better estimate of the position than this evaluation.
    #[inline]
    pub(super) fn improves(&self, evaluation: Score) -> bool {
        match self.bound {
            Bound::Exact => true,
            Bound::Lower => self.score > evaluation,
            Bound::Upper => self.score < evaluation,
        }
    }
}

/// Four entries on one cache line.
#[repr(align(64))]
#[derive(Default)]
struct Cluster([Slot; 4]);

#[derive(Default)]
struct Slot {
    /// Position key xor data.
    check: AtomicU64,
    /// Bits 0-15 move, 16-31 score, 32-39 depth in half plies, 40-41 bound (0: evaluation only), 42
    /// open window, 43-47 age, 48-63 evaluation ([`NO_EVALUATION`]: none). An empty slot is 0.
    data: AtomicU64,
}

/// A table of positions, shared by all threads.
pub struct TranspositionTable {
    clusters: Vec<Cluster>,
    age: AtomicU8,
}

const MIB: usize = 1 << 20;
const CLEARING_THREADS: usize = 4;
const CLEARING_PARTS: usize = 64;
/// Outside the range of evaluations.
const NO_EVALUATION: i16 = i16::MIN;
/// Ages are counted modulo this value.
const AGES: u8 = 32;
/// Replacement value of one search of age, in half plies of depth.
const AGE_WEIGHT: i32 = 16;

impl TranspositionTable {
    /// An empty table of about `mib` MiB. The size is halved until the allocation succeeds and fits
    /// in free memory; see [`size_mib`](TranspositionTable::size_mib).
    pub fn new(mib: usize) -> TranspositionTable {
        let available = memory::available() / MIB;
        let mut mib = mib.max(1);
        loop {
            let count = mib.saturating_mul(MIB / size_of::<Cluster>());
            let mut clusters = Vec::new();
            let fits = mib <= available && clusters.try_reserve_exact(count).is_ok();
            // If not even one MiB is available, this allocation aborts the program.
            if fits || mib == 1 {
                clusters.resize_with(count, Cluster::default);
                return TranspositionTable { clusters, age: AtomicU8::new(0) };
            }
            mib = (mib / 2).max(1);
        }
    }

    /// Size in MiB.
    pub fn size_mib(&self) -> usize {
        self.clusters.len() * size_of::<Cluster>() / MIB
    }

    /// Clears the table.
    pub fn clear(&mut self) {
        // Uses its own threads: the caller may be a task of rayon's pool while its clock runs.
        let share = self.clusters.len().div_ceil(CLEARING_PARTS).max(1);
        let parts = Mutex::new(self.clusters.chunks_mut(share));
        let next = || parts.lock().unwrap_or_else(PoisonError::into_inner).next();
        let clear = || {
            while let Some(part) = next() {
                part.fill_with(Cluster::default);
            }
        };
        thread::scope(|scope| {
            for _ in 1..CLEARING_THREADS {
                // If a helper thread cannot start, the caller clears the whole table.
                let _ = thread::Builder::new().spawn_scoped(scope, clear);
            }
            clear();
        });
        *self.age.get_mut() = 0;
    }

    /// Starts a new search: older entries become easier to replace.
    pub fn new_search(&self) {
        let next = (self.age.load(Ordering::Relaxed) + 1) % AGES;
        self.age.store(next, Ordering::Relaxed);
    }

    /// The entry of the position with this key; `ply` is its distance from the root.
    #[inline]
    pub fn probe(&self, key: u64, ply: u32) -> Option<TtEntry> {
        self.cluster(key).0.iter().find_map(|slot| {
            let data = slot.data.load(Ordering::Relaxed);
            let check = slot.check.load(Ordering::Relaxed);
            (check ^ data == key).then(|| unpack(data, ply)).flatten()
        })
    }

    /// Prefetches the cluster that [`probe`](TranspositionTable::probe) will read.
    #[inline]
    pub fn prefetch(&self, key: u64) {
        prefetch(self.cluster(key));
    }

    /// Stores an entry. An entry of the same position is replaced. The exception is an entry of
    /// this search that is more than two plies deeper than a new bound. Otherwise the victim is the
    /// entry with the least depth and greatest age.
    #[inline]
    pub fn store(&self, key: u64, ply: u32, entry: &TtEntry) {
        self.write(key, ply, entry, |old| {
            let keep = old.depth > entry.depth + Depth::plies(2) && entry.bound != Bound::Exact;
            keep.then_some(*old)
        });
    }

    /// Like [`store`](TranspositionTable::store), but for a search that prefers new shallow
    /// results. An entry of this search is kept if it is at least four plies deeper (six if the new
    /// one is from an open window). A kept entry still takes the new move.
    #[inline]
    pub fn renew(&self, key: u64, ply: u32, entry: &TtEntry) {
        let depth = entry.depth + Depth::plies(if entry.pv { 6 } else { 4 });
        self.write(key, ply, entry, |old| {
            let keep = old.depth >= depth && entry.bound != Bound::Exact;
            keep.then_some(TtEntry { mv: entry.mv.or(old.mv), ..*old })
        });
    }

    /// `keep`: for an entry of the same position and search, what is stored instead of the new one.
    #[inline]
    fn write(
        &self,
        key: u64,
        ply: u32,
        entry: &TtEntry,
        keep: impl Fn(&TtEntry) -> Option<TtEntry>,
    ) {
        let age = self.age.load(Ordering::Relaxed);
        let mut victim: Option<(&Slot, i32)> = None;
        let mut written = *entry;
        for slot in &self.cluster(key).0 {
            let data = slot.data.load(Ordering::Relaxed);
            if slot.check.load(Ordering::Relaxed) ^ data == key {
                // The same position: keep the old move if the new entry has none.
                if let Some(old) = unpack(data, ply) {
                    written.mv = entry.mv.or(old.mv);
                    if age_of(data) == age
                        && let Some(kept) = keep(&old)
                    {
                        written = kept;
                    }
                }
                victim = Some((slot, 0));
                break;
            }
            let years = i32::from((AGES + age - age_of(data)) % AGES);
            let value = if data == 0 { i32::MIN } else { depth_of(data) - AGE_WEIGHT * years };
            if victim.is_none_or(|(_, least)| value < least) {
                victim = Some((slot, value));
            }
        }
        if let Some((slot, _)) = victim {
            let data = pack(&written, ply, age);
            slot.data.store(data, Ordering::Relaxed);
            slot.check.store(key ^ data, Ordering::Relaxed);
        }
    }

    /// Share of entries written in this search, per mille, from a sample of 1,000.
    pub fn hashfull(&self) -> u32 {
        let age = self.age.load(Ordering::Relaxed);
        let used = |slot: &&Slot| {
            let data = slot.data.load(Ordering::Relaxed);
            data != 0 && age_of(data) == age
        };
        let sample = self.clusters.iter().take(250).flat_map(|cluster| &cluster.0);
        sample.filter(used).count() as u32
    }

    /// Multiplying and taking the upper 64 bits spreads the keys evenly over any table size.
    #[inline]
    fn cluster(&self, key: u64) -> &Cluster {
        let index = (u128::from(key) * self.clusters.len() as u128) >> 64;
        &self.clusters[index as usize]
    }
}

#[inline]
fn pack(entry: &TtEntry, ply: u32, age: u8) -> u64 {
    let mv = entry.mv.map_or(0, Move::to_bits);
    let bound: u64 = match entry.bound {
        Bound::Upper if entry.score == Score::INFINITE => 0,
        Bound::Exact => 1,
        Bound::Lower => 2,
        Bound::Upper => 3,
    };
    let raw_eval = entry.raw_eval.map_or(NO_EVALUATION, |score| score.to_table(0));
    u64::from(mv)
        | u64::from(entry.score.to_table(ply) as u16) << 16
        | (entry.depth.to_half_plies().clamp(0, 255) as u64) << 32
        | bound << 40
        | u64::from(entry.pv) << 42
        | u64::from(age) << 43
        | u64::from(raw_eval as u16) << 48
}

#[inline]
fn unpack(data: u64, ply: u32) -> Option<TtEntry> {
    if data == 0 {
        return None;
    }
    let (bound, is_known) = match data >> 40 & 3 {
        0 => (Bound::Upper, false),
        1 => (Bound::Exact, true),
        2 => (Bound::Lower, true),
        _ => (Bound::Upper, true),
    };
    let score = Score::from_table((data >> 16) as u16 as i16, ply);
    Some(TtEntry {
        mv: Move::from_bits(data as u16),
        score: if is_known { score } else { Score::INFINITE },
        depth: Depth::half_plies(depth_of(data)),
        bound,
        raw_eval: Some((data >> 48) as u16 as i16)
            .filter(|&raw_eval| raw_eval != NO_EVALUATION)
            .map(|raw_eval| Score::from_table(raw_eval, 0)),
        pv: data >> 42 & 1 == 1,
    })
}

#[inline]
fn depth_of(data: u64) -> i32 {
    (data >> 32 & 255) as i32
}

#[inline]
fn age_of(data: u64) -> u8 {
    (data >> 43) as u8 % AGES
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(depth: i32) -> TtEntry {
        TtEntry {
            mv: "7g7f".parse().ok(),
            score: Score::cp(-123),
            depth: Depth::plies(depth),
            bound: Bound::Lower,
            raw_eval: None,
            pv: false,
        }
    }

    #[test]
    fn stored_entries_are_found() {
        let table = TranspositionTable::new(1);
        assert_eq!(table.size_mib(), 1);
        assert_eq!(table.probe(99, 0), None);
        for bound in [Bound::Exact, Bound::Lower, Bound::Upper] {
            for score in [Score::cp(-123), Score::mate_in(7), Score::mated_in(8)] {
                let raw_eval = Some(Score::cp(-29_999)).filter(|_| bound != Bound::Exact);
                let stored = TtEntry { score, bound, raw_eval, pv: score.is_mate(), ..entry(4) };
                table.store(99, 4, &stored);
                assert_eq!(table.probe(99, 4), Some(stored));
            }
        }
        // A mate keeps its distance from the node, whatever the ply of the probe.
        table.store(99, 4, &TtEntry { score: Score::mate_in(7), bound: Bound::Exact, ..entry(9) });
        assert_eq!(table.probe(99, 2).map(|e| e.score), Some(Score::mate_in(5)));
    }

    #[test]
    fn shallow_and_old_entries_are_replaced_first() {
        let table = TranspositionTable::new(1);
        // Keys below 2^44 share the first cluster of a table of 2^14 clusters.
        for (key, depth) in [(1, 9), (2, 3), (3, 8), (4, 7)] {
            table.store(key, 0, &entry(depth));
        }
        table.store(5, 0, &entry(1));
        assert!(table.probe(2, 0).is_none() && table.probe(5, 0).is_some());
        for _ in 0..3 {
            table.new_search();
        }
        table.store(1, 0, &entry(2));
        table.store(6, 0, &entry(1));
        table.store(7, 0, &entry(1));
        assert!(table.probe(1, 0).is_some(), "young");
        assert!(table.probe(3, 0).is_some(), "old but deepest");
    }

    #[test]
    fn hashfull_counts_only_entries_of_this_search() {
        let mut table = TranspositionTable::new(1);
        for key in 0..4000u64 {
            table.store(key << 46, 0, &entry(1));
        }
        let full = table.hashfull();
        assert!(full > 100 && full <= 1000, "{full}");
        table.new_search();
        assert_eq!(table.hashfull(), 0);
        table.clear();
        assert_eq!(table.probe(1 << 46, 0), None);
    }

    #[test]
    fn an_entry_with_only_an_evaluation_never_cuts() {
        let table = TranspositionTable::new(1);
        let stored = TtEntry::evaluated(Some(Score::cp(-70)), true);
        table.renew(99, 5, &stored);
        let found = table.probe(99, 150).expect("an entry");
        assert_eq!(found, stored);
        let highest = Window::null(Score::mate_in(1));
        assert!(!found.cuts(highest) && !found.cuts(Window::open()));
        assert!(!found.improves(Score::MAX_EVAL) && !found.improves(-Score::MAX_EVAL));
        table.renew(99, 5, &entry(1));
        assert_eq!(table.probe(99, 5).map(|found| found.depth), Some(Depth::ONE));
    }

    #[test]
    fn a_kept_entry_takes_the_new_move() {
        let table = TranspositionTable::new(1);
        let mv = |text: &str| text.parse().ok();
        let deep = entry(9);
        table.renew(99, 0, &deep);
        table.renew(99, 0, &TtEntry { mv: mv("2g2f"), score: Score::cp(400), ..entry(5) });
        assert_eq!(table.probe(99, 0), Some(TtEntry { mv: mv("2g2f"), ..deep }));
        table.renew(99, 0, &TtEntry { mv: None, ..entry(5) });
        assert_eq!(table.probe(99, 0).and_then(|found| found.mv), mv("2g2f"));
        // Only slightly shallower, exact, or of a later search: the entry is replaced.
        let nearly = entry(6);
        table.renew(99, 0, &nearly);
        assert_eq!(table.probe(99, 0), Some(nearly));
        let exact = TtEntry { bound: Bound::Exact, ..entry(1) };
        table.renew(99, 0, &exact);
        assert_eq!(table.probe(99, 0), Some(exact));
        table.renew(99, 0, &deep);
        table.new_search();
        table.renew(99, 0, &entry(1));
        assert_eq!(table.probe(99, 0), Some(entry(1)));
    }
}
