// The result at a glance: one sentence and a few figures.

function overview(data) {
  const { summary, files } = data;
  const { branches, lines } = summary.coverage;
  const sides = { covered: branches.covered, infeasible: 0, open: 0 };
  for (const side of files.flatMap((file) => file.branches).flatMap((branch) => branch.sides)) {
    if (side.status === "infeasible") sides.infeasible += 1;
  }
  sides.open = branches.total - sides.covered - sides.infeasible;
  const { paths } = summary;
  const ended = paths.completed + paths.assumed + paths.limited + paths.unsupported;
  const bugs = summary.bugs.length;
  return element("section", { id: "overview", "aria-labelledby": "overview-title" },
    element("p", { class: "eyebrow" }, summary.program.map(shortName).join(" ")),
    element("h1", { id: "overview-title" }, headline(summary, data.sentence)),
    element("dl", { class: "figures" },
      figure("Branches", percent(branches), branchNote(summary.coverage), "branches"),
      figure("Lines", percent(lines), `${grouped(lines.covered)} of ${grouped(lines.total)}`, "lines"),
      figure("Bugs", grouped(bugs), bugNote(summary.bugs), "bugs", bugs > 0 ? "bad" : null),
      figure("Paths", grouped(ended), pathNote(paths), "paths"),
      figure("Tests", grouped(summary.tests), "each replayable", "tests"),
      figure("Time", seconds(summary.time), `${bytes(summary.peak_memory)} of memory at most`, "time")),
    sideBar(sides));
}

/** Libraries have functions that the program never calls. */
function branchNote({ branches, reachable }) {
  const all = `${grouped(branches.covered)} of ${grouped(branches.total)} sides`;
  return !reachable || reachable.total >= branches.total ? all
    : `${all}; ${percent(reachable)} of ${grouped(reachable.total)} in functions that can be called`;
}

function bugNote(bugs) {
  if (bugs.length === 0) return "none found";
  if (bugs.some((bug) => bug.confirmed === null)) return "listed below";
  return `${grouped(bugs.filter((bug) => bug.confirmed).length)} confirmed natively`;
}

function headline(summary, sentence) {
  const bugs = summary.bugs.length;
  const found = bugs === 0 ? "No bug found" : `${counted(bugs, "bug")} found`;
  return `${found}; ${sentence}.`;
}

function pathNote(paths) {
  const parts = [
    [paths.assumed, "ended by an assumption"],
    [paths.subsumed, "subsumed"],
    [paths.limited, "stopped at a limit"],
    [paths.unsupported, "unsupported"],
    [paths.unknown, "given up"],
    [paths.pending, "not tried"],
    ...Object.entries(paths.pruned).map(([name, number]) => [number, `pruned by ${name}`]),
  ].filter(([number]) => number > 0);
  return parts.length === 0 ? "all to their end" : parts.map(([number, what]) => `${grouped(number)} ${what}`).join(", ");
}

function figure(name, value, note, id, tone = null) {
  return element("div", { class: tone, id: `figure-${id}` },
    element("dt", null, name),
    element("dd", null, element("strong", null, value), element("span", null, note)));
}

/** How the sides of all branches divide. */
function sideBar(sides) {
  const parts = [["covered", "covered"], ["infeasible", "proved infeasible"], ["open", "unknown"]]
    .map(([status, text]) => ({ status, text, number: sides[status] }))
    .filter((part) => part.number > 0);
  if (parts.length === 0) return null;
  return element("div", { class: "sides" },
    element("div", { class: "stack", "aria-hidden": "true" },
      ...parts.map((part) => element("span", { class: part.status, style: `flex-grow: ${part.number}` }))),
    element("ul", { class: "legend", "aria-label": "Sides of branches" },
      ...parts.map((part) => element("li", null,
        element("i", { class: part.status, "aria-hidden": "true" }, GLYPHS[part.status]),
        `${grouped(part.number)} ${part.text}`))));
}
