// What the solver did, rung by rung, and how the run was set up.

function solverTable(data) {
  const { solver } = data.summary;
  const longest = Math.max(...solver.rungs.map((rung) => rung.time), Number.EPSILON);
  const rows = solver.rungs.filter((rung) => rung.asked > 0).map((rung) => element("tr", null,
    element("th", { scope: "row" }, rung.name),
    element("td", { class: "number" }, grouped(rung.asked)),
    element("td", { class: "number" }, grouped(rung.answered)),
    element("td", { class: "number" }, seconds(rung.time)),
    element("td", { class: "meter" }, element("span", { class: "covered", style: `width: ${(rung.time * 100 / longest).toFixed(1)}%` }))));
  const note = solver.queries === 0
    ? "No question was asked."
    : `${counted(solver.queries, "question")} in ${seconds(solver.time)}. Each climbs the rungs until one of them answers.`;
  const refuted = solver.refuted_by_path === 0
    ? ""
    : ` ${counted(solver.refuted_by_path, "side")} needed no question: what the path knows refutes them.`;
  return section("solver", "Solver",
    element("p", { class: "note" }, note + refuted),
    rows.length === 0 ? null : table("Solver time by rung", ["Rung", "Asked", "Answered", "Time", ""], rows));
}

function details(data) {
  const { summary } = data;
  const options = Object.entries(summary.options).map(([name, value]) => [`--${name}`, Array.isArray(value) ? value.join(",") || "default" : String(value)]);
  const rows = [
    ["Program", summary.program.join(" ")],
    ["Stopped", summary.stopped],
    ["Instructions", grouped(summary.instructions)],
    ["Infeasible sides tried", grouped(summary.paths.infeasible)],
    ...options,
  ].map(([name, value]) => element("tr", null, element("th", { scope: "row" }, name), element("td", null, value)));
  const unsupported = data.unsupported.map((entry) => element("tr", null,
    element("td", null, entry.what), element("td", null, entry.at), element("td", { class: "number" }, grouped(entry.paths))));
  return section("run", "Run",
    table("How the run was set up", ["", ""], rows),
    unsupported.length === 0 ? null : element("h3", null, "Unsupported"),
    unsupported.length === 0 ? null : table("What could not be modelled", ["What", "Where", "Paths"], unsupported),
    element("h3", null, "Replay all tests natively"),
    command(data.replay));
}
