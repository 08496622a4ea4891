//! cidr_calculator
