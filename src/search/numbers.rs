//! The parameters of a searcher, each defined once. Tuning and users read the same list.

/// Converts a parameter from and to `i32`. Depths are written in plies.
macro_rules! number {
    (i32 from $number:expr) => {
        $number
    };
    (i32 to $value:expr) => {
        $value
    };
    (Depth from $number:expr) => {
        Depth::plies($number)
    };
    (Depth to $value:expr) => {
        $value.to_plies()
    };
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
            $name:ident: $kind:ident = $default:literal in $least:literal..=$greatest:literal,
        )+
    ) => {
        $(#[doc = $struct_doc])+
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub struct $Params {
            $($(#[doc = $field_doc])+ pub $field: $Field,)+
            $($(#[doc = $doc])+ pub $name: $kind,)+
        }

        impl $Params {
            /// The default parameters.
            pub const DEFAULT: $Params = $Params {
                $($field: $value,)+
                $($name: $crate::search::numbers::number!($kind from $default),)+
            };

            /// Name, minimum and maximum of each parameter.
            pub const RANGES: &[(&str, i32, i32)] =
                &[$((stringify!($name), $least, $greatest),)+];

            /// The value of the parameter `name`.
            pub fn get(&self, name: &str) -> Option<i32> {
                match name {
                    $(stringify!($name) => {
                        Some($crate::search::numbers::number!($kind to self.$name))
                    })+
                    _ => None,
                }
            }

            /// Sets the parameter `name`. Unknown names are ignored.
            pub fn set(&mut self, name: &str, number: i32) {
                match name {
                    $(stringify!($name) => {
                        self.$name = $crate::search::numbers::number!($kind from number);
                    })+
                    _ => {}
                }
            }
        }

        impl Default for $Params {
            fn default() -> $Params {
                $Params::DEFAULT
            }
        }
    };
}

pub(super) use {number, numbers};
