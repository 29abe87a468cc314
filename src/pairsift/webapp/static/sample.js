// A sample as a table, a picture or a text.

import { h, count } from "./dom.js";

// Lines that are seen at first; fewer on a telephone.
const firstLines = () => (innerWidth < 720 ? 6 : 15);

function marker(kind, place) {
  const dot = h("span", { class: `dot ${kind}` });
  dot.style.left = `${100 * place}%`;
  return dot;
}

// Where the two values lie among all rows, and how far apart.
function bar(cell, other) {
  const track = h("span", { class: "track", "aria-hidden": "true" });
  const places = [cell, other].map((c) => (c && c[1] !== null ? c[1] : null));
  if (places[0] !== null && places[1] !== null) {
    const gap = Math.abs(places[0] - places[1]);
    const span = h("span", { class: "span" });
    span.style.left = `${100 * Math.min(...places)}%`;
    span.style.width = `${100 * gap}%`;
    span.style.opacity = String(0.25 + 0.75 * gap);
    track.append(span);
  }
  if (places[1] !== null) track.append(marker("ring", places[1]));
  if (places[0] !== null) track.append(marker("full", places[0]));
  if (places[0] === null && cell[0] !== null) track.classList.add("words");
  return track;
}

function value(cell) {
  if (cell[0] === null) return h("span", { class: "missing" }, "missing");
  return h("span", { class: "value", dir: "auto" }, cell[0] === "" ? "(empty)" : cell[0]);
}

function title(cell, other) {
  const say = (c, who) =>
    c && c[1] !== null ? `${who}: higher than ${Math.round(100 * c[1])}% of rows` : null;
  return [say(cell, "this sample"), say(other, "the other")].filter(Boolean).join("; ");
}

function line(name, cell, other) {
  const differs = other && cell[0] !== other[0];
  return h(
    "tr",
    { class: differs ? "differs" : "" },
    h("th", { scope: "row", dir: "auto", title: name }, name),
    h("td", { class: "mine" }, value(cell)),
    h("td", { class: "bar", title: title(cell, other) }, bar(cell, other)),
    other ? h("td", { class: "theirs" }, value(other)) : null,
  );
}

export function table(cells, which, heads, more) {
  const { columns } = cells;
  const rows = columns.map((name, j) =>
    line(name, cells.cells[0][j], which === null ? null : cells.cells[which]?.[j]),
  );
  const hidden = rows.slice(firstLines());
  for (const row of hidden) row.hidden = !more.isOpen;
  const body = h("tbody", {}, ...rows);
  const found = h(
    "table",
    { class: "cells" },
    h("caption", { class: "unseen" }, "Values, those first in which it differs most from the nearest"),
    h(
      "thead",
      {},
      h(
        "tr",
        {},
        h("th", { scope: "col" }, "column"),
        h("th", { scope: "col" }, heads[0]),
        h(
          "th",
          { scope: "col" },
          h("span", { class: "low" }, "low"),
          h("span", { class: "high" }, "high"),
        ),
        which === null ? null : h("th", { scope: "col", class: "theirs" }, heads[1]),
      ),
    ),
    body,
  );
  return [found, foot(cells, hidden, more)];
}

function foot(cells, hidden, more) {
  if (cells.total <= firstLines() && !more.find) return null;
  const input = h("input", {
    type: "search",
    placeholder: "find a column",
    "aria-label": "Find a column",
    value: more.find || "",
  });
  input.addEventListener("change", () => more.search(input.value));
  const label = more.isOpen ? "Fewer columns" : `All ${count(cells.total, "column")}`;
  const toggle = h(
    "button",
    { type: "button", class: "quiet", "aria-expanded": String(more.isOpen), onclick: more.toggle },
    label,
  );
  return h(
    "div",
    { class: "foot" },
    hidden.length || cells.total > cells.columns.length || more.isOpen ? toggle : null,
    input,
  );
}

function picture(sample) {
  if (!sample.image) return h("p", { class: "missing" }, "no picture");
  return h("img", { src: sample.image, alt: `Sample ${sample.name}`, draggable: "false" });
}

function pixels(sample) {
  const { height, width, values } = sample.pixels;
  const canvas = h("canvas", {
    class: "pixels",
    role: "img",
    "aria-label": `Sample ${sample.name}`,
    width: String(width),
    height: String(height),
  });
  const context = canvas.getContext("2d");
  const image = context.createImageData(width, height);
  values.forEach((shade, k) => image.data.set([shade, shade, shade, 255], 4 * k));
  context.putImageData(image, 0, 0);
  return canvas;
}

export function words(parts) {
  const marked = (text) => [h("mark", {}, text.trimEnd()), text.slice(text.trimEnd().length)];
  return h(
    "p",
    { class: "text", dir: "auto" },
    ...parts.map(([text, differs]) => (differs ? marked(text) : text)),
  );
}

// What is seen of a sample at a glance: a picture or a text; nothing for a table.
export function glance(sample, parts) {
  if ("image" in sample) return picture(sample);
  if ("pixels" in sample) return pixels(sample);
  if ("text" in sample)
    return parts ? words(parts) : h("p", { class: "text", dir: "auto" }, sample.text);
  return null;
}
