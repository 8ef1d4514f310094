// The verdict of `secateur verify`: what it is restricted to, and why it is unknown.

function verdictSection(data, source) {
  const { verdict, reasons = [], scope = [] } = data.summary;
  if (verdict === undefined) return null;
  const rows = reasons.map((reason) => element("tr", null,
    element("td", null, reason.line === 0 ? "" : placeLink(source, reason.file, reason.line, null)),
    element("td", null, reason.function === "" ? "" : element("code", null, reason.function)),
    element("td", null, reason.why),
    element("td", { class: "number" }, grouped(reason.paths))));
  return section("verdict", "Verdict",
    element("p", { class: `verdict ${verdict.toLowerCase()}` }, element("strong", null, verdict), ` ${VERDICTS[verdict]}`),
    scope.length === 0 ? null : element("ul", { class: "scope note", "aria-label": "Scope" }, ...scope.map((line) => element("li", null, line))),
    rows.length === 0 ? null : table("Why the verdict is unknown", ["Where", "Function", "Why", "Paths"], rows));
}

const VERDICTS = {
  VERIFIED: "No input makes a check fail, within this scope.",
  BUG: "A check fails, on the native program, too.",
  UNKNOWN: "Neither a bug nor its absence could be shown, for these reasons.",
};
