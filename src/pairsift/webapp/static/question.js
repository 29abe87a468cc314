// The card and its piles, or the two samples of a pair.

import { $, h, fill, count, colour, pileName, openDialog } from "./dom.js";
import { get } from "./api.js";
import { table, glance } from "./sample.js";
import { draggable } from "./drag.js";

const view = { id: "", compared: 0, isOpen: false, find: "", cells: null, chances: null };
// The picture of the next card, loaded while the person looks at this one.
const ahead = new Image();
let acts = null;
let seen = null;

export const setActs = (given) => {
  acts = given;
};

export function showQuestion(state) {
  const isNew = !seen || seen.question.id !== state.question.id;
  seen = state;
  if (isNew)
    Object.assign(view, {
      id: state.question.id,
      compared: 0,
      isOpen: false,
      find: "",
      cells: state.question.table,
      chances: null,
    });
  draw();
  if (state.question.ahead) ahead.src = state.question.ahead;
  if (isNew) $("card").classList.add("fresh");
  setTimeout(() => $("card").classList.remove("fresh"), 250);
}

export function compareNext(step) {
  const n =
    seen && seen.question.kind === "card"
      ? Math.min(seen.question.others.length, view.cells.cells.length - 1)
      : 0;
  if (n > 1) compareWith((view.compared + step + n) % n);
}

function compareWith(k) {
  if (k === view.compared || k >= view.cells.cells.length - 1) return;
  view.compared = k;
  draw();
}

export function showChances(found) {
  if (found.question !== view.id) return;
  view.chances = found.chances;
  draw();
}

function draw() {
  const { question } = seen;
  document.body.dataset.kind = question.kind;
  if (question.kind === "end") drawEnd();
  else if (question.kind === "pair") drawPair(question);
  else drawCard(question);
  drawPiles(question);
}

// The second click of a double click would answer a card that was not looked at yet.
const single = (act) => (event) => event.detail < 2 && act();

const unseen = (text) => h("span", { class: "unseen" }, text);

const key = (text) => h("kbd", { "aria-hidden": "true" }, text);

function button(text, letter, act, given = {}) {
  return h(
    "button",
    { type: "button", onclick: act, "aria-keyshortcuts": letter, ...given },
    key(letter),
    h("span", {}, text),
  );
}

function after() {
  return h(
    "div",
    { class: "after" },
    h(
      "button",
      { type: "button", class: "quiet", onclick: acts.opinion, "aria-keyshortcuts": "M" },
      key("M"),
      " The model's opinion",
    ),
    button("Undo", "Z", acts.undo, { disabled: !seen.can_undo, class: "small" }),
    button("Redo", "Y", acts.redo, { disabled: !seen.can_redo, class: "small" }),
  );
}

const more = () => ({
  isOpen: view.isOpen,
  find: view.find,
  toggle: () => widen(!view.isOpen),
  search: (word) => search(word),
});

async function widen(isOpen) {
  view.isOpen = isOpen;
  const { question } = seen;
  if (isOpen && view.cells.total > view.cells.columns.length) await load(question);
  draw();
}

async function search(word) {
  view.find = word;
  await load(seen.question);
  view.isOpen = view.isOpen || Boolean(word);
  draw();
}

async function load(question) {
  const rows = [question.sample, ...question.others].slice(0, 13).map((sample) => sample.row);
  view.cells = await get("compare", { rows: rows.join(","), find: view.find });
}

function chanceText() {
  if (!view.chances) return null;
  if (!view.chances.length)
    return h(
      "p",
      { class: "opinion" },
      "The model has no opinion yet: it needs answers of both kinds.",
    );
  const best = [...view.chances].sort((a, b) => b.chance - a.chance)[0];
  const pile = seen.piles.find((p) => p.number === best.pile);
  const what =
    seen.question.kind === "pair"
      ? "these two are the same"
      : `it belongs on ${pile ? pileName(pile) : "that pile"}`;
  return h(
    "p",
    { class: "opinion" },
    `The model thinks with ${Math.round(100 * best.chance)}% that ${what}.`,
  );
}

