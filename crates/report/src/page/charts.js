// Curves over time, drawn as SVG. The arrow keys and the pointer move a cursor that reads out the values.

const CHART = { width: 560, height: 180, left: 56, right: 12, top: 14, bottom: 26 };

function progress(data) {
  const samples = data.timeline;
  if (samples.time.length < 2) {
    return section("progress", "Over time", element("p", { class: "note" }, "The run was over before there was anything to draw."));
  }
  const share = samples.branches_covered.map((covered, index) => covered * 100 / Math.max(1, samples.branches_total[index]));
  const whole = (value) => grouped(Math.round(value));
  const percents = (value) => `${value.toFixed(value % 1 === 0 ? 0 : 1)}%`;
  return section("progress", "Over time",
    element("div", { class: "charts" },
      chart("Branch coverage", samples.time, [{ name: "covered", values: share, tone: "covered" }], percents, 100),
      chart("Paths and pending sides", samples.time, [
        { name: "paths", values: samples.paths, tone: "covered" },
        { name: "pending", values: samples.pending, tone: "open" }], whole),
      samples.subsumed.at(-1) > 0 ? chart("Subsumed share of paths", samples.time, [
        { name: "since the start", values: subsumedShare(samples), tone: "covered" },
        { name: "lately", values: subsumedShare(samples, Math.ceil(samples.time.length / 20)), tone: "open" }], percents, 100) : null,
      chart("Memory", samples.time, [{ name: "in use", values: samples.memory, tone: "plain" }], bytes),
      chart("Tests and bugs", samples.time, [
        { name: "tests", values: samples.tests, tone: "covered" },
        { name: "bugs", values: samples.bugs, tone: "bad" }], whole)));
}

/** How many percent of the paths were subsumed: since the start, or since so many samples. */
function subsumedShare({ paths, subsumed }, samples = Infinity) {
  return subsumed.map((number, index) => {
    const before = index < samples ? [0, 0] : [subsumed[index - samples], paths[index - samples]];
    const added = number - before[0];
    return added * 100 / Math.max(1, added + paths[index] - before[1]);
  });
}

function chart(title, times, curves, format, most = 0) {
  const last = times[times.length - 1];
  const step = niceStep(Math.max(most, ...curves.flatMap((curve) => curve.values.reduce((a, b) => Math.max(a, b), 0))) / 3, format === bytes);
  const top = Math.max(most, step * Math.ceil(Math.max(...curves.map((curve) => curve.values.reduce((a, b) => Math.max(a, b), 0))) / step));
  const { width, height, left, right } = CHART;
  const x = (time) => left + (width - left - right) * time / (last || 1);
  const y = (value) => height - CHART.bottom - (height - CHART.top - CHART.bottom) * value / (top || 1);

  const grid = [];
  for (let value = 0; value <= top + step / 2; value += step) {
    if (value > top) break;
    grid.push(shape("line", { class: "grid", x1: left, x2: width - right, y1: y(value), y2: y(value) }),
      shape("text", { x: left - 8, y: y(value) + 4, "text-anchor": "end" }, format(value)));
  }
  const timeStep = niceStep(last / 4, false);
  for (let time = 0; time <= last * 1.001; time += timeStep) {
    const anchor = time === 0 ? "start" : x(time) > width - 40 ? "end" : "middle";
    grid.push(shape("text", { x: x(time), y: height - 8, "text-anchor": anchor }, seconds(time)));
  }
  const lines = curves.map((curve) => shape("path", { class: `curve ${curve.tone}`, d: steps(times, curve.values, x, y) }));
  const cursor = shape("line", { class: "cursor", y1: CHART.top, y2: height - CHART.bottom, visibility: "hidden" });
  const readout = element("output", { class: "readout" });
  const drawing = shape("svg", {
    viewBox: `0 0 ${width} ${height}`, tabindex: "0", role: "img",
    "aria-label": `${title}: ${curves.map((curve) => `${curve.name} ${format(curve.values[curve.values.length - 1])}`).join(", ")} after ${seconds(last)}`,
    pointermove: (event) => point(nearest(times, (event.offsetX * width / drawing.clientWidth - left) * last / (width - left - right))),
    pointerleave: () => point(times.length - 1, false),
    keydown: (event) => {
      const move = { ArrowLeft: -1, ArrowRight: 1, PageUp: -10, PageDown: 10, Home: -Infinity, End: Infinity }[event.key];
      if (move === undefined) return;
      event.preventDefault();
      point(Math.min(times.length - 1, Math.max(0, at + move)));
    },
  }, ...grid, ...lines, cursor);
  let at = times.length - 1;

  function point(index, shown = true) {
    at = index;
    fill(cursor, { x1: x(times[at]), x2: x(times[at]), visibility: shown ? "visible" : "hidden" }, []);
    readout.replaceChildren(...curves.map((curve) => element("span", { class: curve.tone },
      element("i", { "aria-hidden": "true" }), `${curve.name} ${format(curve.values[at])}`)),
      element("span", { class: "when" }, `after ${seconds(times[at])}`));
  }
  point(at, false);
  return element("figure", null, element("figcaption", null, element("h3", null, title), readout), drawing);
}

/** Values hold until the next sample, so a curve is a staircase. */
function steps(times, values, x, y) {
  let path = `M${x(times[0]).toFixed(1)} ${y(values[0]).toFixed(1)}`;
  for (let index = 1; index < times.length; index++) path += `H${x(times[index]).toFixed(1)}V${y(values[index]).toFixed(1)}`;
  return path;
}

/** A readable distance of grid lines: 1, 2 or 5 times a power of ten, or of two for bytes. */
function niceStep(rough, binary) {
  if (!(rough > 0)) return 1;
  if (binary) return 2 ** Math.ceil(Math.log2(rough));
  const power = 10 ** Math.floor(Math.log10(rough));
  return power * [1, 2, 5, 10].find((factor) => factor * power >= rough * 0.999);
}

function nearest(times, time) {
  let low = 0, high = times.length - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (times[middle] < time) low = middle + 1;
    else high = middle;
  }
  return low;
}
