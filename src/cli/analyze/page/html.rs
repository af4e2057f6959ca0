//! Templates of HTML.

/// Fills the places `{{name}}` of a template. The values are not searched for places. Panics if a
/// place has no value.
pub(super) fn fill(template: &str, values: &[(&str, &str)]) -> String {
    let mut parts = template.split("{{");
    let mut page = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (name, rest) = part.split_once("}}").expect("a place is closed");
        let value = values.iter().find(|value| value.0 == name).expect("a place has a value");
        page += value.1;
        page += rest;
    }
    page
}

/// A text in HTML and SVG.
pub(in crate::cli::analyze) fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_filled_once() {
        let page = fill("<p>{{a}}-{{b}}</p>", &[("a", "{{b}}"), ("b", "2")]);
        assert_eq!(page, "<p>{{b}}-2</p>");
        assert_eq!(escaped("<a href=\"x\">&"), "&lt;a href=&quot;x&quot;&gt;&amp;");
    }
}
