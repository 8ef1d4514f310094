//! The page of `secateur reach`: a part for each target, with its answer, its proof or obstacles, and its backward
//! path.

use std::fmt::Write;

use secateur_suite::reach::{PathStep, ReachReport, TargetAnswer};
use secateur_suite::{OutDir, OutError};

use crate::page::escape_text;

/// The name of the page in the output folder.
pub const REACH_REPORT: &str = "reach.html";

const STYLE: &str = "body{font:15px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem}\
    section{border-top:1px solid #8888;margin-top:1.5rem}code{font-family:ui-monospace,monospace}\
    .reached{color:#0a7d33}.unreachable{color:#1f5fbf}.unknown{color:#a15c00}table{border-collapse:collapse}\
    td,th{padding:.15rem .8rem .15rem 0;text-align:left;vertical-align:top}:root{color-scheme:light dark}";

/// Writes the page.
pub fn write_reach(out: &OutDir, report: &ReachReport) -> Result<(), OutError> {
    out.write(REACH_REPORT, page(report).as_bytes())
}

fn page(report: &ReachReport) -> String {
    let title = format!("Secateur reach: {}", report.program.join(" "));
    let mut page = format!(
        "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><title>{0}</title><style>{STYLE}</style><h1>{0}</h1><ul>",
        escape_text(&title)
    );
    // Writing to a string cannot fail.
    for (number, answer) in report.targets.iter().enumerate() {
        let _ = write!(page, "<li><a href=\"#t{number}\">{}</a>: {}", escape_text(&answer.target), verdict(answer));
    }
    page.push_str("</ul>");
    for (number, answer) in report.targets.iter().enumerate() {
        let _ = section(&mut page, number, answer);
    }
    for sentence in &report.scope {
        let _ = write!(page, "<p>Scope: {}</p>", escape_text(sentence));
    }
    page.push_str("</html>\n");
    page
}

fn verdict(answer: &TargetAnswer) -> String {
    format!("<b class=\"{0}\">{0}</b>", answer.verdict)
}

fn section(page: &mut String, number: usize, answer: &TargetAnswer) -> std::fmt::Result {
    write!(page, "<section id=\"t{number}\"><h2>{}</h2><p>{}", escape_text(&answer.target), verdict(answer))?;
    if let Some(test) = &answer.test {
        let native = match answer.confirmed {
            Some(true) => "confirmed natively",
            Some(false) => "refuted natively",
            None => "not run natively",
        };
        write!(page, " by <a href=\"{0}\">{0}</a>, {native}", escape_text(test))?;
    }
    if !answer.way.is_empty() {
        write!(page, " ({})", escape_text(&answer.way))?;
    }
    page.push_str("</p><table>");
    for (name, value) in [
        ("segments", answer.segments),
        ("backward steps", answer.steps),
        ("deferred values", answer.deferred),
        ("inputs run to find them", answer.evaluations),
        ("forward paths", answer.paths),
    ] {
        write!(page, "<tr><th>{name}<td>{value}")?;
    }
    write!(page, "<tr><th>time<td>{:.2} s</table>", answer.time)?;
    list(page, "Because", answer.because.iter().map(|sentence| escape_text(sentence)))?;
    let reason = |reason: &secateur_suite::summary::Reason| {
        let place = if reason.line == 0 { String::new() } else { format!("{}:{}: ", reason.file, reason.line) };
        escape_text(&format!("{place}{}", reason.why))
    };
    list(page, "In the way", answer.reasons.iter().map(reason))?;
    let step = |PathStep { place, conditions }: &PathStep| {
        let conditions: Vec<String> =
            conditions.iter().map(|condition| format!("<code>{}</code>", escape_text(condition))).collect();
        let needs = if conditions.is_empty() { String::new() } else { format!(" with {}", conditions.join(", ")) };
        format!("{}{needs}", escape_text(place))
    };
    list(page, "Backward path, from the target to the start", answer.path.iter().map(step))?;
    page.push_str("</section>");
    Ok(())
}

fn list(page: &mut String, title: &str, items: impl ExactSizeIterator<Item = String>) -> std::fmt::Result {
    if items.len() == 0 {
        return Ok(());
    }
    write!(page, "<h3>{title}</h3><ol>")?;
    for item in items {
        write!(page, "<li>{item}")?;
    }
    page.push_str("</ol>");
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_comes_from_the_program_is_text() {
        let step = PathStep { place: "a.c:1".to_string(), conditions: vec!["x < <script>".to_string()] };
        let answer = TargetAnswer { path: vec![step], ..TargetAnswer::unknown("a<b", Vec::new()) };
        let page = page(&ReachReport { targets: vec![answer], ..ReachReport::default() });
        assert!(page.contains("a&lt;b") && page.contains("x &lt; &lt;script>") && !page.contains("<script"));
    }
}
