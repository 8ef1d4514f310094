// Elements are created only here. Text is only ever set as text, so that nothing in it can become markup.

/** An HTML element. Attributes that are null or false are left out; functions are listeners. */
function element(name, attributes, ...children) {
  return fill(document.createElement(name), attributes, children);
}

/** An SVG element. */
function shape(name, attributes, ...children) {
  return fill(document.createElementNS("http://www.w3.org/2000/svg", name), attributes, children);
}

function fill(target, attributes, children) {
  for (const [key, value] of Object.entries(attributes ?? {})) {
    if (typeof value === "function") target.addEventListener(key, value);
    else if (value === true) target.setAttribute(key, "");
    else if (value !== null && value !== undefined && value !== false) target.setAttribute(key, value);
  }
  target.append(...children.filter((child) => child !== null && child !== undefined));
  return target;
}

/** A section of the page, which the navigation lists. */
function section(id, title, ...children) {
  const heading = element("h2", { id: `${id}-title` }, title);
  return element("section", { id, "aria-labelledby": heading.id }, heading, ...children);
}

/** A table with a caption for screen readers. */
function table(caption, headings, rows) {
  const head = element("tr", null, ...headings.map((text) => element("th", { scope: "col" }, text)));
  return element("div", { class: "wide" },
    element("table", null,
      element("caption", { class: "unseen" }, caption),
      element("thead", null, head),
      element("tbody", null, ...rows)));
}

/** A command with a button to copy it. */
function command(text) {
  const button = element("button", { type: "button", class: "quiet", "aria-label": `Copy: ${text}`, click: copy }, "Copy");
  async function copy() {
    try {
      await navigator.clipboard.writeText(text);
      button.textContent = "Copied";
    } catch {
      // Where copying is not allowed, the text is at least selected.
      getSelection().selectAllChildren(button.previousSibling);
    }
  }
  return element("div", { class: "command" }, element("code", null, text), button);
}

/** A colour of the style sheet as the canvas understands it, in the theme that is shown. */
function colour(name) {
  const probe = element("span", { style: `color: var(--${name})`, hidden: true });
  document.body.append(probe);
  const value = getComputedStyle(probe).color;
  probe.remove();
  return value;
}
