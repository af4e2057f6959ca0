//! A searcher's settings and its transposition table.

use std::sync::Arc;

use super::tt::TranspositionTable;
use crate::engine::Settings;

/// The settings, and a table that is allocated on first use.
#[derive(Default)]
pub(crate) struct ConfiguredTable {
    settings: Settings,
    table: Option<Arc<TranspositionTable>>,
}

impl ConfiguredTable {
    /// Applies new settings. Returns a message if the table is smaller than requested.
    pub fn configure(&mut self, settings: &Settings) -> Option<String> {
        let mut remark = None;
        let wished = settings.hash_mib.max(1);
        if self.table.is_none() || wished != self.settings.hash_mib {
            // Free the old table first: both may not fit in memory.
            self.table = None;
            let table = TranspositionTable::new(wished);
            if table.size_mib() != wished {
                remark = Some(format!(
                    "cannot allocate a hash table of {wished} MiB; using {} MiB",
                    table.size_mib()
                ));
            }
            self.table = Some(Arc::new(table));
        }
        // The table also stores scores of draws and of declared wins, which depend on these settings.
        let same_rules = settings.draw_value == self.settings.draw_value
            && settings.max_moves_to_draw == self.settings.max_moves_to_draw
            && settings.consideration == self.settings.consideration
            && settings.declaration == self.settings.declaration;
        if !same_rules {
            self.clear();
        }
        self.settings = settings.clone();
        remark
    }

    /// Clears the table.
    pub fn clear(&mut self) {
        if let Some(table) = &mut self.table {
            Arc::get_mut(table).expect("no search runs").clear();
        }
    }

    /// Returns the settings, and the table prepared for a new search.
    pub fn begin(&mut self) -> (&Settings, &Arc<TranspositionTable>) {
        let wished = self.settings.hash_mib;
        let table = self.table.get_or_insert_with(|| Arc::new(TranspositionTable::new(wished)));
        table.new_search();
        (&self.settings, table)
    }
}
