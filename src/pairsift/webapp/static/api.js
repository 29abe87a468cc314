// Requests. An answer that is not on disk yet is kept in the page and sent again.

import { $ } from "./dom.js";

const KEPT = "pairsift-unsent";
const AGAIN = 1500;
let isBusy = false;
const watchers = new Set();

export const busy = () => isBusy;
export const onTrouble = (watcher) => watchers.add(watcher);
const tell = (text) => watchers.forEach((watcher) => watcher(text));

export class Refused extends Error {
  constructor(status, said) {
    super(said.error || "The server gave no reason.");
    this.status = status;
    this.isStale = Boolean(said.is_stale);
  }
}

export class Unreachable extends Error {}

async function call(path, options, read = (response) => response.json()) {
  let response, said;
  try {
    response = await fetch(path, { cache: "no-store", credentials: "same-origin", ...options });
    said = await (response.ok ? read(response) : response.json());
  } catch {
    throw new Unreachable("There is no connection to the server.");
  }
  if (!response.ok) throw new Refused(response.status, said);
  return said;
}

export function get(name, fields = {}) {
  return call(`/api/${name}?${new URLSearchParams(fields)}`);
}

export function file(path) {
  return call(path, {}, (response) => response.blob());
}

function post(name, body) {
  const headers = { "Content-Type": "application/json", "X-Pairsift": "1" };
  return call(`/api/${name}`, { method: "POST", headers, body: JSON.stringify(body) });
}

// The token stands behind the # of the link: it is in no log and in no history.
export async function enter() {
  const token = location.hash.slice(1);
  if (token) history.replaceState(null, "", location.pathname);
  if (token) await post("enter", { token });
}

const wait = (time) => new Promise((resolve) => setTimeout(resolve, time));

// Whether sending again can help: no connection, or the disk is full.
const isPassing = (error) => error instanceof Unreachable || error.status === 503;

async function deliver(name, body) {
  for (let attempt = 0; ; attempt += 1) {
    try {
      const said = await post(name, body);
      tell("");
      return said;
    } catch (error) {
      if (!isPassing(error)) throw error;
      $("saved").textContent = "not saved yet";
      tell(`Not saved yet. ${error.message} Your answer is kept here and sent again.`);
      await wait(AGAIN);
    }
  }
}

// One act at a time: a second click or key while one is on its way does nothing.
export async function send(name, body) {
  if (isBusy) return null;
  isBusy = true;
  sessionStorage.setItem(KEPT, JSON.stringify([name, body]));
  document.body.classList.add("busy");
  try {
    return await deliver(name, body);
  } finally {
    isBusy = false;
    sessionStorage.removeItem(KEPT);
    document.body.classList.remove("busy");
  }
}

// What a reload found unsent; the question id keeps it from counting twice.
export async function sendKept() {
  const kept = sessionStorage.getItem(KEPT);
  if (!kept) return;
  try {
    await send(...JSON.parse(kept));
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
  }
}
