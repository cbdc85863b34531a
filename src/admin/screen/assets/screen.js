/* The additions of a page to its HTML: times in the reader's zone, parts that update themselves, and keys. Every page works without. */

const LOOK_EVERY_MS = 1_500;
const FRESH_EVERY_MS = 5_000;
const OLD_AFTER_MS = 30_000;

function two(number) {
  return String(number).padStart(2, '0');
}

function offset(date) {
  const minutes = -date.getTimezoneOffset();
  const sign = minutes < 0 ? '−' : '+';
  return `${sign}${two(Math.floor(Math.abs(minutes) / 60))}:${two(Math.abs(minutes) % 60)}`;
}

const dayOf = (date) => `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
const clockOf = (date) => `${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}`;

function brief(date) {
  const now = new Date();
  const clock = clockOf(date).slice(0, 5);
  if (date.toDateString() === now.toDateString()) return clock;
  const day = `${date.getDate()} ${date.toLocaleString('en', { month: 'short' })}`;
  return date.getFullYear() === now.getFullYear() ? `${day} ${clock}` : `${day} ${date.getFullYear()}`;
}

function localTimes(root) {
  for (const time of root.querySelectorAll('time[datetime]')) {
    const date = new Date(time.dateTime);
    if (Number.isNaN(date.getTime())) continue;
    const [day, clock] = [dayOf(date), clockOf(date)];
    const isToday = date.toDateString() === new Date().toDateString();
    time.textContent = 'brief' in time.dataset ? brief(date) : isToday ? clock : `${day} ${clock}`;
    time.title = `${day} ${clock} ${offset(date)}`;
  }
  for (const title of root.querySelectorAll('title[data-at]')) {
    const date = new Date(title.dataset.at);
    const shown = `${dayOf(date)} ${clockOf(date)} ${offset(date)}`;
    title.textContent = title.textContent.replace(/^[-\d]+ [:\d]+ UTC/, shown);
  }
  for (const text of root.querySelectorAll('[data-short]')) {
    const date = new Date(text.dataset.short);
    const month = date.toLocaleString('en', { month: 'short' });
    text.textContent = `${date.getDate()} ${month} ${clockOf(date).slice(0, 5)}`;
  }
  for (const zone of root.querySelectorAll('[data-zone]')) {
    const name = Intl.DateTimeFormat().resolvedOptions().timeZone;
    zone.textContent = `of your zone, ${name} (${offset(new Date())})`;
  }
}

/* Parts that are marked as live are fetched again when the server tells of something, and from time to time, unless somebody
 * reads, types or chooses there. */
let isPaused = false;
let isNews = false;
let shownAt = Date.now();
let source = null;

function listen() {
  const account = new URLSearchParams(location.search).get('account');
  const url = new URL('api/v1/live', document.baseURI);
  if (account !== null) url.searchParams.set('account', account);
  source = new EventSource(url);
  source.onmessage = () => {
    isNews = true;
  };
  source.addEventListener('missed', source.onmessage);
}

/* Without events a page asks as often as it may. Tasks in the background send no events. */
function isDue() {
  const age = Date.now() - shownAt;
  const isOpen = source?.readyState === EventSource.OPEN;
  const isRunning = document.querySelector('[data-task="running"]') !== null;
  return isRunning || (age >= FRESH_EVERY_MS && (isNews || !isOpen)) || age >= OLD_AFTER_MS;
}

/* A part that somebody has opened or closed stays so. */
function keepFolds(part, next) {
  for (const fold of next.querySelectorAll('details[id]')) {
    const before = part.querySelector(`#${CSS.escape(fold.id)}`);
    if (before !== null) fold.open = before.open;
  }
}

async function refresh() {
  const parts = document.querySelectorAll('[data-live]');
  if (parts.length === 0 || isPaused || document.hidden || !isDue()) return;
  isNews = false;
  shownAt = Date.now();
  const answer = await fetch(location.href, { headers: { accept: 'text/html' } });
  if (!answer.ok || answer.redirected) return;
  const fresh = new DOMParser().parseFromString(await answer.text(), 'text/html');
  for (const part of parts) {
    const next = fresh.getElementById(part.id);
    const isTyped = [...part.querySelectorAll('input:not([type=hidden])')].some(
      (one) => one.value !== one.defaultValue,
    );
    const isBusy = isTyped || part.contains(document.activeElement) || part.querySelector('input:checked') !== null;
    if (next === null || isBusy || next.innerHTML === part.dataset.shown) continue;
    part.dataset.shown = next.innerHTML;
    keepFolds(part, next);
    part.replaceChildren(...next.childNodes);
    dress(part);
  }
}

