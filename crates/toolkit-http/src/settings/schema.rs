//! The list of all settings, read off the types themselves: their names, their documentation, their
//! defaults, and what they accept.
//!
//! The loader, the reference page, the example file and `config check` all work from this one list,
//! so that none of them can know a setting that another does not.

mod ordered;

use std::sync::LazyLock;

use schemars::generate::SchemaSettings;
use serde_json::Value;

use self::ordered::Ordered;
use super::Settings;
use super::llm::Provider;

/// A section of the settings file.
pub(super) struct Section {
    /// Its name in the file.
    pub(super) name: String,
    /// What it is about.
    pub(super) description: String,
    /// Its keys, in the order of the struct.
    pub(super) keys: Vec<Key>,
}

/// A key of a section.
pub(super) struct Key {
    /// Its name in the file.
    pub(super) name: String,
    /// What it accepts.
    pub(super) kind: Kind,
    /// What its texts look like.
    pub(super) accepts: Option<String>,
    /// Whether it may be left unset.
    pub(super) optional: bool,
    /// Whether it must be given.
    pub(super) required: bool,
    /// Whether its value must never be shown.
    pub(super) secret: bool,
    /// What it means.
    pub(super) description: String,
    /// Its default, where that is a value.
    pub(super) default: Option<Value>,
    /// Its default, where that follows from something else.
    pub(super) default_note: Option<String>,
    /// What it may look like.
    pub(super) example: Option<Value>,
}

impl Key {
    /// What it accepts, as it stands after "expected".
    pub(super) fn expected(&self) -> String {
        match (&self.kind, &self.accepts) {
            (Kind::Text, Some(accepts)) => accepts.clone(),
            (Kind::Text, None) => "a text".to_owned(),
            (Kind::List, Some(accepts)) => format!("a list of {accepts}"),
            (Kind::List, None) => "a list of texts".to_owned(),
            (Kind::Choice(words), _) => format!("one of {}", words.join(", ")),
            (Kind::Flag, _) => "true or false".to_owned(),
            (Kind::Integer { min, max }, _) => format!("a whole number from {min} to {max}"),
            (Kind::Tables(_), _) => "a list of tables".to_owned(),
        }
    }
}

/// What a key accepts, before its own rules.
pub(super) enum Kind {
    /// A text.
    Text,
    /// One of these words.
    Choice(Vec<String>),
    /// `true` or `false`.
    Flag,
    /// A whole number within bounds.
    Integer {
        /// The least.
        min: i64,
        /// The greatest.
        max: i64,
    },
    /// A list of texts.
    List,
    /// A list of tables with these keys.
    Tables(Vec<Key>),
}

/// All sections, in the order of the struct.
pub(super) fn sections() -> &'static [Section] {
    static SECTIONS: LazyLock<Vec<Section>> = LazyLock::new(read_sections);
    &SECTIONS
}

/// Finds a key.
pub(super) fn key(section: &str, key: &str) -> Option<&'static Key> {
    let section = sections().iter().find(|known| known.name == section)?;
    section.keys.iter().find(|known| known.name == key)
}

fn read_sections() -> Vec<Section> {
    let schema = SchemaSettings::draft2020_12()
        .with(|settings| settings.inline_subschemas = true)
        .into_generator()
        .into_root_schema_for::<Settings>()
        .to_value();
    let section = |(name, defaults): (String, Ordered)| {
        let schema = at(at(&schema, "properties"), &name);
        Section {
            description: text(schema, "description"),
            keys: read_keys(schema, defaults),
            name,
        }
    };
    Ordered::of(&Settings::default())
        .into_members()
        .into_iter()
        .map(section)
        .collect()
}

fn read_keys(schema: &Value, defaults: Ordered) -> Vec<Key> {
    let required = |name: &str| {
        let names = at(schema, "required").as_array();
        names.is_some_and(|names| names.iter().any(|known| known == name))
    };
    let key = |(name, default): (String, Ordered)| {
        let required = required(&name);
        read_key(
            name,
            at(schema, "properties"),
            default.into_value(),
            required,
        )
    };
    defaults.into_members().into_iter().map(key).collect()
}

