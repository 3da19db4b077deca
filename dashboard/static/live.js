/* Follows a live table. Every piece comes drawn from the server and holds nothing that the players cannot all see; the
   script puts it in place, counts down the clock of the seat to move, and says now and then how the table stands. */

import { follow, one, putPieces } from "./streams.js";

const SAY_EVERY_MS = 1500;
const TICK_MS = 100;

const table = one("#live");
const wire = one("#wire");
const all = (selector) => [...document.querySelectorAll(selector)];

let paused = false;
let waiting = {}; // pieces that came while paused
let marks = null;
let shownAt = 0;
let saidAt = 0;
let connection = "following";

function tellWire() {
  const state = connection === "following" && paused ? "paused" : connection;
  wire.textContent = wire.dataset[state];
  wire.dataset.state = state;
}

function mark(element, name, on) {
  if (on === true) element.setAttribute(name, "");
  else if (on || on === 0) element.setAttribute(name, on);
  else element.removeAttribute(name);
}

function show(moment) {
  putPieces(moment.pieces);
  marks = moment;
  shownAt = performance.now();
  table.dataset.count = moment.count;
  one("#trick").dataset.phase = moment.phase;
  for (const slot of all(".slot")) {
    const seat = Number(slot.dataset.seat);
    const played = moment.slots[seat];
    mark(slot, "data-order", played?.order);
    mark(slot, "data-wins", Boolean(played?.wins));
    mark(slot, "data-turn", moment.turn === seat);
  }
  for (const plate of all(".felt .plate")) mark(plate, "data-turn", plate.dataset.piece === `plate-${moment.turn}`);
  say(moment.said);
}

function say(text) {
  const now = performance.now();
  if (now - saidAt < SAY_EVERY_MS && !marks.over) return;
  saidAt = now;
  one("#said").textContent = text;
}

function told(moment) {
  if (table.hasAttribute("data-empty")) {
    location.reload(); // the first word of the table: the page can be drawn now
    return;
  }
  if (!paused) {
    show(moment);
    return;
  }
  waiting = { ...waiting, ...moment, pieces: { ...waiting.pieces, ...moment.pieces } };
}

function pause(on) {
  paused = on;
  if (!on && waiting.pieces) show(waiting);
  if (!on) waiting = {};
  tellWire();
}

function tick() {
  if (!marks?.runs || paused) return;
  const number = one(".felt [data-clock]");
  if (!number) return;
  const left = Math.max(0, Number(number.dataset.clock) - (performance.now() - shownAt)) / 1000;
  number.textContent = left.toLocaleString(document.documentElement.lang, {
    minimumFractionDigits: 1,
    maximumFractionDigits: 1,
  });
}

function onKey(event) {
  if (event.ctrlKey || event.altKey || event.metaKey || one("#help")?.open) return;
  if (event.target.closest("button, input, select, textarea")) return;
  const next = one("#next-table");
  if (event.key === " ") pause(!paused);
  else if (event.key === "?") one("#help")?.showModal();
  else if (event.key.toLowerCase() === "n" && next) location.assign(next.href);
  else return;
  event.preventDefault();
}

if (table) {
  follow(table.dataset.stream, told, (state) => {
    connection = state;
    tellWire();
  });
  setInterval(tick, TICK_MS);
  document.addEventListener("keydown", onKey);
}
