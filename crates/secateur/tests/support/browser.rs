//! Opens pages in headless Chromium, which `scripts/setup.sh` installs.
//!
//! A test adds a script to a copy of the page. It runs when the page is complete, and its result comes back as JSON in
//! the document, which Chromium prints. Time is virtual: Chromium waits only for the work of the page.

use std::path::Path;
use std::process::Command;

use serde_json::Value;

/// Runs the body of an asynchronous function in the page and returns its result. The page's console must have no
/// errors.
#[track_caller]
pub fn ask(page: &Path, script: &str) -> Value {
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    let html = std::fs::read_to_string(page).unwrap_or_else(|error| panic!("cannot read {}: {error}", page.display()));
    let (start, end) = html.rsplit_once("</body>").expect("the page is complete");
    let copy = folder.path().join("page.html");
    std::fs::write(
        &copy,
        format!("{start}<script type=\"module\">{HELPERS}{ANSWER_BEFORE}{script}{ANSWER_AFTER}</script></body>{end}"),
    )
    .expect("there is room for a copy of the page");
    let output = Command::new("chromium")
        .args(FLAGS)
        .arg(format!("--user-data-dir={}", folder.path().join("profile").display()))
        .arg(format!("file://{}", copy.display()))
        .output()
        .unwrap_or_else(|error| panic!("cannot run chromium, which scripts/setup.sh installs: {error}"));
    let said = String::from_utf8_lossy(&output.stderr);
    let console: Vec<&str> = said.lines().filter(|line| line.contains("CONSOLE")).collect();
    assert!(console.is_empty(), "the console of the page says: {}", console.join("\n"));
    let document = String::from_utf8_lossy(&output.stdout);
    let answer = document
        .rsplit_once("<pre id=\"answer\">")
        .and_then(|(_, rest)| rest.split_once("</pre>"))
        .unwrap_or_else(|| panic!("the script gave no answer; chromium ended with {} and says: {said}", output.status));
    let text = answer.0.replace("&lt;", "<").replace("&gt;", ">").replace("&nbsp;", "\u{a0}").replace("&amp;", "&");
    let answer: Value = serde_json::from_str(&text).unwrap_or_else(|error| panic!("{error}: {text}"));
    assert!(answer.get("failure").is_none(), "{answer}");
    answer
}

const FLAGS: &[&str] = &[
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--enable-logging=stderr",
    "--window-size=1280,900",
    "--virtual-time-budget=20000",
    "--dump-dom",
];

/// What the scripts of tests may use: an element, the text of an element, a key press, and waiting for a condition.
const HELPERS: &str = r#"
const one = (selector) => document.querySelector(selector) ?? (() => { throw new Error(`no ${selector}`); })();
const text = (selector) => one(selector).textContent;
const press = (selector, key) => one(selector).dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
const until = async (holds) => {
  for (let tries = 0; tries < 100 && !holds(); tries++) await new Promise((resume) => setTimeout(resume, 20));
};
"#;
const ANSWER_BEFORE: &str = "const answer = async () => {\n";
const ANSWER_AFTER: &str = r#"
};
const show = (value) => {
  const place = document.createElement("pre");
  place.id = "answer";
  place.textContent = JSON.stringify(value);
  document.body.append(place);
};
await until(() => document.documentElement.dataset.ready === "true");
answer().then(show, (error) => show({ failure: String(error) }));
"#;
