//! A searcher's settings and the transposition table that they ask for.

use super::tt::TranspositionTable;
use crate::engine::Settings;

/// The table, made when it is first needed, and the settings.
#[derive(Default)]
pub(super) struct ConfiguredTable {
    settings: Settings,
    table: Option<TranspositionTable>,
}

impl ConfiguredTable {
    /// Takes over settings; tells if the table must be smaller than wished for.
    pub fn configure(&mut self, settings: &Settings) -> Option<String> {
        let mut remark = None;
        let wished = settings.hash_mib.max(1);
        if self.table.is_none() || wished != self.settings.hash_mib {
            // The old table goes first: both need not fit.
            self.table = None;
            let table = TranspositionTable::new(wished);
            if table.size_mib() != wished {
                remark = Some(format!(
                    "a hash table of {wished} MiB cannot be had, using {} MiB",
                    table.size_mib()
                ));
            }
            self.table = Some(table);
        }
        // Scores of draws are in the table too.
        let same_draws = settings.draw_value == self.settings.draw_value
            && settings.max_moves_to_draw == self.settings.max_moves_to_draw
            && settings.consideration == self.settings.consideration;
        if !same_draws {
            self.clear();
        }
        self.settings = settings.clone();
        remark
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        if let Some(table) = &mut self.table {
            table.clear();
        }
    }

    /// The settings, and the table ready for a new search.
    pub fn begin(&mut self) -> (&Settings, &TranspositionTable) {
        let wished = self.settings.hash_mib;
        let table = self.table.get_or_insert_with(|| TranspositionTable::new(wished));
        table.new_search();
        (&self.settings, table)
    }
}
