//! Templates of HTML, and what the pages share.

/// The first lines of a head.
pub(super) const HEAD: &str = include_str!("../web/shared/head.html");
/// The buttons that walk through a game, and the one that turns the board.
pub(super) const CONTROLS: &str = include_str!("../web/shared/controls.html");
/// The board with its hands.
pub(super) const BOARD: &str = include_str!("../web/shared/board.html");
/// The style of pages with a board.
pub(super) const STYLE: &str = include_str!("../web/shared/style.css");
/// The scripts of pages with a board.
pub(super) const SCRIPTS: [&str; 7] = [
    include_str!("../web/shared/dom.js"),
    include_str!("../web/shared/board.js"),
    include_str!("../web/shared/choice.js"),
    include_str!("../web/shared/drag.js"),
    include_str!("../web/shared/walk.js"),
    include_str!("../web/shared/drawing.js"),
    include_str!("../web/shared/cursor.js"),
];

/// Fills the places `{{name}}` of a template. The values are not searched for places. Panics if a
/// place has no value, or two values have one name.
pub(super) fn fill(template: &str, values: &[(&str, &str)]) -> String {
    for (at, (name, _)) in values.iter().enumerate() {
        assert!(values[..at].iter().all(|other| other.0 != *name), "two values of {name}");
    }
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

/// JSON inside an HTML element, which no text in it can end.
pub(super) fn embedded(data: &serde_json::Value) -> String {
    data.to_string().replace('<', "\\u003c")
}

/// A text in HTML and SVG.
pub(super) fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_cannot_end_its_element() {
        let data = serde_json::json!({ "name": "</script>" });
        assert_eq!(embedded(&data), r#"{"name":"\u003c/script>"}"#);
        assert_eq!(serde_json::from_str::<serde_json::Value>(&embedded(&data)).ok(), Some(data));
    }

    #[test]
    fn places_are_filled_once() {
        let page = fill("<p>{{a}}-{{b}}</p>", &[("a", "{{b}}"), ("b", "2")]);
        assert_eq!(page, "<p>{{b}}-2</p>");
        assert_eq!(escaped("<a href=\"x\">&"), "&lt;a href=&quot;x&quot;&gt;&amp;");
    }
}