// Two samples side by side, if there is more to see of them than values.
function sideBySide(one, two, parts, captions, given = {}) {
  const look = glance(one, parts?.card);
  if (!look) return null;
  const caption = (text) => h("figcaption", { dir: "auto" }, text);
  return h(
    "div",
    { class: "looks" },
    h("figure", {}, look, caption(captions[0])),
    two ? h("figure", given, glance(two, parts?.pile), caption(captions[1])) : null,
  );
}

const values = (hasLook, which, heads) =>
  hasLook && !view.isOpen ? [valuesButton()] : table(view.cells, which, heads, more());

function cardHead(name, other, pile) {
  return h(
    "header",
    { class: "handle" },
    h("p", { class: "eyebrow" }, "Where does it belong?"),
    h("h2", { id: "card-name", dir: "auto" }, `Sample ${name}`),
    pile
      ? h(
          "p",
          { class: `versus ${colour(pile.number)}`, dir: "auto" },
          h("span", { class: "chip" }),
          `beside ${other.name}, the nearest on ${pileName(pile)}`,
        )
      : h("p", { class: "versus" }, "the first card begins a pile"),
  );
}

function drawCard(question) {
  const other = question.others[view.compared];
  const pile = other && seen.piles.find((p) => p.number === question.order[view.compared]);
  const head = cardHead(question.sample.name, other, pile);
  const looks = sideBySide(
    question.sample,
    other,
    question.words?.[view.compared],
    ["this sample", pile ? `${pileName(pile)}: ${other.name}` : ""],
    { class: pile ? colour(pile.number) : null },
  );
  fill(
    $("card"),
    head,
    looks,
    ...values(looks, other ? view.compared + 1 : null, ["this", "that"]),
    chanceText(),
    h(
      "div",
      { class: "answers" },
      button("New pile", "N", single(() => acts.answer("new")), {
        id: "new",
        class: question.others.length ? "" : "first",
      }),
      button("Unsure", "U", single(() => acts.answer("unsure"))),
    ),
    after(),
  );
  draggable(head, $("card"), (where) => acts.answer(/^\d+$/.test(where) ? Number(where) : where));
}

function valuesButton() {
  return h(
    "button",
    { type: "button", class: "quiet", "aria-expanded": "false", onclick: () => widen(true) },
    `Show ${count(view.cells.total, "value")}`,
  );
}

function drawPair(question) {
  const [one, two] = [question.sample, question.others[0]];
  const names = [one.name, two.name];
  const looks = sideBySide(one, two, question.words?.[0], names);
  fill(
    $("card"),
    h(
      "header",
      {},
      h("p", { class: "eyebrow" }, "Same or different?"),
      h("h2", { id: "card-name", dir: "auto" }, `${one.name} and ${two.name}`),
    ),
    looks,
    ...values(looks, 1, names),
    chanceText(),
    h(
      "div",
      { class: "answers" },
      button("Same", "S", single(() => acts.answer("same"))),
      button("Different", "D", single(() => acts.answer("different"))),
      button("Unsure", "U", single(() => acts.answer("unsure"))),
    ),
    after(),
  );
}

function drawEnd() {
  fill(
    $("card"),
    h(
      "header",
      {},
      h("p", { class: "eyebrow" }, "Done"),
      h("h2", { id: "card-name" }, "Nothing is left to ask"),
    ),
    h(
      "p",
      {},
      "Every sample is sorted. Take the results home with Files, or change piles on the right.",
    ),
    after(),
  );
}

// What is seen of a pile: its key, name and size, and its sample or where that differs.
function tileInside(pile, sample, apart) {
  const cut = sample && "text" in sample ? { ...sample, text: sample.text.slice(0, 90) } : sample;
  const look = cut && glance(cut);
  const chance = view.chances?.find((c) => c.pile === pile.number);
  const difference = (d, place) =>
    h(
      "span",
      {},
      place ? null : h("span", { class: "differing" }, "differs: "),
      h("b", { dir: "auto" }, d.column),
      ` ${d.pile ?? "missing"}`,
    );
  return [
    h(
      "span",
      { class: "name" },
      pile.key ? key(String(pile.key)) : h("span", { class: "chip" }),
      seen.question.kind === "card" ? unseen("Place on ") : null,
      h("span", { class: "label", dir: "auto" }, pileName(pile)),
      h(
        "span",
        { class: "size" },
        String(pile.size),
        h("span", { class: "unit" }, pile.size === 1 ? " sample" : " samples"),
      ),
    ),
    sample ? unseen(`beside ${sample.name}`) : null,
    look ? h("span", { class: "look" }, look) : null,
    apart.length && !look ? h("span", { class: "apart" }, ...apart.map(difference)) : null,
    chance ? h("span", { class: "chance" }, `${Math.round(100 * chance.chance)}%`) : null,
  ];
}

