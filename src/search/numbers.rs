//! The parameters of a searcher, each defined once. Ablation and users read the same list.

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
            pub const NUMBERS: &[$crate::search::TunedParameter] = &[$(
                $crate::search::TunedParameter {
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

            /// Sets a parameter by a text, such as `aspiration=80`.
            pub(super) fn set_number(&mut self, change: &str) -> Result<(), $crate::search::SpecError> {
                let (name, value) =
                    $crate::search::TunedParameter::parse_change($Params::NUMBERS, change)?;
                self.set(name, value);
                Ok(())
            }

            /// The numbers that differ from the defaults: `set=aspiration=80`.
            pub(super) fn set_numbers(&self, defaults: &$Params) -> Vec<String> {
                let differs = |name: &&str| self.get(name) != defaults.get(name);
                let names = $Params::NUMBERS.iter().map(|number| number.name).filter(differs);
                names.filter_map(|name| Some(format!("set={name}={}", self.get(name)?))).collect()
            }
        }
    };
}

pub(crate) use numbers;
