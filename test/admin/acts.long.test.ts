import type { Locator, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { ACTS } from '../../src/admin/screen/acts.ts';
import { cause } from '../../src/domain/causes/cause.ts';
import { noteSide } from '../../src/shadow/alerts.ts';
import { needing } from '../support/needing.ts';
import { at, openScreen, TOKENS, useChromium } from '../support/screen.ts';
import { type Stage, until } from '../support/stage.ts';

type Filled = Readonly<Record<string, string | readonly string[]>>;

/** One act, by a form that a page has for it. */
interface Row {
  readonly act: string;
  readonly what: string;
  /** Makes a case for the act, and answers the page that has its form. */
  readonly page: (stage: Stage) => Promise<string> | string;
  readonly button: string | RegExp;
  /** The part of the page that has the form, where several parts have such a form. */
  readonly within?: string;
  /** The summary of the fold that has the form, where it is folded in. */
  readonly open?: string;
  /** Fills the form, by the names of its fields. */
  readonly fill?: (stage: Stage) => Filled | Promise<Filled>;
  /** The button that answers the question before the act. Until then, nothing is done. */
  readonly sure?: RegExp;
  readonly said: RegExp;
  /** The act that takes it back by the button Undo, and the sentence after it. The record then shows the act no longer. */
  readonly undo?: { readonly act: string; readonly said: RegExp; readonly sure?: RegExp };
  /** Does the record show the act? It must not before the act, and must soon after. */
  readonly done: (stage: Stage) => Promise<boolean> | boolean;
}

const stockOf = (key: string) => ({ account: 'main', flow: 'stock', key });

/**
 * A job that has failed with this message, and the page that shows it. The daemon has nothing to look at in its entity, so the failure
 * stays until somebody acts on it.
 */
async function failed(stage: Stage, key: string, message: string, page = 'needs?state=failed'): Promise<string> {
  const { work } = stage.store();
  await until('no look at it is left', async () => (await work.get(stockOf(key))) === null);
  await work.fail(stockOf(key), 0, 'marketplace-unavailable', message, 5);
  return page;
}

const isNotFailed = async (stage: Stage, key: string) => (await stage.store().work.failed(stockOf(key))).length === 0;

/** The number of such acts in the audit log. */
const audited = async (stage: Stage, action: string, target: (text: string) => boolean = () => true) =>
  (await stage.store().audit.latest(200)).some(
    (one) => one.action === action && one.who === 'operator token' && target(one.target),
  );

/** Puts a create in doubt, and answers the page that asks about it. */
async function doubted(stage: Stage, key: string, candidates: string[] = []): Promise<string> {
  const { intents } = stage.store();
  const id = await intents.open({ account: 'main', kind: 'product', key, externalId: key });
  await intents.inDoubt(id, cause('several-match', { found: ['listing 70', 'listing 71'], sent: true }), candidates);
  return 'needs?state=in-doubt';
}

const isNotDoubted = async (stage: Stage, key: string) =>
  (await stage.store().intents.of({ account: 'main', kind: 'product', key })).every(
    ({ state }) => state !== 'in-doubt',
  );

/** Makes a figure become zero, which the brake stops. */
async function braked(stage: Stage, sku: string): Promise<string> {
  stage.erp.control.setStock(sku, '0');
  await until('the brake holds it', async () => (await stage.store().brakes.open('main')).length > 0);
  return 'brakes';
}

/** Has a listing archived on the marketplace, which holds its product. */
async function archivedByHand(stage: Stage, sku: string): Promise<string> {
  const { id, archived } = stage.marketplace.productBySku(sku);
  if (!archived) stage.marketplace.archiveProduct(id);
  await stage.sync();
  const product = { account: 'main', flow: 'product', key: `P-00${sku.slice('SB-'.length)}` };
  await until('it is held', async () => (await stage.store().work.get(product))?.state === 'held');
  return `entity?kind=product&key=${id}`;
}

/** A listing and a product that stand alone and have their name in common. @returns the number of the listing */
async function lone(stage: Stage, sku: string, name: string): Promise<string> {
  stage.marketplace.createProducts([{ sku, name, quantity: 5 }]);
  const product = { name, price: { amount: '2.00', currency: 'USD' }, unit_multiplier: '1', on_hand: '3' };
  stage.erp.control.addProducts([{ sku: `ERP-${sku}`, ...product }]);
  const { unlinked } = stage.store();
  await until('both are known', async () => {
    const listings = await unlinked.listings('main', 0, 50);
    const products = await unlinked.products('main', '', 50);
    return listings.some((one) => one.sku === sku) && products.some((one) => one.sku === `ERP-${sku}`);
  });
  return idOf(stage, sku);
}

const idOf = (stage: Stage, sku: string) => String(stage.marketplace.productBySku(sku).id);
const linkOf = (stage: Stage, sku: string) =>
  stage.store().mappings.byMarketplaceId('main', 'product', idOf(stage, sku));
const isProductLinked = async (stage: Stage, erpId: string) =>
  (await stage.store().mappings.linkedTo('main', 'product', erpId)) !== null;

async function ask<Answer>(stage: Stage, path: string): Promise<Answer> {
  const answer = await fetch(at(stage, `api/v1/${path}`), { headers: { authorization: `Bearer ${TOKENS.viewer}` } });
  return (await answer.json()) as Answer;
}

interface Plans {
  readonly items: readonly { readonly approved: object | null; readonly applied: object | null }[];
}

interface Tasks {
  readonly items: readonly { readonly state: string }[];
}

const newestPlan = async (stage: Stage) => (await ask<Plans>(stage, 'accounts/main/plans')).items[0];

const ROWS: readonly Row[] = [
  {
    act: 'pause',
    what: 'a flow, with a reason',
    page: () => './?all=yes',
    button: 'Pause',
    fill: () => ({ flow: 'product', reason: 'stock is counted' }),
    said: /Paused: listings/,
    undo: { act: 'resume', said: /No longer paused: listings/ },
    done: async (stage) => (await stage.store().pauses.all()).some(({ reason }) => reason === 'stock is counted'),
  },
  {
    act: 'link',
    what: 'a listing and the product that looks like it, on the page of the listing',
    async page(stage) {
      await stage.store().pauses.pause('main', 'all', 'nothing is written meanwhile', 'a test');
      return `entity?kind=product&key=${await lone(stage, 'LINK-1', 'Copper kettle')}`;
    },
    button: 'Link',
    within: '.linking',
    said: /P-000005 are linked/,
    undo: { act: 'unlink', said: /They are linked no longer/ },
    done: (stage) => isProductLinked(stage, 'P-000005'),
  },
  {
    act: 'refuse',
    what: 'a pair that looks alike and is not the same',
    page: () => 'mappings?suggest=yes',
    button: 'Not the same',
    said: /is not P-000005: it is not suggested again/,
    undo: { act: 'reconsider', said: /may be P-000005 again/ },
    done: async (stage) => (await stage.store().facts.startingWith('main', 'apart:')).length > 0,
  },
  {
    act: 'link',
    what: 'a pair that looks alike',
    async page(stage) {
      const apart = { account: 'main', listingId: Number(idOf(stage, 'LINK-1')), erpId: 'P-000005' };
      await stage.store().unlinked.tellApart(apart, 'a test');
      await lone(stage, 'LINK-2', 'Iron skillet');
      return 'mappings?suggest=yes';
    },
    button: 'Link',
    within: 'table',
    said: /P-000006 are linked/,
    done: (stage) => isProductLinked(stage, 'P-000006'),
  },
  {
    act: 'link',
    what: 'a listing and a product that was searched for, although nothing makes them alike',
    async page(stage) {
      await stage.store().pauses.resume('main', 'all', 'a test');
      await lone(stage, 'LINK-3', 'Linen napkin');
      const listing = idOf(stage, 'LINK-1');
      return `entity?kind=product&key=${listing}&half=${listing}&search=erp-link-3`;
    },
    button: 'Link',
    within: '.linking',
    sure: /Link them all the same/,
    said: /P-000007 are linked/,
    done: (stage) => isProductLinked(stage, 'P-000007'),
  },
  {
    act: 'refuse-pairs',
    what: 'the pairs that are ticked, and no other',
    async page(stage) {
      await stage.store().pauses.pause('main', 'all', 'nothing is written meanwhile', 'a test');
      for (const which of [4, 5, 6]) await lone(stage, `LINK-${which}`, `Brass candlestick no. ${which}`);
      return 'mappings?suggest=yes';
    },
    button: 'The chosen are not the same',
    fill: (stage) => ({ pair: [`${idOf(stage, 'LINK-4')}=P-000008`, `${idOf(stage, 'LINK-5')}=P-000009`] }),
    said: /2 pairs are not suggested again/,
    undo: { act: 'reconsider-pairs', said: /2 pairs may be the same again/ },
    done: async (stage) => (await stage.store().facts.get('main', `apart:${idOf(stage, 'LINK-5')}:P-000009`)) !== null,
  },
  {
    act: 'link-pairs',
    what: 'the pairs that are ticked, and no other',
    page: () => 'mappings?suggest=yes',
    button: 'Link the chosen…',
    fill: (stage) => ({ pair: [`${idOf(stage, 'LINK-4')}=P-000008`, `${idOf(stage, 'LINK-5')}=P-000009`] }),
    sure: /Link them/,
    said: /2 pairs are linked/,
    async done(stage) {
      if (!(await isProductLinked(stage, 'P-000009')) || (await isProductLinked(stage, 'P-000010'))) return false;
      await stage.store().pauses.resume('main', 'all', 'a test');
      return isProductLinked(stage, 'P-000008');
    },
  },
  {
    act: 'resume',
    what: 'a paused flow',
    async page(stage) {
      await stage.store().pauses.pause('main', 'product', 'a test', 'a test');
      return './?all=yes';
    },
    button: 'Go on with listings',
    sure: /Go on with listings/,
    said: /No longer paused: listings/,
    done: async (stage) => (await stage.store().pauses.all()).length === 0,
  },
  {
    act: 'replay',
    what: 'the failed jobs that are ticked, and no other',
    async page(stage) {
      await failed(stage, 'P-000001', 'a failure that is replayed');
      return failed(stage, 'P-000002', 'a failure that stays');
    },
    button: 'Replay the chosen',
    fill: async (stage) => ({ job: String((await stage.store().work.failed(stockOf('P-000001')))[0]?.id) }),
    said: /1 job will be looked at afresh/,
    done: async (stage) => (await isNotFailed(stage, 'P-000001')) && !(await isNotFailed(stage, 'P-000002')),
  },
  {
    act: 'replay',
    what: 'a failed job, from the page of its entity',
    page: (stage) => failed(stage, 'P-000001', 'another failure', 'entity?key=P-000001&kind=product'),
    button: 'Replay',
    said: /1 job will be looked at afresh/,
    done: (stage) => isNotFailed(stage, 'P-000001'),
  },
  {
    act: 'replay',
    what: 'all of a filter',
    page: (stage) => failed(stage, 'P-000002', 'one of many', 'needs?state=failed&error=one+of'),
    button: 'Replay it…',
    sure: /Replay 1 job/,
    said: /1 job will be looked at afresh/,
    done: (stage) => isNotFailed(stage, 'P-000002'),
  },
  {
    act: 'replay',
    what: 'all of a cause, from the overview',
    async page(stage) {
      const states = async () => (await ask<Tasks>(stage, 'accounts/main/tasks')).items.map(({ state }) => state);
      await until('the replay before has ended', async () => !(await states()).includes('running'));
      return failed(stage, 'P-000002', 'one more', './');
    },
    button: 'Try it again',
    sure: /Replay 1 job/,
    said: /1 job will be looked at afresh/,
    done: (stage) => isNotFailed(stage, 'P-000002'),
  },
  {
    act: 'look-again',
    what: 'the products that are ticked in their list, and no other',
    async page(stage) {
      const { pauses, work } = stage.store();
      await pauses.pause('main', 'stock', 'stock is counted', 'a test');
      for (const sku of ['SB-0001', 'SB-0002']) stage.erp.control.setStock(sku, '12');
      for (const key of ['P-000001', 'P-000002'])
        await until(`${key} is held`, async () => (await work.get(stockOf(key)))?.state === 'held');
      return 'products?state=held';
    },
    button: 'Look at the chosen afresh',
    fill: () => ({ row: 'P-000001' }),
    said: /1 product is looked at afresh/,
    async done(stage) {
      const isAsked = (key: string) => audited(stage, 'work.again', (target) => target === key);
      if (!(await isAsked('P-000001')) || (await isAsked('P-000002'))) return false;
      await stage.store().pauses.resume('main', 'stock', 'a test');
      return true;
    },
  },
  {
    act: 'discard',
    what: 'all of a filter',
    page: (stage) => failed(stage, 'P-000003', 'one to forget', 'needs?state=failed&error=to+forget'),
    button: 'Discard it…',
    sure: /Discard 1 job/,
    said: /1 job discarded until the entity changes/,
    done: (stage) => audited(stage, 'job.discard'),
  },
  {
    act: 'resolve',
    what: 'by the id of what was made',
    page(stage) {
      stage.marketplace.createProducts([{ sku: 'MADE-1', name: 'Made, but the answer was lost', quantity: 1 }]);
      return doubted(stage, 'P-900001');
    },
    button: 'Adopt it',
    fill: (stage) => ({ adopt: idOf(stage, 'MADE-1') }),
    sure: /Yes, it is/,
    said: /It is resolved/,
    done: (stage) => isNotDoubted(stage, 'P-900001'),
  },
  {
    act: 'resolve',
    what: 'by one of the two that were found',
    async page(stage) {
      stage.marketplace.createProducts([{ sku: 'MADE-2', name: 'Made, and found beside another', quantity: 1 }]);
      return doubted(stage, 'P-900004', [idOf(stage, 'MADE-2'), '71']);
    },
    button: /^It is listing/,
    sure: /Yes, it is/,
    said: /It is resolved/,
    done: (stage) => isNotDoubted(stage, 'P-900004'),
  },
  {
    act: 'resolve',
    what: 'as never applied',
    page: (stage) => doubted(stage, 'P-900002'),
    button: /try again/,
    sure: /send it again/,
    said: /It is resolved/,
    done: (stage) => isNotDoubted(stage, 'P-900002'),
  },
  {
    act: 'resolve',
    what: 'as given up',
    page: (stage) => doubted(stage, 'P-900003'),
    button: 'Give it up',
    sure: /Give it up/,
    said: /It is resolved/,
    done: (stage) => isNotDoubted(stage, 'P-900003'),
  },
  {
    act: 'resolve',
    what: 'one of several doubts, in its row of the overview',
    async page(stage) {
      stage.marketplace.createProducts([{ sku: 'MADE-3', name: 'Made, and in doubt beside another', quantity: 1 }]);
      await doubted(stage, 'P-900005', [idOf(stage, 'MADE-3')]);
      await doubted(stage, 'P-900006', ['71']);
      return './';
    },
    button: /^It is \d/,
    within: '.each',
    open: '.each > summary',
    sure: /Yes, it is/,
    said: /It is resolved/,
    done: async (stage) => (await isNotDoubted(stage, 'P-900005')) && !(await isNotDoubted(stage, 'P-900006')),
  },
  {
    act: 'approve',
    what: 'what a brake holds',
    page: (stage) => braked(stage, 'SB-0001'),
    button: 'Approve it…',
    sure: /Approve 1 write/,
    said: /1 write approved, each once, exactly as shown/,
    done: (stage) => stage.marketplace.productBySku('SB-0001').available === '0',
  },
  {
    act: 'drop',
    what: 'what a brake holds',
    page: (stage) => braked(stage, 'SB-0002'),
    button: 'Drop it…',
    sure: /Drop 1 write/,
    said: /1 write dropped until another value/,
    undo: { act: 'restore', said: /1 write held again/ },
    done: async (stage) => (await stage.store().brakes.list('main')).some(({ plan }) => plan.state === 'dropped'),
  },
  {
    act: 'archived',
    what: 'a listing that somebody archived, which stays so',
    page: (stage) => archivedByHand(stage, 'SB-0002'),
    button: 'Leave it archived',
    said: /Listing \d+ stays archived/,
    undo: { act: 'archived', said: /waits for a decision again/ },
    done: async (stage) => JSON.stringify((await linkOf(stage, 'SB-0002'))?.echoes).includes('left'),
  },
  {
    act: 'archived',
    what: 'a listing that somebody archived, which comes back',
    page: (stage) => archivedByHand(stage, 'SB-0002'),
    button: 'Bring it back…',
    sure: /Bring it back/,
    said: /Listing \d+ is brought back/,
    done: (stage) => !stage.marketplace.productBySku('SB-0002').archived,
  },
  {
    act: 'archived',
    what: 'the listings that are ticked on the overview, and no other, which stay so',
    async page(stage) {
      for (const sku of ['SB-0002', 'SB-0003', 'SB-0004']) await archivedByHand(stage, sku);
      return './';
    },
    button: 'Leave the chosen archived',
    within: '.each',
    open: '.each > summary',
    fill: (stage) => ({ listing: [idOf(stage, 'SB-0003'), idOf(stage, 'SB-0004')] }),
    said: /2 listings stay archived/,
    undo: { act: 'archived', said: /2 listings wait for a decision again/ },
    done: async (stage) => {
      const links = await Promise.all(['SB-0002', 'SB-0003', 'SB-0004'].map((sku) => linkOf(stage, sku)));
      return links.filter((link) => JSON.stringify(link?.echoes).includes('left')).length === 2;
    },
  },
  {
    act: 'archived',
    what: 'the listings that are ticked, which come back',
    async page(stage) {
      const { work } = stage.store();
      await until('all are held', async () => (await work.countFor('main', 'held', ['archived-by-hand'])) === 3);
      return 'needs?state=held';
    },
    button: 'Bring the chosen back…',
    fill: (stage) => ({ listing: ['SB-0002', 'SB-0003', 'SB-0004'].map((sku) => idOf(stage, sku)) }),
    sure: /Bring them back/,
    said: /3 listings are brought back/,
    done: (stage) => ['SB-0002', 'SB-0003', 'SB-0004'].every((sku) => !stage.marketplace.productBySku(sku).archived),
  },
  {
    act: 'resend',
    what: 'a webhook',
    async page(stage) {
      const { inbox } = stage.store();
      const body = Buffer.from('{"data":{"number":"none"}}');
      await inbox.store([{ account: 'main', kind: 'orders', body, receivedAtMs: Date.now() }]);
      await until('it was looked at', async () => (await inbox.get(1))?.processedAtMs != null);
      return 'events/1';
    },
    button: 'Look once more',
    said: /Webhook 1 is looked at/,
    done: (stage) => audited(stage, 'events.resend'),
  },
  {
    act: 'resend',
    what: 'the webhooks that are ticked, and no other',
    async page(stage) {
      const { inbox } = stage.store();
      const body = (name: string) => Buffer.from(JSON.stringify({ data: { number: name } }));
      await inbox.store(
        ['one', 'two', 'three'].map((name) => ({
          account: 'main',
          kind: 'orders' as const,
          body: body(name),
          receivedAtMs: Date.now(),
        })),
      );
      await until('they were looked at', async () => (await inbox.get(4))?.processedAtMs != null);
      return 'events';
    },
    button: 'Look at the chosen once more',
    fill: () => ({ id: ['2', '3'] }),
    said: /2 webhooks are looked at/,
    async done(stage) {
      const isSent = (id: number) => audited(stage, 'events.resend', (target) => target.includes(String(id)));
      return (await isSent(2)) && (await isSent(3)) && !(await isSent(4));
    },
  },
  {
    act: 'link-half',
    what: 'a listing that was made by hand to a product that has another one, on the page of that listing',
    async page(stage) {
      const { pauses, unlinked } = stage.store();
      await pauses.pause('main', 'all', 'nothing is written meanwhile', 'a test');
      const { id } = stage.marketplace.createProduct({ sku: 'SB-0004', name: 'Made by hand', quantity: 5 });
      await until('it is known', async () => (await unlinked.listings('main', id - 1, 1)).length > 0);
      return `entity?kind=product&key=${id}`;
    },
    button: 'Move the link here…',
    within: '.linking',
    sure: /Move the link/,
    said: /P-000004 are linked. Listing \d+ \(SB-0004\) stays on sale/,
    undo: { act: 'move-back', said: /P-000004 are linked again/ },
    done: async (stage) =>
      (await stage.store().mappings.linkedTo('main', 'product', 'P-000004')) !== idOf(stage, 'SB-0004'),
  },
  {
    act: 'plan',
    what: 'of the next passes, as if nothing were paused',
    async page(stage) {
      await stage.store().pauses.pause('main', 'all', 'a test', 'a test');
      stage.erp.control.setStock('SB-0003', '777');
      await until('it is held', async () => (await stage.store().work.get(stockOf('P-000003')))?.state === 'held');
      return 'plans';
    },
    button: 'Make a plan',
    fill: () => ({ lift: 'yes' }),
    said: /rehearsed on a copy/,
    done: async (stage) => (await newestPlan(stage)) !== undefined,
  },
  {
    act: 'plan-approve',
    what: 'exactly as shown',
    page: () => 'plans/1',
    button: /^Approve \d+ changes?…$/,
    sure: /Approve plan 1/,
    said: /Plan 1 is approved/,
    done: async (stage) => (await newestPlan(stage))?.approved != null,
  },
  {
    act: 'plan-apply',
    what: 'that was approved',
    page: () => 'plans/1',
    button: 'Apply plan 1',
    sure: /Apply plan 1/,
    said: /Plan 1 is being written/,
    done: (stage) => stage.marketplace.productBySku('SB-0003').available === '777',
  },
  {
    act: 'cancel',
    what: 'a replay that nobody works',
    async page(stage) {
      await until('the plan is applied', async () => (await newestPlan(stage))?.applied != null);
      await failed(stage, 'P-000001', 'nobody works');
      await stage.stop();
      await stage.start(['admin']);
      const headers = { authorization: `Bearer ${TOKENS.operator}`, 'content-type': 'application/json' };
      const url = at(stage, 'api/v1/accounts/main/replays');
      await fetch(url, { method: 'POST', headers, body: '{"error":"nobody works"}' });
      return 'needs';
    },
    button: 'Cancel',
    said: /The task ends/,
    done: async (stage) => (await ask<Tasks>(stage, 'accounts/main/tasks')).items[0]?.state === 'cancelled',
  },
  {
    act: 'link-half',
    what: 'a listing to another product, whose link is taken away',
    page: (stage) => `entity?kind=product&key=${idOf(stage, 'SB-0001')}`,
    button: 'Link it',
    within: '.half',
    fill: () => ({ other: 'P-000002' }),
    sure: /Link them instead/,
    said: /Listing \d+ and ERP product P-000002 are linked/,
    done: async (stage) =>
      (await stage.store().mappings.linkedTo('main', 'product', 'P-000002')) === idOf(stage, 'SB-0001'),
  },
  {
    act: 'separate',
    what: 'a listing from its product',
    page: (stage) => `entity?kind=product&key=${idOf(stage, 'SB-0001')}`,
    button: 'Unlink them',
    within: '.half',
    sure: /Unlink them/,
    said: /They are linked no longer/,
    undo: { act: 'link-half', said: /P-000002 are linked/, sure: /all the same/ },
    done: async (stage) => !(await isProductLinked(stage, 'P-000002')),
  },
  {
    act: 'try-sides',
    what: 'both sides, of which one was away',
    async page(stage) {
      const fault = { kind: 'credentials', message: 'The ERP answered 401' } as const;
      await noteSide({ account: 'main', store: stage.store() }, 'erp', fault);
      return './';
    },
    button: 'Try both sides again',
    said: /Both sides answer: \d+ checks, none failed/,
    done: (stage) => audited(stage, 'sides.try', (target) => target === 'both sides'),
  },
];

/** A viewer has no such form. A form that a viewer sends all the same, with the token of the session, does nothing. */
async function refused(viewer: Page, url: string, { act, button }: Row, stage: Stage): Promise<void> {
  await viewer.goto(url);
  expect(await viewer.getByRole('button', { name: button, exact: true }).count(), act).toBe(0);
  expect(await viewer.locator('form[action^="act/"]').count(), act).toBe(0);
  const token = (await viewer.locator('form[action=logout] [name=token]').getAttribute('value')) ?? '';
  const headers = { 'sec-fetch-site': 'same-origin', accept: 'text/html' };
  const answer = await viewer.request.post(at(stage, `act/${act}`), { form: { token }, headers, maxRedirects: 0 });
  expect([answer.status(), await answer.text()], act).toEqual([403, expect.stringContaining('may read, but not act')]);
}

async function filled(form: Locator, name: string, value: string): Promise<void> {
  const id = await form.getAttribute('id');
  if (id !== null) return form.page().locator(`[form="${id}"][name=${name}][value="${value}"]`).check();
  const field = form.locator(`[name=${name}]:not([type=hidden])`);
  if ((await form.locator(`select[name=${name}]`).count()) > 0) await field.selectOption(value);
  else if ((await field.first().getAttribute('type')) === 'checkbox')
    await form.locator(`[name=${name}][value="${value}"]`).check();
  else await field.fill(value);
}

async function press(
  operator: Page,
  url: string,
  { button, within = 'main', open, fill, sure, said, done }: Row,
  stage: Stage,
): Promise<void> {
  await operator.goto(url);
  if (open !== undefined) await operator.locator(open).first().click();
  const submit = operator.locator(within).getByRole('button', { name: button, exact: true }).first();
  const form = submit.locator('xpath=ancestor::form');
  for (const [name, values] of Object.entries((await fill?.(stage)) ?? {}))
    for (const value of [values].flat()) await filled(form, name, value);
  await submit.click();
  if (sure !== undefined) {
    expect(await operator.locator('h1').innerText()).toMatch(/\?$/);
    expect(await done(stage), 'before the question is answered').toBe(false);
    await operator.locator('main').getByRole('button', { name: sure }).click();
  }
  expect(await operator.locator('main').innerText()).toMatch(said);
  expect(await operator.locator('[role=status]').count()).toBe(1);
}

async function takenBack(operator: Page, { act, done, undo }: Row, stage: Stage): Promise<void> {
  expect(await done(stage), `after ${act}`).toBe(true);
  await operator.getByRole('button', { name: 'Undo' }).click();
  if (undo?.sure !== undefined) await operator.locator('main').getByRole('button', { name: undo.sure }).click();
  expect(await operator.locator('[role=status]').innerText()).toMatch(undo?.said ?? /./);
  expect(await done(stage), `after ${act} was taken back`).toBe(false);
}

const logIn = useChromium();

test('every act of the admin API has a row', () => {
  const done = ROWS.flatMap(({ act, undo }) => (undo === undefined ? [act] : [act, undo.act]));
  expect([...new Set(done)].toSorted()).toEqual(ACTS.map(({ name }) => name).toSorted());
});

needing('chromium').test('without JavaScript every act works by its form, and a viewer can do none', async () => {
  const stage = await openScreen({
    account: '    brakes: { create: { count: 100, percent: 1000 }, zero: { count: 0, percent: 0 } }',
  });
  stage.erp.control.seed(4);
  await stage.start();
  await stage.sync();
  const how = { width: 1440, colorScheme: 'light', javaScriptEnabled: false } as const;
  const [operator, viewer] = [await logIn(stage, 'operator', how), await logIn(stage, 'viewer', how)];
  for (const row of ROWS) {
    const what = `${row.act}: ${row.what}`;
    const path = await row.page(stage);
    const url = at(stage, path);
    expect(await row.done(stage), `before ${what}`).toBe(false);
    await refused(viewer.page, url, row, stage);
    expect(await row.done(stage), `refused ${what}`).toBe(false);
    await press(operator.page, url, row, stage);
    if (row.undo === undefined) await until(what, () => row.done(stage));
    else await takenBack(operator.page, row, stage);
  }
  expect(operator.told).toEqual([]);
});
