//! The transposition table: search results by position.
//!
//! Lock-free: an entry is two atomic words, the data and the key xor the data. A reader of a
//! half-written pair computes a wrong key and treats it as a miss (Hyatt and Mann 2002).

use std::iter::successors;
use std::num::NonZero;
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use bytemuck::Zeroable;

use super::depth::Depth;
use super::memory::{self, Claim};
use super::prefetch::prefetch;
use super::window::Window;
use crate::engine::Bound;
use crate::eval::Score;
use crate::large_pages::may_fail;
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
    pub(crate) fn cuts(&self, window: Window) -> bool {
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

/// Entries of a cluster, which fills one cache line.
const CLUSTER: usize = 4;
type Cluster = [Slot; CLUSTER];

#[derive(Default, Zeroable)]
struct Slot {
    /// Position key xor data.
    check: AtomicU64,
    /// Bits 0-15 move, 16-31 score, 32-39 depth in plies, 40-41 bound (0: evaluation only), 42
    /// open window, 43-47 age, 48-63 evaluation ([`NO_EVALUATION`]: none). An empty slot is 0.
    data: AtomicU64,
}

/// A table of positions, shared by all threads.
///
/// A new table is zeroed memory, which the operating system provides on first access. So a table of
/// any size is ready at once, and its memory lies near the threads that use it.
pub struct TranspositionTable {
    /// Up to three unused slots, then the clusters, which start at a cache line.
    slots: Vec<Slot>,
    first: usize,
    age: AtomicU8,
    /// Whether no search has used the table.
    is_new: AtomicBool,
    _claim: Claim,
}

const MIB: usize = 1 << 20;
const CACHE_LINE: usize = CLUSTER * size_of::<Slot>();
/// Least number of threads that clear a table, and MiB for each further one.
const CLEARING_THREADS: usize = 4;
const CLEARED_MIB: usize = 64;
/// Parts of a table that are cleared one by one, and the most slots of a part.
const CLEARING_PARTS: usize = 64;
const LARGEST_PART: usize = 4 * MIB / size_of::<Slot>();
/// Longest time for which the system is made to provide the memory of a new table. Some systems
/// provide less than 1 GiB in a second.
const PROVIDING: Duration = Duration::from_secs(3);
/// A larger table is not overwritten but replaced, because parts of its memory may never have been
/// provided.
const LARGE_MIB: usize = 2 << 10;
/// Outside the range of evaluations.
const NO_EVALUATION: i16 = i16::MIN;
/// Ages are counted modulo this value.
const AGES: u8 = 32;
/// Replacement value of one search of age, in plies of depth.
const AGE_WEIGHT: i32 = 8;

impl TranspositionTable {
    /// An empty table of about `mib` MiB. The size is halved until the allocation succeeds and fits
    /// in [free memory](memory::available); see [`size_mib`](TranspositionTable::size_mib).
    pub fn new(mib: usize) -> TranspositionTable {
        let available = memory::available() / MIB;
        let sizes = successors(Some(mib.max(1)), |mib| (*mib > 1).then_some(mib / 2));
        let table = sizes.filter(|mib| *mib <= available).find_map(TranspositionTable::allocate);
        table.or_else(|| TranspositionTable::allocate(1)).expect("memory for one MiB")
    }

    /// A table of this size; `None` if the system refuses it.
    fn allocate(mib: usize) -> Option<TranspositionTable> {
        let count = mib.saturating_mul(MIB / size_of::<Slot>());
        let len = count.checked_add(CLUSTER - 1)?;
        let mut slots: Vec<Slot> = may_fail(|| bytemuck::try_zeroed_vec(len)).ok()?;
        let first = slots.as_ptr().align_offset(CACHE_LINE).min(CLUSTER - 1);
        slots.truncate(first + count);
        let claim = Claim::new(size_of_val(&slots[..]));
        let (age, is_new) = (AtomicU8::new(0), true.into());
        Some(TranspositionTable { slots, first, age, is_new, _claim: claim })
    }

    /// Size in MiB.
    pub fn size_mib(&self) -> usize {
        size_of_val(self.clusters()) / MIB
    }

    /// Replaces the table by a new one of the same size.
    fn renew_memory(&mut self) {
        let mib = self.size_mib();
        // Free the old memory and its claim first: both may not fit.
        (self.slots, self.first, self._claim) = (Vec::new(), 0, Claim::new(0));
        let table = TranspositionTable::allocate(mib);
        *self = table.unwrap_or_else(|| TranspositionTable::new(mib));
    }

    /// Clears the table. A new table is clear. It is written to for up to three seconds, so that
    /// the system provides its memory before a clock runs; the search gets the rest on first
    /// access.
    pub fn clear(&mut self) {
        if !*self.is_new.get_mut() && self.size_mib() > LARGE_MIB {
            self.renew_memory();
        }
        // Uses its own threads: the caller may be a task of rayon's pool while its clock runs.
        let cpus = thread::available_parallelism().map_or(1, NonZero::get);
        let threads =
            (self.size_mib() / CLEARED_MIB).clamp(CLEARING_THREADS, cpus.max(CLEARING_THREADS));
        let end = self.is_new.get_mut().then(|| Instant::now() + PROVIDING);
        let share = self.slots.len().div_ceil(CLEARING_PARTS).clamp(1, LARGEST_PART);
        let parts = Mutex::new(self.slots.chunks_mut(share));
        let next = || parts.lock().unwrap_or_else(PoisonError::into_inner).next();
        let clear = || {
            while end.is_none_or(|end| Instant::now() < end)
                && let Some(part) = next()
            {
                part.fill_with(Slot::default);
            }
        };
        thread::scope(|scope| {
            for _ in 1..threads {
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
        self.is_new.store(false, Ordering::Relaxed);
    }

    /// The entry of the position with this key; `ply` is its distance from the root.
    #[inline]
    pub fn probe(&self, key: u64, ply: u32) -> Option<TtEntry> {
        self.cluster(key).iter().find_map(|slot| {
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

    /// Stores an entry in place of one of the same position, or else of the one with the least depth
    /// and greatest age. An entry of this search is kept if it is at least four plies deeper (six if
    /// the new one is from an open window) than a new bound. A kept entry still takes the new move.
    #[inline]
    pub fn store(&self, key: u64, ply: u32, entry: &TtEntry) {
        let depth = Depth::plies(entry.depth.to_plies() + if entry.pv { 6 } else { 4 });
        self.write(key, ply, entry, |old| {
            let keep = old.depth >= depth && entry.bound != Bound::Exact;
            keep.then_some(TtEntry { mv: entry.mv.or(old.mv), ..*old })
        });
    }

    /// Like [`store`](TranspositionTable::store), with another rule: `keep` returns the entry to
    /// store instead, if the old one of the same position and search should survive.
    #[inline]
    pub(crate) fn write(
        &self,
        key: u64,
        ply: u32,
        entry: &TtEntry,
        keep: impl Fn(&TtEntry) -> Option<TtEntry>,
    ) {
        let age = self.age.load(Ordering::Relaxed);
        let mut victim: Option<(&Slot, i32)> = None;
        let mut written = *entry;
        for slot in self.cluster(key) {
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
        self.clusters().iter().take(250).flatten().filter(used).count() as u32
    }

    /// Multiplying and taking the upper 64 bits spreads the keys evenly over any table size.
    #[inline]
    fn cluster(&self, key: u64) -> &Cluster {
        let clusters = self.clusters();
        let index = (u128::from(key) * clusters.len() as u128) >> 64;
        &clusters[index as usize]
    }

    #[inline]
    fn clusters(&self) -> &[Cluster] {
        self.slots[self.first..].as_chunks().0
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
        | (entry.depth.to_plies().clamp(0, 255) as u64) << 32
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
        depth: Depth::plies(depth_of(data)),
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
    fn clusters_start_at_cache_lines() {
        for mib in [1, 3, 40] {
            let table = TranspositionTable::new(mib);
            assert_eq!(table.clusters().as_ptr().addr() % CACHE_LINE, 0);
            assert_eq!((table.size_mib(), table.hashfull()), (mib, 0));
        }
        assert!(TranspositionTable::allocate(usize::MAX).is_none());
    }

    #[test]
    fn a_table_is_cleared_to_its_end_after_a_search() {
        let mut table = TranspositionTable::new(9);
        let keys = [0, u64::MAX / 2, u64::MAX];
        for clear in [TranspositionTable::clear, TranspositionTable::renew_memory] {
            table.new_search();
            keys.iter().for_each(|&key| table.store(key, 0, &entry(1)));
            assert!(keys.iter().all(|&key| table.probe(key, 0).is_some()));
            clear(&mut table);
            assert!(keys.iter().all(|&key| table.probe(key, 0).is_none()));
            assert_eq!((table.size_mib(), table.hashfull()), (9, 0));
        }
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
        table.store(99, 5, &stored);
        let found = table.probe(99, 150).expect("an entry");
        assert_eq!(found, stored);
        let highest = Window::null(Score::mate_in(1));
        assert!(!found.cuts(highest) && !found.cuts(Window::open()));
        assert!(!found.improves(Score::MAX_EVAL) && !found.improves(-Score::MAX_EVAL));
        table.store(99, 5, &entry(1));
        assert_eq!(table.probe(99, 5).map(|found| found.depth), Some(Depth::ONE));
    }

    #[test]
    fn a_kept_entry_takes_the_new_move() {
        let table = TranspositionTable::new(1);
        let mv = |text: &str| text.parse().ok();
        let deep = entry(9);
        table.store(99, 0, &deep);
        table.store(99, 0, &TtEntry { mv: mv("2g2f"), score: Score::cp(400), ..entry(5) });
        assert_eq!(table.probe(99, 0), Some(TtEntry { mv: mv("2g2f"), ..deep }));
        table.store(99, 0, &TtEntry { mv: None, ..entry(5) });
        assert_eq!(table.probe(99, 0).and_then(|found| found.mv), mv("2g2f"));
        // Only slightly shallower, exact, or of a later search: the entry is replaced.
        let nearly = entry(6);
        table.store(99, 0, &nearly);
        assert_eq!(table.probe(99, 0), Some(nearly));
        let exact = TtEntry { bound: Bound::Exact, ..entry(1) };
        table.store(99, 0, &exact);
        assert_eq!(table.probe(99, 0), Some(exact));
        table.store(99, 0, &deep);
        table.new_search();
        table.store(99, 0, &entry(1));
        assert_eq!(table.probe(99, 0), Some(entry(1)));
    }
}
