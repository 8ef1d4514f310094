// The bugs: the message, the input that shows it, the calls that led there, and the command that replays it.

function bugList(data, source) {
  if (data.bugs.length === 0) return null;
  return section("bugs", "Bugs", ...data.bugs.map((bug, index) => bugArticle(bug, index, source)));
}

function bugArticle(bug, index, source) {
  const kind = element("span", { class: "kind" }, bug.kind);
  const cwe = bug.cwe === null ? null : element("span", { class: "note" }, `CWE-${bug.cwe}`);
  return element("article", { class: "bug", id: `bug-${index + 1}`, "aria-labelledby": `bug-${index + 1}-title` },
    element("header", null, kind, placeLink(source, bug.file, bug.line, "place"), cwe),
    element("h3", { id: `bug-${index + 1}-title` }, bug.message),
    element("p", { class: "note" }, bug.description),
    bug.needs && element("p", { class: "note" }, `It ${bug.needs}.`),
    element("p", { class: "note native" }, nativeNote(bug)),
    element("div", { class: "halves" },
      element("div", null, element("h4", null, "Input"), inputTable(bug)),
      element("div", null, element("h4", null, "Calls, innermost first"), callList(bug.stack, source))),
    element("h4", null, "Replay it natively"),
    command(bug.replay));
}

function nativeNote(bug) {
  if (bug.confirmed === true) return `Confirmed: the native program shows it (${bug.native}).`;
  if (bug.confirmed === false) return `Not confirmed: the native program does not show it (${bug.native}).`;
  return "Not checked natively.";
}

function inputTable(bug) {
  if (bug.inputs.length === 0) return element("p", { class: "note" }, `The program has no input here. Test: ${bug.test}`);
  const rows = bug.inputs.map((input) => element("tr", null,
    element("td", null, [input.from, input.name].filter(Boolean).join(" ")),
    element("td", null, element("code", null, input.value),
      input.bytes === input.value ? null : element("span", { class: "bytes" }, input.bytes))));
  return element("div", null, table("Input that shows the bug", ["From", "Value"], rows), element("p", { class: "note" }, bug.test));
}

function callList(stack, source) {
  return element("ol", { class: "calls" }, ...stack.map((frame) => element("li", null,
    element("code", null, frame.function), " ", placeLink(source, frame.file, frame.line, "note"))));
}

/** A link to a line of the source, if it is shown on this page. */
function placeLink(source, file, line, style) {
  if (line === 0) return element("span", { class: style }, "unknown place");
  const text = `${source.names.get(file) ?? shortName(file)}:${line}`;
  const index = source.indexOf(file);
  if (index < 0) return element("span", { class: style, title: file }, text);
  return element("a", { class: style, href: `#source/${index}/${line}`, title: file }, text);
}
