// The source files, coloured by what is known about each line and each side of each branch.

const GLYPHS = { covered: "✓", infeasible: "∅", open: "?" };
/** If a line has more sides than this, only their number is shown. */
const MAX_CELLS = 8;
/** Lines are laid out in groups, so that the browser can skip those that are not visible. */
const GROUP = 100;

/** Covered, infeasible, or open for some reason. */
function tone(status) {
  return status === "covered" || status === "infeasible" ? status : "open";
}

class Source {
  /** `showPath` shows a path in the tree. */
  constructor({ files, bugs, interpolants, summary }, showPath) {
    this.interpolants = interpolants;
    this.showPath = showPath;
    this.files = files;
    this.bugs = bugs;
    this.names = distinctNames(files.map((file) => file.name));
    // In a complete run, a line that did not run cannot.
    this.allKnown = summary.complete;
    this.shown = -1;
    this.title = element("h3", { id: "file-title" });
    this.code = element("div", { class: "code", role: "region", "aria-labelledby": "file-title", tabindex: "0" });
    this.list = element("ul", { class: "files" }, ...files.map((file, index) => this.entry(file, index)));
    const open = files.flatMap((file) => file.branches).flatMap((branch) => branch.sides).filter((side) => tone(side.status) === "open").length;
    const next = element("button", { type: "button", disabled: open === 0, click: () => this.nextOpen() },
      open === 0 ? "No unknown sides" : `Next unknown side (${grouped(open)})`);
    const several = files.length > 1;
    this.section = section("source", "Source",
      element("div", { class: "tools" }, sourceLegend(), next),
      element("div", { class: several ? "columns" : null },
        several ? element("nav", { "aria-label": "Source files" }, this.list) : null,
        element("div", { class: "panel" }, this.title, this.code)));
    // People come for the bugs.
    if (files.length > 0) this.select(Math.max(0, bugs.length > 0 ? this.indexOf(bugs[0].file) : 0));
    else this.code.append(element("p", { class: "note" }, "The program has no debug information that names its source."));
  }

  indexOf(name) {
    return this.files.findIndex((file) => file.name === name);
  }

  entry(file, index) {
    const { covered, total } = file.branch_count;
    return element("li", null, element("a", { href: `#source/${index}`, title: file.name },
      element("span", { class: "name" }, this.names.get(file.name)),
      element("span", { class: "note" }, total === 0 ? "no branches" : `${covered}/${total}`),
      element("span", { class: "meter", "aria-hidden": "true" },
        element("span", { class: "covered", style: `width: ${total === 0 ? 0 : covered * 100 / total}%` }))));
  }

  /** Shows what `#source/FILE/LINE` names. */
  follow(hash) {
    const match = /^#source\/(\d+)(?:\/(\d+))?$/.exec(hash);
    if (match === null || Number(match[1]) >= this.files.length) return;
    this.select(Number(match[1]));
    if (match[2] === undefined) this.section.scrollIntoView();
    else this.goTo(Number(match[2]));
  }

  select(index) {
    if (this.shown === index) return;
    this.shown = index;
    const file = this.files[index];
    this.title.replaceChildren(file.name, element("span", { class: "note" },
      `${percent(file.line_count)} of lines, ${percent(file.branch_count)} of branches`));
    for (const [at, link] of this.list.querySelectorAll("a").entries()) {
      if (at === index) link.setAttribute("aria-current", "true");
      else link.removeAttribute("aria-current");
    }
    if (file.text === null) {
      this.code.replaceChildren(element("p", { class: "notice" }, `The text of this file cannot be shown: ${file.problem}.`));
      return;
    }
    this.code.replaceChildren(...this.groups(file));
    this.code.scrollTop = 0;
  }

  groups(file) {
    const ran = new Map(file.lines);
    const branches = Map.groupBy(file.branches, (branch) => branch.line);
    const bugs = Map.groupBy(this.bugs.map((bug, index) => ({ ...bug, index })).filter((bug) => bug.file === file.name), (bug) => bug.line);
    const covers = Map.groupBy(this.interpolants.filter((interpolant) => interpolant.file === file.number), (interpolant) => interpolant.line);
    const cells = [...branches.values()].map((list) => pillCells(list));
    this.code.style.setProperty("--cells", Math.max(0, ...cells.map((list) => list.length)));
    const groups = [];
    for (const [index, pieces] of highlighted(file.text).entries()) {
      if (index % GROUP === 0) groups.push(element("div", { class: "group" }));
      const number = index + 1;
      const state = !ran.has(number) ? "blank" : ran.get(number) ? "covered" : this.allKnown ? "infeasible" : "open";
      groups.at(-1).append(this.line(number, state, pieces, branches.get(number) ?? [], bugs.get(number) ?? [], covers.get(number) ?? []));
    }
    return groups;
  }

  line(number, state, pieces, branches, bugs, covers) {
    const row = element("div", { class: `line ${state}`, id: `line-${number}`, tabindex: "-1" },
      element("span", { class: "ruler", title: { covered: "covered", open: "not covered", infeasible: "not reachable", blank: null }[state] }, String(number)),
      element("span", { class: "pills" }, branches.length === 0 ? null : pill(branches, number, () => this.explain(row, branches))),
      element("code", null, ...pieces));
    if (bugs.length + covers.length === 0) return row;
    if (bugs.length > 0) row.classList.add("has-bug");
    return element("div", null, row, ...bugs.map((bug) => element("a", { class: "flag", href: `#bug-${bug.index + 1}` },
      element("b", null, bug.kind), ` ${bug.message}`)), covers.length === 0 ? null : this.coverList(covers));
  }

