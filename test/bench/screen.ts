import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Measured, measureOrders, ORDERS, ROUNDS, showOrders } from './orders.ts';
import { type Figure, grouped } from './support/figure.ts';
import { fillLarge, orderKey, productKey, skuOf } from './support/large-state.ts';
import { ADMIN_TOKEN, type Daemon, median, openRig, programs } from './support/rig.ts';

const LARGE = { products: 100_000, orders: 100_000, stopped: 15_000 };
const MAX_KB = 100;
const MAX_MS = 200;
const ASKED = 10;
const PAGES_OPEN = 50;
/** Pages wait at least this long after a look. Then they look again when the server tells of something. */
const FRESH_EVERY_MS = 5_000;
/** The server keeps an overview for ten times as long as it took to make. This is longer. */
const KEPT_TIMES = 12;

const PAGES: readonly (readonly [string, string])[] = [
  ['the orders, newest change first', 'orders'],
  ['the orders that are held', 'orders?state=held'],
  ['orders by the beginning of a number', `orders?search=${orderKey(77_777).slice(0, 5)}`],
  ['orders by the beginning of a customer', 'orders?search=Corner+Shop+42'],
  ['the products', 'products'],
  ['products by the beginning of a SKU', `products?search=${skuOf(77_777).slice(0, 8)}`],
  ['one product', `entity?kind=product&key=${productKey(77_777)}`],
  ['one order', `entity?kind=order&key=${orderKey(77_777)}`],
  ['what is found by a beginning', `find?q=${orderKey(77_777).slice(0, 8)}`],
  ['what needs somebody', 'needs'],
  ['what is held', 'needs?state=held'],
  ['what is in doubt', 'needs?state=in-doubt'],
  ['the activity', 'activity'],
  ['links', 'mappings'],
];

/** The screen over a large installation, and what open pages cost while orders flow. */
export async function screen(): Promise<Figure[]> {
  return [...(await largePages()), ...(await openPages())];
}

async function largePages(): Promise<Figure[]> {
  const rig = await openRig({ products: 2, limits: false });
  await fillLarge(join(dirname(rig.configFile), 'data'), LARGE);
  const daemon = await rig.startDaemon({ unlimited: true, roles: ['admin'] });
  const figures = [await overview(daemon)];
  for (const [what, path] of PAGES) figures.push(await page(daemon, what, path));
  const { peakMb } = await daemon.api.usage();
  figures.push({
    what: 'peak memory of a process that only serves these pages',
    value: `${grouped(peakMb)} MB`,
    comparedTo: `${grouped(LARGE.products)} products, ${grouped(LARGE.orders)} orders, ${grouped(LARGE.stopped)} of which do not go on`,
  });
  await rig.close();
  return figures;
}

interface Answer {
  readonly ms: number;
  readonly cpuMs: number;
  readonly kb: number;
}

async function ask({ api, adminUrl }: Daemon, path: string): Promise<Answer> {
  const headers = { accept: 'text/html', authorization: `Bearer ${ADMIN_TOKEN}` };
  const before = await api.usage();
  const startedMs = performance.now();
  const answer = await fetch(`${adminUrl}/${path}`, { headers });
  const kb = (await answer.arrayBuffer()).byteLength / 1024;
  const ms = performance.now() - startedMs;
  if (answer.status !== 200) throw new Error(`${path}: ${answer.status}`);
  return { ms, kb, cpuMs: (await api.usage()).cpuMs - before.cpuMs };
}

function pageFigure(what: string, answers: readonly Answer[]): Figure {
  const of = (field: keyof Answer) => median(answers.map((answer) => answer[field]));
  const slowest = Math.max(...answers.map(({ ms }) => ms));
  return {
    what,
    value: `${grouped(of('ms'))} ms, ${grouped(of('cpuMs'))} ms of processor, ${grouped(of('kb'), 1)} KB; the slowest ${grouped(slowest)} ms`,
    comparedTo: `targets ${MAX_MS} ms and ${MAX_KB} KB; median of ${answers.length}`,
    met: of('ms') <= MAX_MS && of('kb') <= MAX_KB,
  };
}

async function page(daemon: Daemon, what: string, path: string): Promise<Figure> {
  const answers: Answer[] = [];
  for (let at = 0; at < ASKED; at += 1) answers.push(await ask(daemon, path));
  return pageFigure(`${what}, ${grouped(LARGE.orders)} orders and as many products`, answers);
}

/** Each overview is made anew: the kept one is too old by then. */
async function overview(daemon: Daemon): Promise<Figure> {
  const answers: Answer[] = [];
  for (let at = 0; at < ASKED; at += 1) {
    const answer = await ask(daemon, '');
    answers.push(answer);
    await sleep(KEPT_TIMES * answer.ms);
  }
  return pageFigure(`the overview, made anew, with ${grouped(LARGE.stopped)} that do not go on`, answers);
}

/** Orders at full speed without any open page and with many open pages, in turns. */
async function openPages(): Promise<Figure[]> {
  const [program] = programs();
  if (program === undefined) throw new Error('there is no program');
  const alone: Measured[] = [];
  const watched: Measured[] = [];
  let [events, looks] = [0, 0];
  for (let round = 0; round < ROUNDS; round += 1) {
    alone.push(await measureOrders(program));
    watched.push(
      await measureOrders(program, async (daemon) => {
        const pages = Array.from({ length: PAGES_OPEN }, () => openPage(daemon));
        return async () => {
          for (const one of pages) {
            const told = await one.close();
            events += told.events;
            looks += told.looks;
          }
        };
      }),
    );
  }
  const perSecond = (of: readonly Measured[]) => grouped(ORDERS / median(of.map(({ seconds }) => seconds)));
  const told = `each page was told of ${grouped(events / ROUNDS / PAGES_OPEN)} entries and looked ${grouped(looks / ROUNDS / PAGES_OPEN, 1)} times`;
  return [
    {
      what: `${grouped(ORDERS)} orders at once with ${PAGES_OPEN} open overviews`,
      value: `${perSecond(watched)} orders a second; ${showOrders(watched)}; ${told}`,
      comparedTo: `${perSecond(alone)} orders a second; ${showOrders(alone)} with none, in turns`,
    },
  ];
}

/** Does the same as an open overview: listens, and looks again when the server tells of something. */
function openPage({ adminUrl }: Daemon): { close(): Promise<{ readonly events: number; readonly looks: number }> } {
  const ending = new AbortController();
  const headers = { authorization: `Bearer ${ADMIN_TOKEN}` };
  const { signal } = ending;
  let [events, looks, isNews] = [0, 0, false];
  const listen = async () => {
    const answer = await fetch(`${adminUrl}/api/v1/live`, { headers, signal });
    for await (const part of (answer.body ?? new ReadableStream()).pipeThrough(new TextDecoderStream())) {
      const count = part.split('\ndata: ').length - 1;
      events += count;
      isNews ||= count > 0;
    }
  };
  const look = async () => {
    for (;;) {
      await sleep(FRESH_EVERY_MS, undefined, { signal });
      if (!isNews) continue;
      isNews = false;
      looks += 1;
      await (await fetch(`${adminUrl}/`, { headers: { ...headers, accept: 'text/html' }, signal })).arrayBuffer();
    }
  };
  const both = Promise.allSettled([listen(), look()]);
  return {
    async close() {
      ending.abort();
      await both;
      return { events, looks };
    },
  };
}
