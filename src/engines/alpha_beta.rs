//! The default searcher as users choose and change it.

use std::sync::Arc;

use super::searcher::{Changes, Searcher, SearcherParams, SpecError, flag_names, technique};
use crate::engine::Engine;
use crate::eval::Evaluation;
use crate::search::{AlphaBeta, SearchParams, Techniques, TunedParameter};

impl AlphaBeta {
    /// The default searcher.
    pub const SEARCHER: Searcher = Searcher {
        name: "AlphaBeta",
        description: "selective alpha-beta",
        bench_depths: [13, 12, 11],
        parse: |changes| Ok(Arc::new(SearchParams::parse(changes)?)),
    };
}

impl SearchParams {
    /// The default parameters with these changes.
    ///
    /// # Errors
    /// [`SpecError`] for an unknown name, or a value out of range.
    pub fn parse(changes: &Changes) -> Result<SearchParams, SpecError> {
        let mut params = SearchParams::DEFAULT;
        for name in &changes.without {
            params.techniques.remove(technique(name)?);
        }
        for change in &changes.set {
            let (name, value) = TunedParameter::parse_change(SearchParams::NUMBERS, change)?;
            params.set(name, value);
        }
        Ok(params)
    }
}

impl SearcherParams for SearchParams {
    fn changes(&self) -> Vec<String> {
        let off = flag_names(Techniques::all().difference(self.techniques)).into_iter();
        let without = off.map(|name| format!("without={name}"));
        without.chain(self.set_numbers(&SearchParams::DEFAULT)).collect()
    }

    fn build(&self, evaluation: Evaluation) -> Box<dyn Engine> {
        Box::new(AlphaBeta::new(*self, evaluation))
    }
}
