//! Namespace scopes: the namespace of each prefix, element by element (Namespaces in XML 1.0 §2 to
//! §6).
//!
//! Every step takes time independent of the number of prefixes or attributes, so a document with
//! thousands of either is checked in linear time.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

use super::errors::Defect;
use super::name::Name;
use crate::echo::Echo;
use crate::warnings::Warnings;

/// The namespace of the prefix `xml`.
const XML: &str = "http://www.w3.org/XML/1998/namespace";
/// The namespace of the prefix `xmlns`.
const XMLNS: &str = "http://www.w3.org/2000/xmlns/";

/// Prefixes declared by the enclosing elements.
#[derive(Debug, Default)]
pub(super) struct Scope<'a> {
    declared: Vec<&'a str>,
    /// The namespaces of each prefix, the innermost last.
    namespaces: HashMap<&'a str, Vec<Cow<'a, str>>>,
    /// The first prefix that is used and not declared.
    undeclared: Option<String>,
}

/// Whether an attribute declares a namespace: `xmlns`, or `xmlns:…`.
pub(super) fn is_declaration(attribute: Name<'_>) -> bool {
    attribute.text() == "xmlns" || attribute.prefix() == "xmlns"
}

impl<'a> Scope<'a> {
    /// Number of declarations in scope, for [`Self::leave`].
    pub(super) fn mark(&self) -> usize {
        self.declared.len()
    }

    /// Ends the scope of all declarations since `mark`.
    pub(super) fn leave(&mut self, mark: usize) {
        for prefix in self.declared.drain(mark..) {
            self.namespaces.get_mut(prefix).and_then(Vec::pop);
        }
    }

    /// Adds the attribute `name`, a declaration, with its normalized value.
    pub(super) fn declare(
        &mut self,
        name: Name<'a>,
        namespace: Cow<'a, str>,
    ) -> Result<(), Defect> {
        if !name.is_prefixed() {
            // A default namespace does not affect prefixes. Only its misuse matters here.
            return match namespace.as_ref() {
                XML | XMLNS => Err(reserved(name)),
                _ => Ok(()),
            };
        }
        let prefix = name.local();
        let is_sound = match prefix {
            "xmlns" => false,
            "xml" => namespace == XML,
            _ => namespace != XML && namespace != XMLNS,
        };
        if !is_sound {
            return Err(reserved(name));
        }
        if namespace.is_empty() {
            let what = format!("{} declares an empty namespace", Echo(name.text()));
            return Err(Defect::new(what).with_hint("only `xmlns` itself may be empty"));
        }
        self.declared.push(prefix);
        self.namespaces.entry(prefix).or_default().push(namespace);
        Ok(())
    }

    /// Warns about undeclared prefixes, which are kept without a namespace.
    pub(super) fn warn(&self, warnings: &mut Warnings) {
        if let Some(prefix) = &self.undeclared {
            let prefix = Echo(prefix);
            warnings.push(format!("The prefix {prefix} is not declared; it was kept as it is."));
        }
    }

    /// Checks the prefix of an element.
    pub(super) fn check_element(&mut self, name: Name<'_>) -> Result<(), Defect> {
        if name.prefix() == "xmlns" {
            let what = format!("the element {} has the prefix `xmlns`", Echo(name.text()));
            return Err(Defect::new(what).with_hint("only attributes may have it"));
        }
        self.note(name);
        Ok(())
    }

    /// Checks that no two expanded names of an element's attributes are equal (§6.3). The error has
    /// the index of the attribute.
    pub(super) fn check_attributes(
        &mut self,
        names: impl Iterator<Item = Name<'a>>,
    ) -> Result<(), (usize, Defect)> {
        let names = names.enumerate();
        let names: Vec<_> =
            names.filter(|(_, name)| name.is_prefixed() && !is_declaration(*name)).collect();
        for (_, name) in &names {
            self.note(*name);
        }
        let mut seen = HashSet::new();
        for (index, name) in names {
            // A prefix that is not declared is its own namespace.
            let namespace = self.namespace(name).unwrap_or(name.prefix());
            if !seen.insert((namespace, name.local())) {
                let name = Echo(name.text());
                let what = format!(
                    "the attribute {name} is repeated under another prefix of its namespace"
                );
                return Err((index, Defect::new(what)));
            }
        }
        Ok(())
    }

    /// The namespace of a prefixed name, if its prefix is declared.
    fn namespace(&self, name: Name<'_>) -> Option<&str> {
        let namespaces = self.namespaces.get(name.prefix());
        match namespaces.and_then(|namespaces| namespaces.last()) {
            Some(namespace) => Some(namespace),
            None if name.prefix() == "xml" => Some(XML),
            None => None,
        }
    }

    /// Remembers the first prefix that is not declared.
    fn note(&mut self, name: Name<'_>) {
        if name.is_prefixed() && self.undeclared.is_none() && self.namespace(name).is_none() {
            self.undeclared = Some(name.prefix().to_owned());
        }
    }
}