function dress(root) {
  localTimes(root);
  fewRows(root);
  for (const table of root.querySelectorAll('table.rows')) tickAll(table);
}

/* On a phone a table shows 20 rows at a time. */
const AT_ONCE = 20;

function fewRows(root) {
  if (!matchMedia('(max-width: 40rem)').matches) return;
  for (const table of root.querySelectorAll('table.rows')) {
    const left = [...table.tBodies[0].rows].slice(AT_ONCE);
    if (left.length === 0) continue;
    for (const row of left) row.hidden = true;
    const button = Object.assign(document.createElement('button'), { type: 'button', className: 'second more' });
    const tell = () => {
      button.textContent = `Show ${Math.min(AT_ONCE, left.length)} more of ${left.length}`;
    };
    button.addEventListener('click', () => {
      for (const row of left.splice(0, AT_ONCE)) row.hidden = false;
      if (left.length === 0) button.remove();
      else tell();
    });
    tell();
    table.parentElement.after(button);
  }
}

/* A list follows what is typed and chosen above it. Its address follows too, so that it can be loaded again and sent to somebody. */
const TYPED_MS = 250;

function findAsTyped(form) {
  const button = form.querySelector('button:not([name])');
  const told = Object.assign(document.createElement('p'), { className: 'hidden' });
  told.setAttribute('role', 'status');
  form.after(told);
  button.hidden = true;
  let [timer, asked] = [0, new AbortController()];
  const find = async () => {
    asked.abort();
    asked = new AbortController();
    const url = new URL(form.action);
    url.search = new URLSearchParams([...new FormData(form)].filter(([, value]) => value !== ''));
    const answer = await fetch(url, { headers: { accept: 'text/html' }, signal: asked.signal });
    if (!answer.ok || answer.redirected) return form.submit();
    const fresh = new DOMParser().parseFromString(await answer.text(), 'text/html');
    const found = document.getElementById(form.dataset.finds);
    found.replaceChildren(...fresh.getElementById(form.dataset.finds).childNodes);
    history.replaceState(null, '', url);
    at = -1;
    dress(found);
    const count = found.querySelectorAll('tbody tr').length;
    told.textContent = count === 1 ? '1 row is shown' : `${count} rows are shown`;
  };
  // A question that was given up needs no answer. The form itself is sent after any other failure.
  const otherwise = (error) => (error instanceof DOMException && error.name === 'AbortError') || form.submit();
  const soon = (ms) => {
    clearTimeout(timer);
    timer = setTimeout(() => void find().catch(otherwise), ms);
  };
  form.addEventListener('input', ({ target }) => soon(target.matches('input') ? TYPED_MS : 0));
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    soon(0);
  });
}

/* One box ticks all rows of its table. With the Shift key, a box ticks all rows since the last one. */
function tickAll(table) {
  const boxes = [...table.querySelectorAll('tbody input[type=checkbox]')];
  const place = table.querySelector('thead th.w-tick');
  if (place === null || boxes.length < 2) return;
  const all = Object.assign(document.createElement('input'), { type: 'checkbox' });
  all.setAttribute('aria-label', `${place.textContent}: all rows`);
  place.replaceChildren(all);
  let last = null;
  const tell = () => {
    const count = boxes.filter(({ checked }) => checked).length;
    all.checked = count === boxes.length;
    all.indeterminate = count > 0 && count < boxes.length;
  };
  all.addEventListener('change', () => {
    for (const box of boxes) box.checked = all.checked;
  });
  table.addEventListener('click', ({ target, shiftKey }) => {
    const to = boxes.indexOf(target);
    if (to < 0) return;
    if (shiftKey && last !== null)
      for (const box of boxes.slice(Math.min(last, to), Math.max(last, to) + 1)) box.checked = target.checked;
    last = to;
    tell();
  });
}

