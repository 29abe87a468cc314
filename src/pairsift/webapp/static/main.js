// The page: asks for the state, draws it, and turns keys and clicks into answers.

import { $, h, fill, say } from "./dom.js";
import { enter, get, send, sendKept, busy, onTrouble, Refused, Unreachable } from "./api.js";
import {
  showQuestion,
  showChances,
  compareNext,
  help,
  setActs as setQuestionActs,
} from "./question.js";
import { showTells, repaint } from "./tells.js";
import {
  openPile,
  openAnswer,
  openFiles,
  openPeople,
  askName,
  setActs as setDialogActs,
} from "./dialogs.js";

const page = {
  about: null,
  state: null,
  mode: "cards",
  person: "",
  since: 0,
  hidden: 0,
  trouble: "",
};

const who = () => ({ person: page.person, mode: page.mode });

function show(state, words = "") {
  page.state = state;
  page.since = performance.now();
  page.hidden = 0;
  const { counts, piles } = state;
  const pairs = counts.same + counts.different;
  fill(
    $("counts"),
    h("span", {}, h("b", {}, String(counts.sorted)), " sorted"),
    h("span", {}, h("b", {}, String(piles.length)), piles.length === 1 ? " pile" : " piles"),
    pairs
      ? h(
          "span",
          {},
          h("b", {}, String(counts.same)),
          " same, ",
          h("b", {}, String(counts.different)),
          " different",
        )
      : null,
    h("span", {}, h("b", {}, String(counts.unsure)), " unsure"),
  );
  for (const mode of ["cards", "pairs"])
    $(`mode-${mode}`).setAttribute("aria-pressed", String(page.mode === mode));
  showQuestion(state);
  showTells(state);
  alerts();
  say([words, announced(state.question)].filter(Boolean).join(" "));
}

function announced(question) {
  if (question.kind === "end") return "Nothing is left to ask.";
  if (question.kind === "pair")
    return `Same or different: ${question.sample.name} and ${question.others[0].name}?`;
  return `Next card: sample ${question.sample.name}.`;
}

function alerts() {
  const found = [];
  if (page.trouble) found.push(h("p", { class: "alert trouble" }, page.trouble));
  for (const conflict of page.state?.conflicts ?? []) found.push(contradiction(conflict));
  fill($("alerts"), found);
}

function contradiction(conflict) {
  const links = conflict.answers.map((link) =>
    h(
      "button",
      { type: "button", dir: "auto", onclick: () => openAnswer(link) },
      `${link.names[0]} ${link.answer === "different" ? "≠" : "="} ${link.names[1]}`,
    ),
  );
  return h(
    "p",
    { class: "alert soft" },
    h("span", {}, "These answers contradict each other; click one to look at it again: "),
    ...links,
  );
}

// Saved, or why not. A stale answer is not given: the present question is shown.
async function act(name, body) {
  if (busy()) return null;
  try {
    const found = await send(name, { ...who(), ...body });
    if (!found) return null;
    page.trouble = "";
    const time = new Date().toLocaleTimeString();
    $("saved").textContent = `✓ saved ${time}`;
    show(found, "Saved.");
    return found;
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    await refused(error);
    return null;
  }
}

async function refused(error) {
  page.trouble = error.isStale ? `${error.message} This is the present question.` : error.message;
  if (error.status === 409) await load();
  else alerts();
}

const seconds = () => Math.round(performance.now() - page.since - page.hidden) / 1000;

const acts = {
  state: () => page.state,
  trouble: () => page.trouble,
  act: (name, body) => act(name, { version: page.state.version, ...body }),
  answer: (answer) => {
    const { question } = page.state;
    if (question.kind !== "end")
      act("answer", { question: question.id, answer, seconds: seconds() });
  },
  undo: () => page.state.can_undo && acts.act("undo", {}),
  redo: () => page.state.can_redo && acts.act("redo", {}),
  opinion: async () => {
    if (page.state.question.kind === "end" || busy()) return;
    try {
      const found = await send("opinion", { ...who(), question: page.state.question.id });
      if (!found) return;
      showChances(found);
      say(document.querySelector(".opinion")?.textContent ?? "");
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      await refused(error);
    }
  },
  open: (number) => openPile(number),
};

async function load() {
  show(await get("state", who()));
}

async function setMode(mode) {
  if (busy() || mode === page.mode) return;
  page.mode = mode;
  await load();
}

function onKey(event) {
  if (event.ctrlKey || event.metaKey || event.altKey || event.repeat || !page.state) return;
  if ($("dialog").open || event.target.closest("input, select, textarea")) return;
  const { kind } = page.state.question;
  const letter = event.key.toLowerCase();
  const pile = kind === "card" && page.state.piles.find((p) => String(p.key) === event.key);
  const keys = {
    z: acts.undo,
    y: acts.redo,
    m: acts.opinion,
    "?": help,
    u: () => acts.answer("unsure"),
  };
  if (kind === "card")
    Object.assign(keys, {
      n: () => acts.answer("new"),
      arrowright: () => compareNext(1),
      arrowleft: () => compareNext(-1),
    });
  if (kind === "pair")
    Object.assign(keys, { s: () => acts.answer("same"), d: () => acts.answer("different") });
  const run = pile
    ? () => acts.answer(pile.number)
    : Object.hasOwn(keys, letter)
      ? keys[letter]
      : null;
  if (!run) return;
  event.preventDefault();
  run();
}

function listen() {
  document.addEventListener("keydown", onKey);
  let hiddenSince = 0;
  document.addEventListener("visibilitychange", () => {
    if (document.hidden) hiddenSince = performance.now();
    else if (hiddenSince) page.hidden += performance.now() - hiddenSince;
  });
  $("help").addEventListener("click", help);
  $("files").addEventListener("click", openFiles);
  $("people").addEventListener("click", openPeople);
  for (const mode of ["cards", "pairs"])
    $(`mode-${mode}`).addEventListener("click", () => setMode(mode));
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", repaint);
  addEventListener("hashchange", begin);
  onTrouble((text) => {
    page.trouble = text;
    alerts();
  });
}

async function begin() {
  try {
    await enter();
    page.about = await get("about");
    page.mode = page.about.mode;
    $("title").textContent = page.about.title;
    document.title = `${page.about.title || "samples"} · pairsift label`;
    document.body.dataset.looks = page.about.looks;
    $("people").hidden = !page.about.is_shared;
    page.person = sessionStorage.getItem("pairsift-person") ?? page.about.person;
    await sendKept();
    if (page.about.is_shared && !page.person) askName(setPerson);
    else await load();
  } catch (error) {
    if (!(error instanceof Refused || error instanceof Unreachable)) throw error;
    page.trouble =
      error instanceof Refused ? error.message : `${error.message} Is \`pairsift label\` running?`;
    alerts();
  }
}

async function setPerson(name) {
  page.person = name;
  sessionStorage.setItem("pairsift-person", name);
  await load();
}

setQuestionActs(acts);
setDialogActs(acts);
listen();
begin();
