//! regex_tester
