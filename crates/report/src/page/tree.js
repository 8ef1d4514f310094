// The tree of paths on a canvas: from left to right the paths, from top to bottom their decisions.

const END_NAMES = {
  exit: "ran to the end", bug: "ended in a bug", assumed: "ended by an assumption", unsupported: "met something unsupported", limit: "hit a limit", stopped: "stopped half-way",
  subsumed: "subsumed", ignored: "failed a check that is off",
  unknown: "given up by the solver", lost: "lost", pending: "not tried", pruned: "pruned",
};
/** Kinds that are drawn hatched, because nothing below them was explored. */
const HATCHED = new Set(["pruned", "pending", "subsumed"]);
const PRUNER_COLOURS = 4;
const TREE_HEIGHT = 440;

class Tree {
  constructor(rows, files, source) {
    this.rows = rows;
    this.files = new Map(files.map((file) => [file.number, file.name]));
    this.source = source;
    this.layout = new TreeLayout(rows);
    this.pruners = rows.ends.filter(([end]) => end === "pruned").map(([, name]) => name);
    this.selected = -1;
    this.canvas = element("canvas", {
      tabindex: "0", role: "application", "aria-roledescription": "tree of paths", "aria-describedby": "tree-keys tree-selected",
      "aria-label": `Tree of ${counted(rows.path.filter((path) => path > 0).length, "path")}`,
    });
    this.note = element("p", { id: "tree-selected", class: "selected", "aria-live": "polite" });
    const button = (text, label, click) => element("button", { type: "button", "aria-label": label, click }, text);
    this.section = section("tree", "Path tree",
      this.layout.count === 0
        ? element("p", { class: "note" }, "No path was written down.")
        : element("div", null,
          element("div", { class: "tools" }, this.legend(), element("div", { class: "buttons" },
            this.has("bug") ? button("Next bug", "Select the next path that ends in a bug", () => this.nextBug()) : null,
            button("+", "Zoom in", () => this.zoom(0.5)), button("−", "Zoom out", () => this.zoom(2)),
            button("Whole tree", "Show the whole tree", () => this.whole()))),
          element("div", { class: "canvas" }, this.canvas),
          this.note,
          element("p", { id: "tree-keys", class: "note" },
            "Each column is a path, each row a decision. Click or Enter zooms to what branches off from a path, Escape shows all. Arrow up goes to the path that was left, down to one that left it, left and right to its neighbours; plus and minus zoom, B finds the next bug, C goes to what covers a subsumed path.",
            rows.left_out > 0 ? ` ${counted(rows.left_out, "path or side", "paths and sides")} beyond the first ${grouped(rows.path.length)} are not listed.` : "")));
    this.view = this.wholeView();
    this.listen();
  }

  has(end) {
    return this.rows.ends.some(([name]) => name === end);
  }

  legend() {
    const numbers = new Map();
    for (const end of this.rows.end) {
      const [name, detail] = this.rows.ends[end];
      const key = name === "pruned" ? `pruned by ${detail}` : END_NAMES[name];
      const entry = numbers.get(key) ?? { number: 0, style: this.variable(name, detail), hatched: HATCHED.has(name) };
      entry.number += 1;
      numbers.set(key, entry);
    }
    return element("ul", { class: "legend", "aria-label": "Colours" }, ...[...numbers].map(([key, entry]) => element("li", null,
      element("i", { class: entry.hatched ? "swatch hatched" : "swatch", style: `--swatch: var(--${entry.style})`, "aria-hidden": "true" }),
      `${grouped(entry.number)} ${key}`)));
  }

  /** The variable of the style sheet that holds the colour of an end. */
  variable(end, detail) {
    return end === "pruned" ? `pruned-${this.pruners.indexOf(detail) % PRUNER_COLOURS}` : `end-${end}`;
  }

  /** Called when the page is in place, as a canvas has no size before. */
  start() {
    if (this.layout.count === 0) return;
    new ResizeObserver(() => this.draw()).observe(this.canvas);
    this.describe(0);
  }

  /** Called when the theme has changed. */
  restyle() {
    this.colours = null;
    if (this.canvas.isConnected) this.draw();
  }

  // The visible part: paths from left to right, decisions from top to bottom.

  wholeView() {
    return { left: 0, right: Math.max(1, this.layout.total), top: 0, bottom: this.layout.deepest };
  }

