//! The parameters of a searcher, each defined once. Ablation and users read the same list.

/// A tunable parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TunedParameter {
    /// The name as users type it.
    pub name: &'static str,
    /// Minimum useful value.
    pub least: i32,
    /// Maximum useful value.
    pub greatest: i32,
}

/// Defines the parameter struct of a searcher from one list. Fields that are not numbers come
/// first, with their defaults.
macro_rules! numbers {
    (
        $(#[doc = $struct_doc:literal])+
        pub struct $Params:ident {
            $($(#[doc = $field_doc:literal])+ $field:ident: $Field:ty = $value:expr,)+
        }
        $(
            $(#[doc = $doc:literal])+
            $name:ident: i32 = $default:literal in $least:literal..=$greatest:literal,
        )+
    ) => {
        $(#[doc = $struct_doc])+
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub struct $Params {
            $($(#[doc = $field_doc])+ pub $field: $Field,)+
            $($(#[doc = $doc])+ pub $name: i32,)+
        }

        impl $Params {
            /// The default parameters.
            pub const DEFAULT: $Params = $Params {
                $($field: $value,)+
                $($name: $default,)+
            };

            /// All numbers with their ranges.
            pub const NUMBERS: &[$crate::search::numbers::TunedParameter] = &[$(
                $crate::search::numbers::TunedParameter {
                    name: stringify!($name),
                    least: $least,
                    greatest: $greatest,
                },
            )+];

            /// The value of the parameter `name`.
            pub fn get(&self, name: &str) -> Option<i32> {
                match name {
                    $(stringify!($name) => Some(self.$name),)+
                    _ => None,
                }
            }

            /// Sets the parameter `name`. Unknown names are ignored.
            pub fn set(&mut self, name: &str, number: i32) {
                match name {
                    $(stringify!($name) => self.$name = number,)+
                    _ => {}
                }
            }

            /// The numbers that differ from the defaults: `set=aspiration=80`.
            pub(crate) fn set_numbers(&self, defaults: &$Params) -> Vec<String> {
                let differs = |name: &&str| self.get(name) != defaults.get(name);
                let names = $Params::NUMBERS.iter().map(|number| number.name).filter(differs);
                names.filter_map(|name| Some(format!("set={name}={}", self.get(name)?))).collect()
            }
        }
    };
}

pub(crate) use numbers;
