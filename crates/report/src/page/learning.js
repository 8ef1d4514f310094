// What a run with --learn has learned: features with their weights, what each round gained, and how many alternatives
// were pending.

const MOST_FEATURES = 40;

function learningSection(data) {
  const { learning } = data.summary;
  if (!learning) return null;
  const pruned = learning.rounds.filter((round) => round.prunes);
  const gained = (rounds) => rounds.reduce((sum, round) => sum + round.branches, 0);
  const known = learning.features.filter((feature) => feature.uses > 0);
  const note = `${counted(learning.rounds.length, "round")}, ${grouped(pruned.length)} of which dropped alternatives. ` +
    `These were the first to take ${grouped(gained(pruned))} of ${grouped(gained(learning.rounds))} branch outcomes.`;
  return section("learning", "Learning",
    element("p", { class: "note" }, note),
    liveChart(data.timeline),
    element("h3", null, "Features"),
    known.length === 0
      ? element("p", { class: "note" }, "No feature has led to a useful test yet.")
      : table("Features with the mean weight that led to useful tests", ["Weight", "", "Condition on the input", "Uses"],
        strongest(known).map(featureRow)),
    element("h3", null, "Rounds"),
    table("What each round gained", ["Round", "Order", "Drops", "Paths", "Branches gained", "Features", "Kept"],
      learning.rounds.map(roundRow)));
}

/** The features with the largest weights, positive or negative, from the highest to the lowest. */
function strongest(features) {
  const sorted = [...features].sort((a, b) => Math.abs(b.weight) - Math.abs(a.weight));
  return sorted.slice(0, MOST_FEATURES).sort((a, b) => b.weight - a.weight);
}

function featureRow(feature) {
  const tone = feature.weight < 0 ? "open" : "covered";
  return element("tr", null,
    element("td", { class: "number" }, `${feature.weight < 0 ? "−" : "+"}${Math.abs(feature.weight).toFixed(2)}`),
    element("td", { class: "meter" }, element("span", { class: tone, style: `width: ${(Math.abs(feature.weight) * 100).toFixed(1)}%` })),
    element("th", { scope: "row" }, feature.text),
    element("td", { class: "number" }, grouped(feature.uses)));
}

function roundRow(round, index) {
  return element("tr", null,
    element("th", { scope: "row" }, String(index + 1)),
    element("td", null, round.order),
    element("td", null, round.prunes ? `${Math.round(round.ratio * 100)}% at a time` : "nothing"),
    element("td", { class: "number" }, grouped(round.paths)),
    element("td", { class: "number" }, grouped(round.branches)),
    element("td", { class: "number" }, grouped(round.features)),
    element("td", { class: "number" }, round.prunes ? `${Math.round(round.kept * 100)}%` : ""));
}

/** Without learning, what was dropped would still be pending. */
function liveChart(samples) {
  if (samples.time.length < 2) return null;
  const whole = (value) => grouped(Math.round(value));
  return element("div", { class: "charts" },
    chart("Pending sides with and without dropping", samples.time, [
      { name: "pending", values: samples.pending, tone: "covered" },
      { name: "with those dropped", values: samples.pending.map((pending, index) => pending + samples.dropped[index]), tone: "open" }], whole));
}
