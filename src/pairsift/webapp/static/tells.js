// What the answers tell: features, how settled they are, and the map.

import { $, h, svg, fill, count, colour } from "./dom.js";
import { get } from "./api.js";

const SOON = 350;
let timer = null;
let places = null;
let state = null;
let known = { version: -1, features: [], settled: [] };

export function showTells(given) {
  state = given;
  draw();
  ask();
}

// The ranking follows the card: it is asked for until it has caught up.
function ask() {
  clearTimeout(timer);
  if (known.version >= state.version && places) return;
  timer = setTimeout(async () => {
    try {
      known = await get("insight");
      if (!places) places = (await get("map")).map;
      draw();
    } catch {
      // The next answer asks again.
    }
    ask();
  }, SOON);
}

function draw() {
  const isLate = known.version < state.version;
  fill($("tells"), settled(isLate), features(isLate), map());
}

function settled(isLate) {
  const path = known.settled;
  const last = path.length ? path[path.length - 1] : 0;
  const text = known.is_settled
    ? "The last eight answers have moved none of the chosen features: you may stop here."
    : state.piles.length < 2
      ? "From two piles on, features are chosen."
      : "The chosen features still move: go on.";
  return h(
    "section",
    { class: `settled ${known.is_settled ? "stop" : ""}` },
    h("h2", {}, "Settled", h("span", { class: "number" }, `${Math.round(100 * last)}%`)),
    line(path),
    h("p", {}, text, isLate ? h("span", { class: "late" }, " updating …") : ""),
  );
}

function line(path) {
  const [width, height] = [240, 44];
  const box = svg("svg", {
    viewBox: `0 0 ${width} ${height}`,
    class: "line",
    role: "img",
    "aria-label": `Settled after each of ${count(path.length, "answer")}`,
  });
  const at = (value, k) =>
    `${(path.length > 1 ? (k / (path.length - 1)) * (width - 8) + 4 : 4).toFixed(1)},${(height - 4 - value * (height - 8)).toFixed(1)}`;
  box.append(svg("line", { x1: 0, x2: width, y1: 4, y2: 4, class: "goal" }));
  if (path.length) {
    box.append(svg("polyline", { points: path.map(at).join(" ") }));
    const [x, y] = at(path[path.length - 1], path.length - 1).split(",");
    box.append(svg("circle", { cx: x, cy: y, r: 3 }));
  }
  return box;
}

function moved(feature) {
  if (feature.is_new) return h("span", { class: "moved new", title: "new among the best" }, "new");
  if (!feature.moved) return h("span", { class: "moved" });
  const isUp = feature.moved > 0;
  return h(
    "span",
    { class: `moved ${isUp ? "up" : "down"}` },
    h("span", { "aria-hidden": "true" }, `${isUp ? "▲" : "▼"}${Math.abs(feature.moved)}`),
    h("span", { class: "unseen" }, `${isUp ? "up" : "down"} ${Math.abs(feature.moved)}`),
  );
}

function features(isLate) {
  const items = known.features.map((feature) => {
    const fillBar = h("span", { class: "amount" });
    fillBar.style.width = `${Math.max(2, 100 * feature.score)}%`;
    return h(
      "li",
      {},
      h("span", { class: "feature", dir: "auto", title: feature.name }, feature.name),
      h("span", { class: "meter", "aria-hidden": "true" }, fillBar),
      moved(feature),
    );
  });
  const body = items.length
    ? h("ol", {}, ...items)
    : h(
        "p",
        { class: "empty" },
        "Sort some cards onto two piles, and the features that tell them apart appear here.",
      );
  return h(
    "section",
    { class: "features" },
    h(
      "h2",
      {},
      "Features",
      h("span", { class: "quietly" }, isLate && items.length ? "following …" : "best first"),
    ),
    known.error ? h("p", { class: "late" }, known.error) : null,
    body,
  );
}

function map() {
  if (!places)
    return h(
      "section",
      { class: "map" },
      h("h2", {}, "Map"),
      h("p", { class: "empty" }, "The map is being drawn."),
    );
  const canvas = h("canvas", {
    role: "img",
    "aria-label": `Map of ${count(places.rows.length, "sample")}, similar ones near to each other; ${state.counts.sorted} sorted`,
  });
  requestAnimationFrame(() => paint(canvas));
  return h(
    "section",
    { class: "map" },
    h("h2", {}, "Map", h("span", { class: "quietly" }, "similar samples lie near")),
    canvas,
  );
}

// Colours come from the style sheet, so that they follow light and dark.
function ink(name) {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}

export const repaint = () => state && draw();

function paint(canvas) {
  const size = canvas.clientWidth || 260;
  const ratio = window.devicePixelRatio || 1;
  const height = Math.round(size * 0.72);
  canvas.width = size * ratio;
  canvas.height = height * ratio;
  const pen = canvas.getContext("2d");
  pen.scale(ratio, ratio);
  const at = ([x, y]) => [8 + x * (size - 16), height - 8 - y * (height - 16)];
  const dot = (place, radius, fillStyle) => {
    pen.beginPath();
    pen.arc(...at(place), radius, 0, 2 * Math.PI);
    pen.fillStyle = fillStyle;
    pen.fill();
  };
  const now = state.question.sample?.row;
  const isSorted = (row) => state.labels[row] !== undefined;
  const dust = ink("--dust");
  places.rows.forEach((row, k) => isSorted(row) || dot(places.places[k], 1.6, dust));
  // To ask the style sheet at every dot takes longer than to draw them.
  const inks = new Map(state.piles.map(({ number }) => [number, ink(`--${colour(number)}`)]));
  places.rows.forEach(
    (row, k) => isSorted(row) && dot(places.places[k], 4, inks.get(state.labels[row])),
  );
  const k = places.rows.indexOf(now);
  if (k < 0) return;
  dot(places.places[k], 3, ink("--ink"));
  pen.beginPath();
  pen.arc(...at(places.places[k]), 8, 0, 2 * Math.PI);
  pen.lineWidth = 2;
  pen.strokeStyle = ink("--ink");
  pen.stroke();
}