/// Checks that no attribute is repeated as written (XML 1.0 §3.1). The error has the index of the
/// attribute.
pub(super) fn check_repeated<'a>(
    names: impl ExactSizeIterator<Item = Name<'a>>,
) -> Result<(), (usize, Defect)> {
    if names.len() < 2 {
        return Ok(());
    }
    let mut seen = HashSet::new();
    for (index, name) in names.enumerate() {
        if !seen.insert(name.text()) {
            let what = format!("the attribute {} is repeated", Echo(name.text()));
            return Err((index, Defect::new(what)));
        }
    }
    Ok(())
}

/// A declaration that rebinds a reserved prefix or namespace.
fn reserved(name: Name<'_>) -> Defect {
    let what = format!("{} redefines a reserved prefix or namespace", Echo(name.text()));
    Defect::new(what).with_hint("`xml` and `xmlns` keep the meaning that the standard gives them")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scope_with<'a>(declarations: &[(&'a str, &'a str)]) -> Result<Scope<'a>, Defect> {
        let mut scope = Scope::default();
        for (name, namespace) in declarations {
            scope.declare(Name::new(name)?, Cow::Borrowed(namespace))?;
        }
        Ok(scope)
    }

    fn check(scope: &mut Scope<'_>, names: &[&'static str]) -> Result<(), usize> {
        let names = names.iter().map(|name| Name::new(name).unwrap());
        let checked = check_repeated(names.clone()).and_then(|()| scope.check_attributes(names));
        checked.map_err(|(index, _)| index)
    }

    #[test]
    fn reserved_prefixes_keep_their_meaning() {
        for (name, namespace, is_sound) in [
            ("xmlns", "", true),
            ("xmlns", "urn:a", true),
            ("xmlns", XML, false),
            ("xmlns", XMLNS, false),
            ("xmlns:a", "urn:a", true),
            ("xmlns:a", "", false),
            ("xmlns:a", XML, false),
            ("xmlns:a", XMLNS, false),
            ("xmlns:xml", XML, true),
            ("xmlns:xml", "urn:a", false),
            ("xmlns:xmlns", XMLNS, false),
            ("xmlns:xml2", "urn:a", true),
        ] {
            assert_eq!(scope_with(&[(name, namespace)]).is_ok(), is_sound, "{name}={namespace}");
        }
    }

    #[test]
    fn a_prefix_that_is_not_declared_is_warned_about_but_for_xml() {
        for (name, undeclared) in [("x", None), ("a:x", None), ("xml:x", None), ("b:x", Some("b"))]
        {
            let mut scope = scope_with(&[("xmlns:a", "urn:a")]).unwrap();
            assert!(scope.check_element(Name::new(name).unwrap()).is_ok(), "{name}");
            assert_eq!(scope.undeclared.as_deref(), undeclared, "{name}");
            assert_eq!(check(&mut scope, &["x", "b:y", "c:y", "a:y"]), Ok(()));
            assert_eq!(scope.undeclared.as_deref(), Some("b"), "{name}");
            assert!(scope.check_element(Name::new("xmlns:x").unwrap()).is_err());
        }
    }

    #[test]
    fn attributes_are_unique_as_written_and_by_namespace() {
        let scope = scope_with(&[("xmlns:a", "urn:1"), ("xmlns:b", "urn:1"), ("xmlns:c", "urn:2")]);
        let mut scope = scope.unwrap();
        assert_eq!(check(&mut scope, &["x", "y", "a:x", "c:x", "xmlns:x"]), Ok(()));
        assert_eq!(check(&mut scope, &["x", "y", "x"]), Err(2));
        assert_eq!(check(&mut scope, &["a:x", "a:x"]), Err(1));
        assert_eq!(check(&mut scope, &["a:x", "y", "b:x"]), Err(2));
    }

    #[test]
    fn many_attributes_are_checked_like_few() {
        let names: Vec<String> = (0..100).map(|number| format!("a:n{number}")).collect();
        let with = |extra: &str| {
            let mut scope = scope_with(&[("xmlns:a", "urn:1"), ("xmlns:b", "urn:1")]).unwrap();
            let names = names.iter().map(String::as_str).chain([extra]);
            let names: Vec<_> = names.map(|name| Name::new(name).unwrap()).collect();
            let names = names.iter().copied();
            let checked =
                check_repeated(names.clone()).and_then(|()| scope.check_attributes(names));
            checked.map_err(|(index, _)| index)
        };
        assert_eq!(with("b:other"), Ok(()));
        assert_eq!(with("a:n7"), Err(100));
        assert_eq!(with("b:n7"), Err(100));
    }

    #[test]
    fn an_inner_declaration_hides_the_outer_one_until_it_ends() {
        let many: Vec<String> = (0..20).map(|number| format!("xmlns:n{number}")).collect();
        for filler in [&many[..0], &many[..]] {
            let mut scope = scope_with(&[("xmlns:a", "urn:1"), ("xmlns:b", "urn:2")]).unwrap();
            for name in filler {
                scope.declare(Name::new(name).unwrap(), "urn:x".into()).unwrap();
            }
            assert_eq!(check(&mut scope, &["a:x", "b:x"]), Ok(()));
            let mark = scope.mark();
            scope.declare(Name::new("xmlns:a").unwrap(), "urn:2".into()).unwrap();
            assert_eq!(check(&mut scope, &["a:x", "b:x"]), Err(1));
            scope.leave(mark);
            assert_eq!(check(&mut scope, &["a:x", "b:x"]), Ok(()));
        }
    }
}