  /** The interpolants of a line: which states need not be explored from there. */
  coverList(covers) {
    const paths = covers.reduce((sum, cover) => sum + cover.covers, 0);
    return element("details", { class: "covers" },
      element("summary", null, `${counted(covers.length, "interpolant")}: ${counted(paths, "path")} subsumed here`),
      element("ul", null, ...covers.map((cover) => element("li", null,
        element("code", null, cover.text),
        ` · ${counted(cover.covers, "path")}, accounted for by `,
        element("button", { type: "button", class: "quiet cover", click: () => this.showPath(cover.path) },
          `path ${grouped(cover.path)} after ${counted(cover.depth, "decision")}`)))));
  }

  /** Opens or closes what is known about the branches of a line. */
  explain(row, branches) {
    const button = row.querySelector("button");
    if (row.nextSibling?.classList?.contains("why")) {
      row.nextSibling.remove();
      button.setAttribute("aria-expanded", "false");
      return;
    }
    const items = branches.flatMap((branch, index) => branch.sides.map((side) => element("li", null,
      element("i", { class: tone(side.status), "aria-hidden": "true" }, GLYPHS[tone(side.status)]),
      element("b", null, side.label),
      element("span", null, sideText(side, branches.length > 1 ? index + 1 : null)))));
    row.after(element("ul", { class: "why" }, ...items));
    button.setAttribute("aria-expanded", "true");
  }

  goTo(number) {
    for (const old of this.code.querySelectorAll(".target")) old.classList.remove("target");
    const row = this.code.querySelector(`#line-${number}`);
    if (row === null) return;
    row.classList.add("target");
    this.section.scrollIntoView();
    row.scrollIntoView({ block: "center" });
    row.focus({ preventScroll: true });
  }

  nextOpen() {
    const isOpen = (branch) => branch.sides.some((side) => tone(side.status) === "open");
    const current = Number(this.code.querySelector(".target")?.id.slice("line-".length) ?? 0);
    const places = this.files.flatMap((file, index) => file.branches.filter(isOpen).map((branch) => [index, branch.line]));
    const [index, line] = places.find(([index, line]) => index > this.shown || (index === this.shown && line > current)) ?? places[0];
    location.hash = `#source/${index}/${line}`;
    this.follow(location.hash);
  }
}

function sourceLegend() {
  const item = (status, text) => element("li", null, element("i", { class: status, "aria-hidden": "true" }, GLYPHS[status]), text);
  return element("ul", { class: "legend", "aria-label": "Colours" },
    item("covered", "covered"), item("infeasible", "proved infeasible"), item("open", "unknown"));
}

/** The margin of a line: a cell for each side, or their number if there are many. */
function pillCells(branches) {
  const sides = branches.flatMap((branch) => branch.sides.map((side, index) => ({
    letter: /^(true|false|default)$/.test(side.label) ? side.label[0].toUpperCase() : String(index),
    ...side,
  })));
  if (sides.length <= MAX_CELLS) return sides;
  const covered = sides.filter((side) => side.status === "covered").length;
  const open = sides.some((side) => tone(side.status) === "open");
  const status = covered === sides.length ? "covered" : open ? "limit" : "infeasible";
  return [{ letter: `${covered}/${sides.length}`, status, label: "sides", why: "" }];
}

/** What is known about a side, and where it leads; `number` distinguishes the conditions of one line. */
function sideText(side, number) {
  const condition = number === null ? "" : `of condition ${number}, `;
  const target = side.leads_to === 0 ? "" : `to line ${side.leads_to}: `;
  return `${condition}${target}${side.why}`;
}

function pill(branches, number, click) {
  const sides = branches.flatMap((branch) => branch.sides);
  return element("button", {
    type: "button", class: "pill", "aria-expanded": "false", click,
    title: sides.map((side) => `${side.label}: ${side.why}`).join("\n"),
    "aria-label": `Branches of line ${number}: ${sides.map((side) => `${side.label} ${tone(side.status) === "open" ? "unknown" : side.status}`).join(", ")}`,
  }, ...pillCells(branches).map((cell) => element("span", { class: tone(cell.status) }, cell.letter)));
}

const TOKENS = new RegExp([
  String.raw`(?<comment>\/\*[^]*?(?:\*\/|(?![^]))|\/\/[^\n]*)`,
  String.raw`(?<string>"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*')`,
  String.raw`(?<directive>^[ \t]*#[ \t]*\w+)`,
  String.raw`(?<keyword>\b(?:auto|break|case|char|const|continue|default|do|double|else|enum|extern|float|for|goto|if|inline|int|long|register|return|short|signed|sizeof|static|struct|switch|typedef|union|unsigned|void|volatile|while|_Bool|bool)\b)`,
  String.raw`(?<literal>\b(?:0[xX][0-9a-fA-F]+|\d+(?:\.\d+)?(?:[eE][-+]?\d+)?)[uUlLfF]*\b)`,
].join("|"), "gm");

/** The lines of a text, each as a list of texts and coloured pieces. */
function highlighted(text) {
  const lines = [[]];
  function add(piece, kind) {
    for (const [index, part] of piece.split("\n").entries()) {
      if (index > 0) lines.push([]);
      if (part !== "") lines.at(-1).push(kind === null ? part : element("span", { class: kind }, part));
    }
  }
  let end = 0;
  for (const match of text.matchAll(TOKENS)) {
    add(text.slice(end, match.index), null);
    add(match[0], Object.keys(match.groups).find((kind) => match.groups[kind] !== undefined));
    end = match.index + match[0].length;
  }
  add(text.slice(end), null);
  if (lines.at(-1).length === 0) lines.pop();
  return lines;
}
