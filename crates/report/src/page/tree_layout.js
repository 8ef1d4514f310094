// Where each path stands in the drawing of the tree.
//
// A path is as wide as all its descendants, plus one for itself. It stands left of them, and those that branched off
// last come first, so that at every depth the paths with common decisions stand side by side. Everything is done in
// loops over flat arrays: a tree of 100,000 paths can be 100,000 levels deep.

/** From the most harmless to the worst: where several paths share a pixel, the worst is shown. */
const ENDS = ["exit", "subsumed", "assumed", "ignored", "pruned", "pending", "limit", "stopped", "unknown", "lost", "unsupported", "bug"];

class TreeLayout {
  constructor(rows) {
    const count = rows.path.length;
    this.count = count;
    this.depth = rows.depth;
    this.end = rows.end;
    /** The rank of each end that occurs. */
    this.badness = rows.ends.map(([end]) => Math.max(0, ENDS.indexOf(end)));
    // A path without a decision still takes up room.
    this.length = Uint32Array.from(rows.length, (length, row) => Math.max(length, rows.depth[row] + 1));
    this.rowOfPath = new Map();
    for (let row = 0; row < count; row++) if (rows.path[row] > 0) this.rowOfPath.set(rows.path[row], row);
    // Rows come after the row that they branched off from; a row without one starts a tree of its own.
    this.parent = Int32Array.from(rows.parent, (path, row) => {
      const parent = this.rowOfPath.get(path) ?? -1;
      return parent < row ? parent : -1;
    });
    this.linkChildren();
    this.measure();
    this.place();
  }

  /** Children of row r are `children[first[r]] … children[first[r + 1] - 1]`, those that branched off last first; row -1 precedes all. */
  linkChildren() {
    this.first = new Uint32Array(this.count + 2);
    for (const parent of this.parent) this.first[parent + 2] += 1;
    for (let row = 0; row <= this.count; row++) this.first[row + 1] += this.first[row];
    const next = this.first.slice();
    this.children = new Uint32Array(this.count);
    for (let row = 0; row < this.count; row++) this.children[next[this.parent[row] + 1]++] = row;
    for (let row = 0; row < this.count; row++) {
      // Most paths have no children or one, and there are many paths.
      if (this.first[row + 2] - this.first[row + 1] > 1) this.childrenOf(row).sort((a, b) => this.depth[b] - this.depth[a] || a - b);
    }
  }

  childrenOf(row) {
    return this.children.subarray(this.first[row + 1], this.first[row + 2]);
  }

  /** From the leaves up: how wide and how deep everything below a row is, and which of its ends is the worst. */
  measure() {
    this.width = new Uint32Array(this.count).fill(1);
    this.bottom = Uint32Array.from(this.length);
    this.worst = Uint32Array.from(this.end);
    this.deepest = 1;
    for (let row = this.count - 1; row >= 0; row--) {
      this.deepest = Math.max(this.deepest, this.bottom[row]);
      const parent = this.parent[row];
      if (parent < 0) continue;
      this.width[parent] += this.width[row];
      this.bottom[parent] = Math.max(this.bottom[parent], this.bottom[row]);
      if (this.badness[this.worst[row]] > this.badness[this.worst[parent]]) this.worst[parent] = this.worst[row];
    }
  }

  place() {
    this.left = new Uint32Array(this.count);
    let left = 0;
    for (const row of this.childrenOf(-1)) {
      this.left[row] = left;
      left += this.width[row];
    }
    for (let row = 0; row < this.count; row++) {
      left = this.left[row] + 1;
      for (const child of this.childrenOf(row)) {
        this.left[child] = left;
        left += this.width[child];
      }
    }
    this.total = this.childrenOf(-1).reduce((sum, row) => sum + this.width[row], 0);
  }

  /** The row at a place of the drawing, or -1. */
  at(x, depth) {
    let row = -1;
    for (;;) {
      const child = this.childAt(row, x);
      if (child < 0 || depth < this.depth[child]) break;
      row = child;
    }
    return row >= 0 && depth < this.length[row] ? row : -1;
  }

  childAt(row, x) {
    const children = this.childrenOf(row);
    let low = 0, high = children.length - 1;
    while (low <= high) {
      const middle = (low + high) >> 1;
      const child = children[middle];
      if (x < this.left[child]) high = middle - 1;
      else if (x >= this.left[child] + this.width[child]) low = middle + 1;
      else return child;
    }
    return -1;
  }
}
