//! Integration tests, one module per subject, linked once.

mod evaluation;