  whole() {
    this.look(this.wholeView());
  }

  /** What branches off from a row, with a margin around it. */
  viewOf(row) {
    const { left, width, depth, bottom } = this.layout;
    const margin = width[row] * 0.02;
    return { left: left[row] - margin, right: left[row] + width[row] + margin, top: Math.max(0, depth[row] - 1), bottom: bottom[row] };
  }

  look(view) {
    const width = Math.min(Math.max(view.right - view.left, 2), this.layout.total || 1);
    const height = Math.min(Math.max(view.bottom - view.top, 3), this.layout.deepest);
    const left = Math.min(Math.max(0, view.left), Math.max(0, this.layout.total - width));
    const top = Math.min(Math.max(0, view.top), Math.max(0, this.layout.deepest - height));
    this.view = { left, right: left + width, top, bottom: top + height };
    this.draw();
  }

  /** Zooms around a point, or around the selection. */
  zoom(factor, x = null, y = null) {
    const { left, right, top, bottom } = this.view;
    const visible = this.selected >= 0 && this.layout.left[this.selected] >= left && this.layout.left[this.selected] <= right;
    const cx = x ?? (visible ? this.layout.left[this.selected] + 0.5 : (left + right) / 2);
    const cy = y ?? (visible ? this.layout.depth[this.selected] : (top + bottom) / 2);
    this.look({ left: cx - (cx - left) * factor, right: cx + (right - cx) * factor, top: cy - (cy - top) * factor, bottom: cy + (bottom - cy) * factor });
  }

  select(row) {
    if (row < 0) return;
    this.selected = row;
    this.describe(row);
    const { left, width, depth } = this.layout;
    const { view } = this;
    if (left[row] + width[row] <= view.left || left[row] >= view.right || depth[row] < view.top || depth[row] >= view.bottom) {
      const [across, down] = [(view.right - view.left) / 2, (view.bottom - view.top) / 2];
      this.look({ left: left[row] - across, right: left[row] + across, top: depth[row] - down, bottom: depth[row] + down });
    } else this.draw();
  }

  /** Shows a path by its number. */
  show(path) {
    const row = this.layout.rowOfPath.get(path);
    if (row === undefined) return;
    this.select(row);
    this.section.scrollIntoView();
    this.canvas.focus({ preventScroll: true });
  }

  nextBug() {
    const isBug = (end) => this.rows.ends[end][0] === "bug";
    const next = this.rows.end.findIndex((end, row) => row > this.selected && isBug(end));
    this.select(next >= 0 ? next : this.rows.end.findIndex(isBug));
  }

  describe(row) {
    const { rows, layout } = this;
    const [end, detail] = rows.ends[rows.end[row]];
    const name = rows.path[row] > 0 ? `Path ${grouped(rows.path[row])}` : "A side";
    const file = this.files.get(rows.file[row]);
    const place = rows.line[row] === 0 ? null : file === undefined ? "in the C library" : placeLink(this.source, file, rows.line[row], null);
    const branched = rows.parent[row] === 0 ? " is the first" : ` left path ${grouped(rows.parent[row])} after ${counted(rows.depth[row], "decision")}`;
    const below = layout.width[row] - 1;
    const how = end === "exit" ? `exit ${detail}` : [END_NAMES[end], detail].filter(Boolean).join(": ");
    this.note.replaceChildren(element("b", null, name), branched, ...(place === null ? [] : [" at ", place]), ` · ${how}`,
      ...this.coverOf(row), rows.path[row] > 0 ? ` · ${counted(rows.length[row], "decision")}` : "", below > 0 ? ` · ${this.countBranches(below)} off from it` : "");
  }

  /** What covers a subsumed path, with a button that shows it. */
  coverOf(row) {
    const { cover, cover_depth } = this.rows;
    if (cover[row] === 0) return [];
    return [" · covered by ", element("button", { type: "button", class: "quiet cover", click: () => this.show(cover[row]) },
      `path ${grouped(cover[row])} after ${counted(cover_depth[row], "decision")}`)];
  }

  countBranches(number) {
    const hasSides = this.rows.path.at(-1) === 0;
    return hasSides ? counted(number, "path or side branches", "paths and sides branch") : counted(number, "path branches", "paths branch");
  }

