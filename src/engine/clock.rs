//! Time management: how long to think, from clock, increment and byoyomi.