/* A moment of the past is shown and chosen in the reader's zone, and asked for as an instant. */
function localMoment(form) {
  const field = form.querySelector('[name=at]');
  const local = (date) => new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 19);
  if (field.value !== '') field.value = local(new Date(`${field.value}Z`));
  form.querySelector('[data-utc]').remove();
  form.addEventListener('formdata', ({ formData }) => {
    if (field.value !== '') formData.set('at', new Date(field.value).toISOString());
  });
}

function livePause() {
  const button = document.querySelector('[data-pause]');
  if (button === null) return;
  button.hidden = false;
  button.addEventListener('click', () => {
    isPaused = !isPaused;
    if (isPaused) source?.close();
    else {
      listen();
      isNews = true;
      shownAt = 0;
    }
    button.textContent = isPaused ? 'Go on showing what comes' : 'Pause';
    button.setAttribute('aria-pressed', String(isPaused));
  });
}

/* Keys: / finds, j and k go through the rows, Enter opens, r loads again, p pauses the live parts, ? shows the keys. */
const KEYS = 'stockbridge-keys';
let at = -1;

function rows() {
  return [...document.querySelectorAll('main tbody tr, main .cards > li')].filter((row) => row.querySelector('a'));
}

function go(step) {
  const all = rows();
  if (all.length === 0) return;
  all[at]?.removeAttribute('data-at');
  at = Math.min(Math.max(at + step, 0), all.length - 1);
  all[at].setAttribute('data-at', '');
  all[at].querySelector('a').focus();
  all[at].scrollIntoView({ block: 'nearest' });
}

function help() {
  const told = document.querySelector('dialog') ?? document.body.appendChild(document.createElement('dialog'));
  const lines = [
    ['/', 'find'],
    ['j  k', 'next and previous row'],
    ['Enter', 'open it'],
    ['r', 'look again'],
    ['p', 'pause what is live'],
    ['?', 'this list'],
  ];
  told.setAttribute('aria-label', 'Keys');
  told.replaceChildren(
    ...lines.map(([key, text]) => {
      const line = document.createElement('p');
      const name = document.createElement('kbd');
      name.textContent = key;
      line.append(name, ` ${text}`);
      return line;
    }),
    Object.assign(document.createElement('button'), { textContent: 'Close', onclick: () => told.close() }),
  );
  told.showModal();
}

const ON_KEY = {
  '/': () => document.querySelector('main input[type=search], .find input[type=search]')?.focus(),
  j: () => go(1),
  k: () => go(-1),
  r: () => location.reload(),
  p: () => document.querySelector('[data-pause]')?.click(),
  '?': help,
};

function keyboard() {
  const button = document.querySelector('[data-keys]');
  const isOn = () => localStorage.getItem(KEYS) !== 'off';
  const tell = () => {
    button.textContent = isOn() ? 'Keyboard: on (? shows the keys)' : 'Keyboard: off';
    button.setAttribute('aria-pressed', String(isOn()));
  };
  if (button !== null) {
    button.hidden = false;
    button.addEventListener('click', () => {
      localStorage.setItem(KEYS, isOn() ? 'off' : 'on');
      tell();
    });
    tell();
  }
  document.addEventListener('keydown', (event) => {
    const isTyped = event.target.closest('input, select, textarea, [contenteditable]') !== null;
    if (!isOn() || isTyped || event.ctrlKey || event.metaKey || event.altKey) return;
    const act = Object.hasOwn(ON_KEY, event.key) ? ON_KEY[event.key] : undefined;
    if (act === undefined) return;
    event.preventDefault();
    act();
  });
}

document.querySelector('nav [aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'center' });
dress(document);
for (const form of document.querySelectorAll('[data-moment]')) localMoment(form);
for (const form of document.querySelectorAll('[data-finds]')) findAsTyped(form);
livePause();
keyboard();
if (document.querySelector('[data-live]') !== null) {
  listen();
  setInterval(() => {
    refresh().catch(() => undefined);
  }, LOOK_EVERY_MS);
}

/* A mark of a picture opens what it stands for. The table below the picture has the same links, also for the keyboard. */
document.addEventListener('click', ({ target }) => {
  const mark = target.closest('[data-to]');
  if (mark !== null) location.assign(new URL(mark.dataset.to, document.baseURI));
});
