//! The numbers of a searcher, each in one place: tuning and users read the same list.

/// A number as its type, and back: depths are written in plies.
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

/// Makes the struct of a searcher's numbers from one list; fields that are no numbers stand in its
/// head with their defaults.
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
            /// The numbers in use.
            pub const DEFAULT: $Params = $Params {
                $($field: $value,)+
                $($name: $crate::search::numbers::number!($kind from $default),)+
            };

            /// Name, least and greatest useful value of each number.
            pub const RANGES: &[(&str, i32, i32)] =
                &[$((stringify!($name), $least, $greatest),)+];

            /// The number of this name.
            pub fn get(&self, name: &str) -> Option<i32> {
                match name {
                    $(stringify!($name) => {
                        Some($crate::search::numbers::number!($kind to self.$name))
                    })+
                    _ => None,
                }
            }

            /// Changes the number of this name. Other names are nothing here.
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
