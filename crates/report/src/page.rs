//! The page around the data: one file with its style and scripts inside.

const TEMPLATE: &str = include_str!("page/page.html");
const STYLE: &str = include_str!("page/style.css");
/// In the order of their dependencies.
const SCRIPTS: &[&str] = &[
    include_str!("page/elements.js"),
    include_str!("page/numbers.js"),
    include_str!("page/overview.js"),
    include_str!("page/charts.js"),
    include_str!("page/learning.js"),
    include_str!("page/source.js"),
    include_str!("page/bugs.js"),
    include_str!("page/tree_layout.js"),
    include_str!("page/tree.js"),
    include_str!("page/tests.js"),
    include_str!("page/solver.js"),
    include_str!("page/verdict.js"),
    include_str!("page/theme.js"),
    include_str!("page/main.js"),
];

/// The page with this title and this JSON in it.
pub(crate) fn assemble(title: &str, json: &str) -> String {
    let mut page = String::with_capacity(TEMPLATE.len() + STYLE.len() + json.len() + (1 << 17));
    let mut rest = TEMPLATE;
    // The placeholders are searched in the template alone, since the inserted text may contain anything.
    while let Some((before, after)) = rest.split_once("{{") {
        page.push_str(before);
        let Some((name, after)) = after.split_once("}}") else { break };
        match name {
            "title" => page.push_str(&escape_text(title)),
            "style" => page.push_str(STYLE),
            "data" => page.push_str(&escape_json(json)),
            "scripts" => SCRIPTS.iter().for_each(|script| page.push_str(script)),
            other => unreachable!("the template has no place for {other}"),
        }
        rest = after;
    }
    page.push_str(rest);
    page
}

/// In JSON, `<` occurs only inside strings. As an escape, it can neither end the script element nor open a comment.
fn escape_json(json: &str) -> String {
    json.replace('<', "\\u003c")
}

pub(crate) fn escape_text(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn data_cannot_end_the_script_that_holds_it() {
        let page = assemble("<b>&", r#"{"a":"</script><!--{{style}}"}"#);
        assert!(page.contains(r#"{"a":"\u003c/script>\u003c!--{{style}}"}"#));
        assert!(page.contains("<title>&lt;b>&amp;"));
        assert_eq!(page.matches("</script>").count(), 2);
    }

    #[test]
    fn the_page_names_no_other_file() {
        // The namespace of SVG is written as an address, but nothing is fetched from there.
        let page = assemble("", "{}").replace("http://www.w3.org/2000/svg", "");
        for link in ["http://", "https://", "src=", "@import", "url("] {
            assert!(!page.contains(link), "{link}");
        }
    }
}