fn read_key(name: String, properties: &Value, default: Value, required: bool) -> Key {
    let schema = at(properties, &name);
    Key {
        kind: read_kind(schema),
        accepts: at(schema, "x-accepts")
            .as_str()
            .or_else(|| at(at(schema, "items"), "x-accepts").as_str())
            .map(ToOwned::to_owned),
        optional: default.is_null(),
        required,
        secret: at(schema, "writeOnly") == true,
        description: text(schema, "description"),
        default: (!default.is_null() && !required).then_some(default),
        default_note: at(schema, "x-default").as_str().map(ToOwned::to_owned),
        example: at(schema, "examples").get(0).cloned(),
        name,
    }
}

fn read_kind(schema: &Value) -> Kind {
    let choices = choices(schema);
    if !choices.is_empty() {
        return Kind::Choice(choices);
    }
    // An optional key has two types, of which `null` is one.
    let is = |name: &str| match at(schema, "type") {
        Value::Array(names) => names.iter().any(|known| known == name),
        known => known == name,
    };
    if is("boolean") {
        Kind::Flag
    } else if is("integer") {
        let bound = |name: &str, otherwise| at(schema, name).as_i64().unwrap_or(otherwise);
        Kind::Integer {
            min: bound("minimum", 0),
            max: bound("maximum", i64::MAX),
        }
    } else if is("array") && at(at(schema, "items"), "type") == "object" {
        Kind::Tables(read_keys(
            at(schema, "items"),
            Ordered::of(&Provider::bare()),
        ))
    } else if is("array") {
        Kind::List
    } else {
        Kind::Text
    }
}

fn choices(schema: &Value) -> Vec<String> {
    let branches = ["oneOf", "anyOf"]
        .iter()
        .filter_map(|name| at(schema, name).as_array())
        .flatten();
    let mut words: Vec<_> = branches.flat_map(choices).collect();
    words.extend(at(schema, "const").as_str().map(ToOwned::to_owned));
    words
}

/// The member of an object; null where there is none.
fn at<'a>(value: &'a Value, name: &str) -> &'a Value {
    value.get(name).unwrap_or(&Value::Null)
}

fn text(schema: &Value, name: &str) -> String {
    // A paragraph of a doc comment is one line for readers of the reference.
    at(schema, name)
        .as_str()
        .unwrap_or_default()
        .replace('\n', " ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_section_and_key_is_documented() {
        for section in sections() {
            assert!(section.description.ends_with('.'), "{}", section.name);
            for key in &section.keys {
                assert!(
                    key.description.ends_with('.'),
                    "{}.{}",
                    section.name,
                    key.name
                );
            }
        }
    }

    #[test]
    fn a_key_that_may_be_unset_shows_what_it_looks_like() {
        for section in sections() {
            for key in section.keys.iter().filter(|key| key.optional) {
                assert!(key.example.is_some(), "{}.{}", section.name, key.name);
            }
        }
    }

    #[test]
    fn sections_and_keys_stand_in_the_order_of_their_structs() {
        let names: Vec<_> = sections()
            .iter()
            .map(|section| section.name.as_str())
            .collect();
        assert_eq!(names[..4], ["api", "mcp", "public", "http"]);
        let names: Vec<_> = sections()[0]
            .keys
            .iter()
            .map(|key| key.name.as_str())
            .collect();
        assert_eq!(names, ["bind", "admin_bind"]);
    }

    #[test]
    fn kinds_and_bounds_come_from_the_types() {
        assert!(matches!(
            key("limits", "run_burst").unwrap().kind,
            Kind::Integer { min: 1, .. }
        ));
        assert!(matches!(
            key("http", "workers").unwrap().kind,
            Kind::Integer { min: 1, max: 512 }
        ));
        assert!(matches!(
            key("flags", "ai_enabled").unwrap().kind,
            Kind::Flag
        ));
        assert!(matches!(
            key("http", "trusted_proxies").unwrap().kind,
            Kind::List
        ));
        assert!(matches!(
            key("mcp", "allowed_hosts").unwrap().kind,
            Kind::List
        ));
        assert!(matches!(
            key("llm", "providers").unwrap().kind,
            Kind::Tables(_)
        ));
        assert!(
            matches!(&key("log", "format").unwrap().kind, Kind::Choice(words) if words == &["text", "json"])
        );
        assert!(key("turnstile", "secret").unwrap().secret);
        assert!(!key("database", "url").unwrap().secret);
    }
}
