// The table of tests. Only visible rows are elements, so that it may have any number of rows.

const ROW_HEIGHT = 30;
/** More than this are never drawn at once, not even in print, where everything is visible. */
const MAX_ROWS = 60;
const COLUMNS = [
  { key: "test", title: "Test", text: (value) => value.slice(value.lastIndexOf("/") + 1) },
  { key: "end", title: "Ends with", text: String },
  { key: "path", title: "Path", text: grouped, number: true },
  { key: "decisions", title: "Decisions", text: grouped, number: true },
  { key: "instructions", title: "Instructions", text: grouped, number: true },
  { key: "input", title: "Input", text: (value) => value ?? "", code: true },
];

class Tests {
  constructor(tests, written, showPath) {
    this.tests = tests;
    this.showPath = showPath;
    this.order = Uint32Array.from(tests.test.keys());
    this.sorted = { key: "test", down: false };
    this.active = 0;
    this.filter = element("input", { type: "search", placeholder: "Filter by name, end or input", "aria-label": "Filter tests", input: () => this.arrange() });
    this.count = element("span", { class: "note", role: "status" });
    this.head = element("div", { role: "row", class: "row head" }, ...COLUMNS.map((column) => this.heading(column)));
    this.rows = element("div", { role: "presentation", class: "rows" });
    this.spacer = element("div", { role: "presentation", class: "spacer" }, this.rows);
    this.scroller = element("div", { role: "rowgroup", class: "scroller", tabindex: "-1", scroll: () => this.draw() }, this.spacer);
    this.grid = element("div", { role: "grid", class: "grid-table", tabindex: "0", "aria-label": "Tests", keydown: (event) => this.press(event) },
      element("div", { role: "rowgroup", class: "headings" }, this.head), this.scroller);
    const missing = written - tests.test.length;
    this.section = section("tests", "Tests",
      tests.test.length === 0
        ? element("p", { class: "note" }, written === 0 ? "No tests were written." : `${counted(written, "test")}, not listed here.`)
        : element("div", null,
          element("div", { class: "tools" }, this.filter, this.count),
          this.grid,
          element("p", { class: "note" }, "Arrow keys move through the table, Enter shows the path of a test in the tree.",
            missing > 0 ? ` ${counted(missing, "more test")} are not listed.` : "")));
  }

  heading(column) {
    return element("div", { role: "columnheader", class: `cell ${column.key}${column.number ? " number" : ""}`, "data-key": column.key },
      element("button", { type: "button", click: () => this.sort(column.key) }, column.title));
  }

  start() {
    if (this.tests.test.length === 0) return;
    // Not at once: in print, drawing changes the observed size.
    new ResizeObserver(() => requestAnimationFrame(() => this.draw())).observe(this.scroller);
    this.arrange();
  }

  sort(key) {
    this.sorted = { key, down: this.sorted.key === key && !this.sorted.down };
    this.arrange();
  }

  /** Filters and sorts. */
  arrange() {
    const wanted = this.filter.value.trim().toLowerCase();
    const { test, end, input } = this.tests;
    const matches = (index) => [test[index], end[index], input[index] ?? ""].some((text) => text.toLowerCase().includes(wanted));
    let order = Array.from(test.keys());
    if (wanted !== "") order = order.filter(matches);
    const values = this.tests[this.sorted.key];
    const sign = this.sorted.down ? -1 : 1;
    const compare = typeof values[0] === "number"
      ? (a, b) => values[a] - values[b]
      : (a, b) => ((values[a] ?? "") < (values[b] ?? "") ? -1 : (values[a] ?? "") > (values[b] ?? "") ? 1 : 0);
    order.sort((a, b) => sign * compare(a, b) || a - b);
    this.order = order;
    this.active = 0;
    for (const cell of this.head.children) {
      cell.setAttribute("aria-sort", cell.dataset.key !== this.sorted.key ? "none" : this.sorted.down ? "descending" : "ascending");
    }
    this.count.textContent = wanted === "" ? counted(order.length, "test") : `${grouped(order.length)} of ${counted(test.length, "test")}`;
    this.spacer.style.height = `${order.length * ROW_HEIGHT}px`;
    this.grid.setAttribute("aria-rowcount", order.length + 1);
    this.scroller.scrollTop = 0;
    this.draw();
  }

  draw() {
    const first = Math.max(0, Math.floor(this.scroller.scrollTop / ROW_HEIGHT) - 5);
    const visible = Math.ceil(this.scroller.clientHeight / ROW_HEIGHT) + 10;
    const last = Math.min(this.order.length, first + Math.min(visible, MAX_ROWS));
    this.rows.style.transform = `translateY(${first * ROW_HEIGHT}px)`;
    const rows = [];
    for (let at = first; at < last; at++) rows.push(this.row(at));
    this.rows.replaceChildren(...rows);
    this.grid.setAttribute("aria-activedescendant", `test-row-${this.active}`);
  }

  row(at) {
    const index = this.order[at];
    const cells = COLUMNS.map((column) => {
      const text = column.text(this.tests[column.key][index]);
      return element("div", { role: "gridcell", class: `cell ${column.key}${column.number ? " number" : ""}`, title: column.code ? text : null },
        column.code ? element("code", null, text) : text);
    });
    return element("div", {
      role: "row", class: "row", id: `test-row-${at}`, "aria-rowindex": at + 2, "aria-selected": at === this.active ? "true" : "false",
      click: () => this.activate(at), dblclick: () => this.open(at),
    }, ...cells);
  }

  activate(at) {
    this.active = Math.min(Math.max(0, at), this.order.length - 1);
    const top = this.active * ROW_HEIGHT;
    const { scrollTop, clientHeight } = this.scroller;
    if (top < scrollTop) this.scroller.scrollTop = top;
    else if (top + ROW_HEIGHT > scrollTop + clientHeight) this.scroller.scrollTop = top + ROW_HEIGHT - clientHeight;
    this.draw();
  }

  open(at) {
    this.showPath(this.tests.path[this.order[at]]);
  }

  press(event) {
    // The headings are buttons and have keys of their own.
    if (event.target !== this.grid) return;
    const page = Math.max(1, Math.floor(this.scroller.clientHeight / ROW_HEIGHT) - 1);
    const target = {
      ArrowDown: this.active + 1, ArrowUp: this.active - 1, PageDown: this.active + page, PageUp: this.active - page,
      Home: 0, End: this.order.length - 1,
    }[event.key];
    if (target !== undefined) {
      event.preventDefault();
      this.activate(target);
    } else if (event.key === "Enter") {
      event.preventDefault();
      this.open(this.active);
    }
  }
}