  listen() {
    const { canvas } = this;
    let drag = null;
    const place = (event) => ({
      x: this.view.left + event.offsetX * (this.view.right - this.view.left) / canvas.clientWidth,
      y: this.view.top + event.offsetY * (this.view.bottom - this.view.top) / canvas.clientHeight,
    });
    canvas.addEventListener("pointerdown", (event) => {
      drag = { x: event.offsetX, y: event.offsetY, view: this.view, moved: false };
      canvas.setPointerCapture(event.pointerId);
    });
    canvas.addEventListener("pointermove", (event) => {
      if (drag === null) return;
      const [x, y] = [event.offsetX - drag.x, event.offsetY - drag.y];
      drag.moved ||= Math.abs(x) + Math.abs(y) > 4;
      if (!drag.moved) return;
      const across = x * (drag.view.right - drag.view.left) / canvas.clientWidth;
      const down = y * (drag.view.bottom - drag.view.top) / canvas.clientHeight;
      this.look({ left: drag.view.left - across, right: drag.view.right - across, top: drag.view.top - down, bottom: drag.view.bottom - down });
    });
    canvas.addEventListener("pointerup", (event) => {
      const clicked = drag !== null && !drag.moved;
      drag = null;
      if (!clicked) return;
      const { x, y } = place(event);
      const row = this.layout.at(x, y);
      if (row < 0) return;
      this.select(row);
      this.look(this.viewOf(row));
    });
    canvas.addEventListener("wheel", (event) => {
      // Without a key the page scrolls, so that readers do not get stuck here.
      if (!event.ctrlKey && !event.shiftKey) return;
      event.preventDefault();
      const { x, y } = place(event);
      this.zoom(event.deltaY < 0 || event.deltaX < 0 ? 0.8 : 1.25, x, y);
    }, { passive: false });
    canvas.addEventListener("keydown", (event) => {
      const action = event.ctrlKey || event.altKey || event.metaKey ? undefined : this.actions()[event.key];
      if (action === undefined) return;
      event.preventDefault();
      action();
    });
  }

  actions() {
    const row = Math.max(0, this.selected);
    const neighbours = this.layout.childrenOf(this.layout.parent[row]);
    const at = neighbours.indexOf(row);
    return {
      ArrowUp: () => this.select(this.layout.parent[row]),
      ArrowDown: () => this.select(this.layout.childrenOf(row)[0] ?? -1),
      ArrowLeft: () => this.select(neighbours[at - 1] ?? -1),
      ArrowRight: () => this.select(neighbours[at + 1] ?? -1),
      Enter: () => this.look(this.viewOf(row)),
      Escape: () => this.whole(),
      Home: () => this.select(0),
      "+": () => this.zoom(0.5),
      "=": () => this.zoom(0.5),
      "-": () => this.zoom(2),
      b: () => this.nextBug(),
      c: () => this.rows.cover[row] > 0 && this.show(this.rows.cover[row]),
    };
  }

  // Drawing.

  palette(context) {
    const fills = this.rows.ends.map(([end, detail]) => {
      const value = colour(this.variable(end, detail));
      return HATCHED.has(end) ? hatch(context, value) : value;
    });
    return { fills, inner: colour("inner"), edge: colour("surface"), ink: colour("ink"), accent: colour("accent") };
  }

  draw() {
    const ratio = devicePixelRatio || 1;
    const width = this.canvas.clientWidth, height = TREE_HEIGHT;
    if (width === 0) return;
    if (this.canvas.width !== Math.round(width * ratio) || this.canvas.height !== Math.round(height * ratio)) {
      this.canvas.width = Math.round(width * ratio);
      this.canvas.height = Math.round(height * ratio);
    }
    const context = this.canvas.getContext("2d");
    this.colours ??= this.palette(context);
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.clearRect(0, 0, width, height);
    const { view } = this;
    const scale = {
      x: (path) => (path - view.left) * width / (view.right - view.left),
      y: (depth) => (depth - view.top) * height / (view.bottom - view.top),
      width, height,
      perPath: width / (view.right - view.left),
      perDepth: height / (view.bottom - view.top),
    };
    const crowd = new Crowd(width, this.layout.badness);
    const waiting = [...this.layout.childrenOf(-1)];
    while (waiting.length > 0) this.drawRow(context, scale, waiting.pop(), waiting, crowd);
    crowd.draw(context, this.colours.fills);
    this.drawSelection(context, scale);
  }

