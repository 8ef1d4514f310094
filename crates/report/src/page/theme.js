// Light or dark: the system's setting, until the reader chooses.

function themeButton(button, changed) {
  const system = matchMedia("(prefers-color-scheme: dark)");
  const root = document.documentElement;
  const remembered = read();
  if (remembered === "light" || remembered === "dark") root.dataset.theme = remembered;

  function isDark() {
    return (root.dataset.theme ?? (system.matches ? "dark" : "light")) === "dark";
  }
  function show() {
    button.textContent = isDark() ? "Light" : "Dark";
    button.setAttribute("aria-label", `Switch to ${isDark() ? "light" : "dark"} colours`);
    changed();
  }
  button.addEventListener("click", () => {
    root.dataset.theme = isDark() ? "light" : "dark";
    write(root.dataset.theme);
    show();
  });
  system.addEventListener("change", show);
  show();

  // A browser may refuse to remember anything for a local file.
  function read() {
    try {
      return localStorage.getItem("secateur-theme");
    } catch {
      return null;
    }
  }
  function write(theme) {
    try {
      localStorage.setItem("secateur-theme", theme);
    } catch {
      // Then the choice holds until the page is closed.
    }
  }
}