function tile(pile, k, question) {
  const isCard = question.kind === "card";
  const [sample, apart] = k === null ? [null, []] : [question.others[k], question.differences[k]];
  const place = h(
    "button",
    {
      type: "button",
      class: "place",
      "aria-keyshortcuts": pile.key ? String(pile.key) : null,
      disabled: !isCard,
      onclick: single(() => acts.answer(pile.number)),
      // By key only: to redraw what the mouse has pressed would swallow its click.
      onfocus: (e) => e.target.matches(":focus-visible") && k !== null && compareWithFocus(k),
      // A pointer that rests where the last card was dropped compares nothing.
      onpointermove: (e) =>
        e.pointerType === "mouse" && (e.movementX || e.movementY) && k !== null && compareWith(k),
      data: { drop: String(pile.number), pile: String(pile.number) },
    },
    ...tileInside(pile, sample, apart),
  );
  const open = h(
    "button",
    {
      type: "button",
      class: "open",
      "aria-label": `Look into ${pileName(pile)}`,
      onclick: () => acts.open(pile.number),
    },
    "⋯",
  );
  const isCompared = isCard && k === view.compared;
  return h(
    "li",
    { class: `pile ${colour(pile.number)} ${isCompared ? "compared" : ""}` },
    place,
    open,
  );
}

// Redrawing takes the focus away: it is given back to the same pile.
function compareWithFocus(k) {
  if (k === view.compared) return;
  const { pile } = document.activeElement.dataset;
  compareWith(k);
  document.querySelector(`[data-pile="${pile}"]`)?.focus();
}

function drawPiles(question) {
  const order = question.order || [];
  const byNumber = new Map(seen.piles.map((pile) => [pile.number, pile]));
  const known = order.filter((number) => byNumber.has(number));
  const rest = seen.piles.filter((pile) => !known.includes(pile.number));
  const tiles = [
    ...known.map((number) => tile(byNumber.get(number), order.indexOf(number), question)),
    ...rest.map((pile) => tile(pile, null, question)),
  ];
  const title = h(
    "h2",
    {},
    "Piles",
    h(
      "span",
      { class: "quietly" },
      question.kind === "card" && known.length > 1 ? "nearest first" : "",
    ),
  );
  const body = tiles.length
    ? h("ol", { class: "stack" }, ...tiles)
    : h("p", { class: "empty" }, "There is no pile yet. Press N: this card begins the first.");
  // The buttons of the card move with it: this is where a dragged one is dropped.
  const drop =
    question.kind === "card" && tiles.length
      ? h(
          "p",
          { class: "newdrop", "aria-hidden": "true", data: { drop: "new" } },
          "drag here for a new pile",
        )
      : null;
  fill($("piles"), title, body, drop);
}

export function help() {
  const lines = [
    ["1 – 9", "place the card on the pile with that number"],
    ["N", "begin a new pile"],
    ["U", "unsure: not asked again"],
    ["S, D", "same, different (pairs)"],
    ["Z, Y", "undo, redo: as many steps as you like"],
    ["← →", "compare with another pile"],
    ["M", "ask for the model's opinion; that you did is recorded"],
    ["?", "this help"],
  ];
  openDialog(
    "Keys",
    h(
      "table",
      { class: "keys" },
      h(
        "tbody",
        {},
        ...lines.map(([k, text]) =>
          h("tr", {}, h("th", { scope: "row" }, h("kbd", {}, k)), h("td", {}, text)),
        ),
      ),
    ),
    h(
      "p",
      {},
      "A card may also be dragged onto a pile, or a pile tapped. Dots show where a value lies among all rows, from the lowest to the highest; the filled dot is the card, the ring the sample that it is compared with. ⋯ opens a pile: name it, merge it, move its cards.",
    ),
    h(
      "p",
      {},
      "Every answer is on disk before the page says “saved”. You may close the page at any time; the same command goes on where you stopped.",
    ),
  );
}
