// Numbers in readable form.

const grouping = new Intl.NumberFormat("en-GB");

function grouped(number) {
  return grouping.format(number);
}

function counted(number, singular, plural = `${singular}s`) {
  return `${grouped(number)} ${number === 1 ? singular : plural}`;
}

function percent({ covered, total }) {
  return total === 0 ? "100%" : `${(covered * 100 / total).toFixed(1)}%`;
}

function seconds(time) {
  if (time >= 3600) return `${Math.floor(time / 3600)} h ${Math.round(time % 3600 / 60)} min`;
  if (time >= 60) return `${Math.floor(time / 60)} min ${Math.round(time % 60)} s`;
  if (time >= 1) return `${time.toFixed(time < 10 ? 2 : 1)} s`;
  if (time >= 0.001) return `${(time * 1000).toFixed(time < 0.01 ? 1 : 0)} ms`;
  return time === 0 ? "0" : `${Math.round(time * 1e6)} µs`;
}

function bytes(number) {
  const units = ["B", "KiB", "MiB", "GiB", "TiB"];
  let unit = 0;
  while (number >= 1024 && unit + 1 < units.length) {
    number /= 1024;
    unit += 1;
  }
  return `${number.toFixed(unit > 2 ? 1 : 0)} ${units[unit]}`;
}

/** For each name of a file, the shortest end of it that no other has: `list.c`, or `a/list.c` and `b/list.c`. */
function distinctNames(names) {
  const ends = (parts) => (name) => name.split("/").slice(-parts).join("/");
  const short = new Map();
  let left = [...new Set(names)];
  for (let parts = 1; left.length > 0; parts += 1) {
    const groups = Map.groupBy(left, ends(parts));
    left = [];
    for (const [end, same] of groups) {
      const longest = Math.max(...same.map((name) => name.split("/").length));
      if (same.length === 1 || parts > longest) same.forEach((name) => short.set(name, end));
      else left.push(...same);
    }
  }
  return short;
}

/** The last part of a file's name. */
function shortName(name) {
  return name.slice(name.lastIndexOf("/") + 1);
}
