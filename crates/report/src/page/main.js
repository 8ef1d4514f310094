// Puts the page together.

const data = JSON.parse(document.getElementById("data").textContent);
const source = new Source(data, (path) => tree.show(path));
const tree = new Tree(data.tree, data.files, source);
const tests = new Tests(data.tests, data.summary.tests, (path) => tree.show(path));

const sections = [
  overview(data),
  verdictSection(data, source),
  bugList(data, source),
  progress(data),
  learningSection(data),
  source.section,
  tree.section,
  tests.section,
  solverTable(data),
  details(data),
].filter((part) => part !== null);
document.getElementById("content").append(...sections);
document.getElementById("sections").append(...sections.slice(1).map((part) =>
  element("a", { href: `#${part.id}` }, part.querySelector("h2").textContent)));
document.getElementById("footer").append(`Secateur ${data.version}`);

themeButton(document.getElementById("theme"), () => tree.restyle());
addEventListener("hashchange", () => source.follow(location.hash));
source.follow(location.hash);
tree.start();
tests.start();
document.documentElement.dataset.ready = "true";
