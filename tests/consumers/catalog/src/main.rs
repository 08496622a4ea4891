//! Consumer of `toolkit-catalog`: reads the catalog, as a program of another project would.

use toolkit_catalog::{Category, by_category, find};

fn main() {
    for category in Category::ALL {
        let count = by_category(category).count();
        assert!(count > 0);
        println!("{category:<12} {count:>3}");
    }
    let entry = find("cron-explainer").expect("it is in the catalog");
    assert_eq!("datetime".parse(), Ok(entry.category));
    assert!("weather".parse::<Category>().is_err());
}
