//! An engine that is built and configured when it is needed.

use std::sync::Arc;

use super::{Engine, Settings};

/// Builds the engine of a choice. The second parameter receives messages for the user.
pub type BuildEngine<C> = dyn Fn(&C, &mut dyn FnMut(&str)) -> Box<dyn Engine> + Send + Sync;

/// An engine with its last configuration. `C`: the choice of the engine to build.
pub struct ConfiguredEngine<C> {
    build: Arc<BuildEngine<C>>,
    built: Option<(Box<dyn Engine>, C)>,
    settings: Option<Settings>,
}

impl<C: Clone + PartialEq> ConfiguredEngine<C> {
    /// An engine that is not built yet.
    pub fn new(build: Arc<BuildEngine<C>>) -> ConfiguredEngine<C> {
        ConfiguredEngine { build, built: None, settings: None }
    }

    /// The engine of this choice with these settings. It is built and configured only if something
    /// changed. `remark` receives messages for the user. Also returns whether the engine has newly
    /// allocated memory.
    pub fn get(
        &mut self,
        choice: &C,
        settings: &Settings,
        remark: &mut dyn FnMut(&str),
    ) -> (&mut dyn Engine, bool) {
        if self.built.as_ref().is_none_or(|built| built.1 != *choice) {
            // The memory of the old engine is free before the new one is built.
            (self.built, self.settings) = (None, None);
        }
        let build = || ((self.build)(choice, remark), choice.clone());
        let engine = &mut *self.built.get_or_insert_with(build).0;
        let old = self.settings.replace(settings.clone());
        if old.as_ref() != Some(settings) {
            engine.configure(settings).iter().for_each(|text| remark(text));
        }
        let size = |settings: &Settings| (settings.hash_mib, settings.threads);
        (engine, old.is_none_or(|old| size(&old) != size(settings)))
    }

    /// Clears the data of the previous game, if the engine is built.
    pub fn new_game(&mut self) {
        self.built.iter_mut().for_each(|built| built.0.new_game());
    }
}
