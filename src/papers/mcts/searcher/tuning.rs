//! The searcher as users choose and change it.

use std::sync::Arc;

use super::Mcts;
use super::params::{MctsParams, Method};
use crate::engine::Engine;
use crate::engines::{Changes, Searcher, SearcherParams, SpecError, flag_names, technique};
use crate::eval::Evaluation;
use crate::search::TunedParameter;

impl Mcts {
    /// The searcher as users choose it. Its bench has 2^12 visits for each position.
    pub const SEARCHER: Searcher = Searcher {
        name: "MCTS",
        description: "Monte Carlo tree search",
        bench_depths: [12; 3],
        parse: |changes| Ok(Arc::new(MctsParams::parse(changes)?)),
    };
}

impl MctsParams {
    /// The default parameters with these changes.
    ///
    /// # Errors
    /// [`SpecError`] for an unknown name, or a value out of range.
    pub fn parse(changes: &Changes) -> Result<MctsParams, SpecError> {
        let mut params = MctsParams::DEFAULT;
        // A method sets the techniques, so it is applied before they are switched off.
        for change in &changes.set {
            match change.split_once('=').unwrap_or((change, "")) {
                ("method", name) => params = params.with(name.parse()?),
                _ => {
                    let (name, value) = TunedParameter::parse_change(MctsParams::NUMBERS, change)?;
                    params.set(name, value);
                }
            }
        }
        for name in &changes.without {
            params.techniques.remove(technique(name)?);
        }
        Ok(params)
    }
}

impl SearcherParams for MctsParams {
    /// The method comes first.
    fn changes(&self) -> Vec<String> {
        let lacks = |m: &Method| m.techniques.difference(self.techniques).bits().count_ones();
        let has_all = |m: &&Method| m.leaf == self.leaf && m.techniques.contains(self.techniques);
        let method = Method::ALL.iter().filter(has_all).min_by_key(|method| lacks(method));
        let method = *method.unwrap_or(&Method::ALL[0]);
        let named = (method != Method::ALL[0]).then(|| format!("set=method={}", method.name));
        let off = flag_names(method.techniques.difference(self.techniques)).into_iter();
        let without = off.map(|name| format!("without={name}"));
        let numbers = self.set_numbers(&MctsParams::DEFAULT.with(method));
        named.into_iter().chain(without).chain(numbers).collect()
    }

    fn build(&self, evaluation: Evaluation) -> Box<dyn Engine> {
        Box::new(Mcts::new(*self, evaluation))
    }
}