  /** Draws the row itself, and leaves what branches off from it for later. */
  drawRow(context, scale, row, waiting, crowd) {
    const { left, width, depth, length, worst, bottom } = this.layout;
    const start = scale.x(left[row]), end = scale.x(left[row] + width[row]);
    if (end < 0 || start > scale.width || scale.y(depth[row]) > scale.height) return;
    if (end - start < 1) {
      crowd.add(start, scale.y(depth[row]), scale.y(bottom[row]), worst[row]);
      return;
    }
    // Alone at its lower end; further up, together with all that branched off further down.
    let share = 1, low = length[row], alone = true;
    const step = (high) => {
      const [x, y, w] = [start, scale.y(high), share * scale.perPath];
      // The end of a path is always drawn; other steps that are lower than a pixel are drawn together.
      const h = alone ? Math.max(2, (low - high) * scale.perDepth) : (low - high) * scale.perDepth;
      if (h < 1 && high > depth[row]) return;
      if (w < 1) crowd.add(x, y, y + h, this.rows.end[row]);
      else this.block(context, x, y, w, h, alone ? this.colours.fills[this.rows.end[row]] : this.colours.inner);
      low = high;
      alone = false;
    };
    for (const child of this.layout.childrenOf(row)) {
      if (depth[child] < low) step(depth[child]);
      share += width[child];
      waiting.push(child);
    }
    if (depth[row] < low) step(depth[row]);
    this.label(context, scale, row, start, end);
  }

  block(context, x, y, width, height, fill) {
    context.fillStyle = fill;
    const gap = width > 3 ? 1 : 0;
    context.fillRect(x, y, width - gap, Math.max(0.5, height - (height > 3 ? 1 : 0)));
  }

  label(context, scale, row, start, end) {
    const line = this.rows.line[row];
    const x = Math.max(4, start + 4);
    if (line === 0 || scale.perDepth < 15 || Math.min(end, scale.width) - x < 60) return;
    context.fillStyle = this.colours.ink;
    context.font = "11px ui-monospace, monospace";
    context.textBaseline = "middle";
    const text = `${shortName(this.files.get(this.rows.file[row]) ?? "libc")}:${line}`;
    if (context.measureText(text).width < Math.min(end, scale.width) - x - 4) context.fillText(text, x, scale.y(this.layout.depth[row] + 0.5));
  }

  drawSelection(context, scale) {
    if (this.selected < 0) return;
    const { left, width, depth, bottom } = this.layout;
    const x = scale.x(left[this.selected]), y = scale.y(depth[this.selected]);
    context.strokeStyle = this.colours.accent;
    context.lineWidth = 2;
    context.strokeRect(x - 1, y + 1, Math.max(3, width[this.selected] * scale.perPath), Math.max(4, (bottom[this.selected] - depth[this.selected]) * scale.perDepth - 2));
  }
}

/** Paths that are too narrow to be drawn one by one: a column of pixels shows the worst of them. */
class Crowd {
  constructor(width, badness) {
    this.badness = badness;
    this.worst = new Int32Array(Math.ceil(width) + 1).fill(-1);
    this.top = new Float32Array(this.worst.length).fill(Infinity);
    this.bottom = new Float32Array(this.worst.length);
  }

  add(x, top, bottom, end) {
    const column = Math.floor(x);
    if (column < 0 || column >= this.worst.length) return;
    if (this.worst[column] < 0 || this.badness[end] > this.badness[this.worst[column]]) this.worst[column] = end;
    this.top[column] = Math.min(this.top[column], top);
    this.bottom[column] = Math.max(this.bottom[column], bottom);
  }

  draw(context, fills) {
    for (let column = 0; column < this.worst.length; column++) {
      if (this.worst[column] < 0) continue;
      context.fillStyle = fills[this.worst[column]];
      context.fillRect(column, this.top[column], 1, Math.max(1, this.bottom[column] - this.top[column]));
    }
  }
}

function hatch(context, value) {
  const tile = element("canvas", { width: 6, height: 6 });
  const brush = tile.getContext("2d");
  brush.strokeStyle = value;
  brush.lineWidth = 1.6;
  brush.beginPath();
  for (const offset of [-6, 0, 6]) {
    brush.moveTo(offset - 1, 7);
    brush.lineTo(offset + 7, -1);
  }
  brush.stroke();
  return context.createPattern(tile, "repeat");
}
