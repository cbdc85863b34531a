import { randomUUID } from 'node:crypto';
import { Decimal, figureOf } from '../../domain/decimal.ts';
import { CallFailure } from '../../domain/failure.ts';
import { settingFor } from '../../domain/reference.ts';
import type { ErpOrder, ErpOrderDraft } from '../connector.ts';
import { referenceOf } from '../references.ts';
import type { Bench } from './bench.ts';
import { assertPromise, assertSame, BrokenPromise } from './broken.ts';
import type { Check } from './check.ts';
import {
  cancel,
  currentOrder,
  draftOf,
  factsOf,
  figuresWithoutOrders,
  firstStatus,
  forgetShipped,
  isGone,
  lineFacts,
  makeOrder,
  newReference,
} from './orders.ts';
import { TOGETHER } from './together.ts';

/** Creates the first order. If it fails, so do all other writing checks. */
export const CREATE: Check = {
  name: 'create',
  promise: 'an order is made as it was sent, digit by digit, and found once by its reference and its id',
  effect: 'writes',
  async run(bench) {
    await figuresWithoutOrders(bench);
    const draft = await draftOf(bench, firstStatus(bench), ['1.25', '1']);
    const made = await bench.erp.createOrder(draft).catch((error: unknown) => refusedQuantity(bench, error));
    sameReference(bench, draft, made);
    const wanted = factsOf(bench, { ...draft, origin: 'marketplace' });
    sameFacts(factsOf(bench, made), wanted, 'the answer to the create');
    const found = await bench.erp.findOrders(draft.reference);
    assertPromise(found.length === 1 && found[0]?.id === made.id, () => ({
      expected: `order ${made.id}, once, by its reference ${draft.reference}`,
      came: found.length === 0 ? 'nothing' : `orders ${found.map(({ id }) => id).join(', ')}`,
      mend: 'correct the look-up by reference: by it the bridge knows whether an order is there already',
    }));
    sameFacts(factsOf(bench, found[0] as ErpOrder), wanted, 'the look-up by reference');
    sameFacts(factsOf(bench, await currentOrder(bench, made.id)), wanted, 'the look-up by id');
    await cancel(bench, made);
  },
};

/** @throws BrokenPromise when the shown reference differs from that sent */
function sameReference({ can }: Bench, { reference }: ErpOrderDraft, { reference: shownAs }: ErpOrder): void {
  if (shownAs === reference) return;
  const sent = referenceOf(reference, can.reference);
  const mend = `say what it keeps, as ${settingFor(sent, shownAs)}, or let it keep the whole reference`;
  throw new BrokenPromise({ expected: `the reference ${sent}`, came: shownAs, mend });
}

/** @throws BrokenPromise when the order may have been refused for decimals that the capabilities allow */
function refusedQuantity({ can }: Bench, error: unknown): never {
  const isRefused = error instanceof CallFailure && error.kind === 'refused' && can.decimals.quantity === null;
  if (!isRefused) throw error;
  throw new BrokenPromise({
    expected: 'an order of 1.25 units to be taken',
    came: error.message,
    mend: 'if the ERP holds whole units only, set capabilities.decimals: { quantity: 0 }; else name other products by --sku',
  });
}

export const WRITING_CHECKS: readonly Check[] = [
  {
    name: 'reference',
    promise: 'the number of a marketplace order comes back as it was sent, however the order is found',
    effect: 'writes',
    async run(bench) {
      const draft = { ...(await draftOf(bench, firstStatus(bench))), reference: randomUUID() };
      const made = await bench.erp.createOrder(draft);
      sameReference(bench, draft, made);
      sameReference(bench, draft, await currentOrder(bench, made.id));
      const found = await bench.erp.findOrders(draft.reference);
      assertSame(
        found.map(({ id }) => id),
        [made.id],
        'let the look-up by reference find an order by the reference that was sent',
      );
      await cancel(bench, made);
      const sent = referenceOf(draft.reference, bench.can.reference);
      return sent === draft.reference ? 'it is sent as it is' : `it is sent as ${sent.length} letters and digits`;
    },
  },
  {
    name: 'create-twice',
    promise: 'of two orders with one reference, the ERP refuses the second or shows both',
    effect: 'writes',
    async run(bench) {
      const draft = await draftOf(bench, firstStatus(bench));
      const made = [await bench.erp.createOrder(draft), ...(await unlessRefused(bench.erp.createOrder(draft)))];
      const ids = [...new Set(made.map(({ id }) => id))].sort();
      const found = (await bench.erp.findOrders(draft.reference)).map(({ id }) => id).sort();
      assertSame(found, ids, 'let the look-up by reference show every order that carries it');
      for (const order of made.slice(0, ids.length)) await cancel(bench, order);
      assertPromise(ids.length === 1 || !bench.can.uniqueReference, () => ({
        expected: 'the second one refused, since capabilities say unique_reference',
        came: `orders ${ids.join(', ')}`,
        mend: 'set capabilities.unique_reference: false, or have the ERP keep references unique',
      }));
      return ids.length === 2 ? 'two are made' : 'one is made: capabilities.unique_reference: true fits';
    },
  },
  TOGETHER,
  {
    name: 'edit-lines',
    promise: 'an edit replaces the lines of an order as a whole',
    effect: 'writes',
    untested: noEditing,
    async run(bench) {
      const draft = await draftOf(bench, 'reserved', ['2', '1']);
      const made = await bench.erp.createOrder(draft);
      const lines = draft.lines.slice(1).map((line) => ({ ...line, quantity: figureOf<'erp line'>('3') }));
      const updated = await bench.erp.updateOrder(made.id, { lines });
      const mend = 'let an edit take effect, and its answer show the order after it';
      assertSame(lineFacts(updated.lines), lineFacts(lines), mend);
      assertSame(lineFacts((await currentOrder(bench, made.id)).lines), lineFacts(lines), mend);
      await cancel(bench, made);
    },
  },
  {
    name: 'amounts',
    promise: 'discount, shipping, tax and total are kept as they are sent, and change when they are sent again',
    effect: 'writes',
    untested: ({ can }) => (can.totals === 'stored' ? null : 'capabilities.totals is computed'),
    async run(bench) {
      const [discount, shipping] = [new Decimal('1.10'), new Decimal('5.00')];
      const draft = { ...(await draftOf(bench, firstStatus(bench))), discount, shipping, total: new Decimal('16.30') };
      const made = await bench.erp.createOrder(draft);
      const sent = { ...draft, origin: 'marketplace' as const };
      sameFacts(factsOf(bench, await currentOrder(bench, made.id)), factsOf(bench, sent), 'the look-up by id');
      if (bench.can.editing !== 'no') {
        const change = { discount: new Decimal('0.10'), tax: new Decimal('0.27'), total: new Decimal('9.99') };
        const wanted = factsOf(bench, { ...sent, ...change });
        sameFacts(factsOf(bench, await bench.erp.updateOrder(made.id, change)), wanted, 'the answer to the change');
      }
      await cancel(bench, made);
    },
  },
  {
    name: 'cancel-twice',
    promise: 'cancelling twice is as good as once',
    effect: 'writes',
    async run(bench) {
      const made = await makeOrder(bench, 'reserved');
      await cancel(bench, made);
      if (await isGone(bench, made.id)) {
        const failure = await failureOf(bench.erp.updateOrder(made.id, { status: 'cancelled' }));
        assertNotApplied(failure, 'let the cancellation of an order that is gone be a definite no');
        return;
      }
      await cancel(bench, made);
      assertSame(
        (await currentOrder(bench, made.id)).status,
        'cancelled',
        'let a cancelled order be shown as cancelled',
      );
    },
  },
  {
    name: 'edit-unknown',
    promise: 'a change of an order that is not there is a definite no',
    effect: 'writes',
    async run({ erp }) {
      const failure = await failureOf(erp.updateOrder(newReference(), { status: 'cancelled' }));
      assertNotApplied(failure, 'let it be refused with 404, or say with an error rule that it was not applied');
    },
  },
  {
    name: 'stopped',
    promise: 'a call that is stopped before it is sent is certainly not applied',
    effect: 'writes',
    async run(bench) {
      const failure = await failureOf(
        bench.erp.createOrder(await draftOf(bench, firstStatus(bench)), AbortSignal.abort()),
      );
      assertNotApplied(failure, 'the connector has to tell a call that was not sent');
    },
  },
  {
    name: 'transports',
    part: 'transports',
    promise: 'transports are kept as they are sent, and replaced as a whole',
    effect: 'writes',
    untested: ({ can }) => (can.transports ? null : 'capabilities say no transports'),
    async run(bench) {
      const made = await makeOrder(bench, 'reserved');
      await bench.people.ship?.(made.id);
      const shipped = { id: 'T-1', status: 'shipped', shippedAt: '2030-01-31T08:30:00.000Z' } as const;
      const arrived = { ...shipped, status: 'delivered', deliveredAt: '2030-02-01T10:00:00.000Z' } as const;
      const followed = {
        id: 'T-3',
        status: 'planned',
        expectedAt: '2030-02-01T10:00:00.000Z',
        tracking: '1Z-7',
      } as const;
      const later = bench.can.tracking ? [followed] : [];
      for (const transports of [[shipped], [arrived, { id: 'T-2', status: 'shipped' } as const, ...later]]) {
        const mend = 'let the order keep and show all transports that it receives';
        assertSame((await bench.erp.updateOrder(made.id, { transports })).transports, transports, mend);
        assertSame((await currentOrder(bench, made.id)).transports, transports, mend);
      }
      if (bench.people.ship === undefined) await cancel(bench, made);
      else forgetShipped(bench, made);
    },
  },
];

export function noEditing({ can }: Bench): string | null {
  return can.editing === 'no' ? 'capabilities.editing is no' : null;
}

const MENDS: Readonly<Record<string, string>> = {
  lines: 'keep prices and quantities exactly, or say in capabilities.decimals how many decimals the ERP holds',
  amounts: 'keep amounts exactly, or set capabilities.totals: computed if the ERP computes them',
  reference: 'keep the reference as it is sent',
  origin: 'say origin "marketplace" of orders that the bridge makes',
  status: 'map the status: a draft is "draft", an order that reserves is "reserved"',
  currency: 'keep the currency of the order',
};

/** @throws BrokenPromise naming the differing fact and the place */
export function sameFacts(came: Record<string, unknown>, wanted: Record<string, unknown>, where: string): void {
  for (const [name, expected] of Object.entries(wanted)) {
    try {
      assertSame(came[name], expected, MENDS[name] ?? '');
    } catch (error) {
      if (!(error instanceof BrokenPromise)) throw error;
      const { expected: should, came: is, mend } = error;
      throw new BrokenPromise({ expected: `${name} ${should}`, came: `${is} in ${where}`, mend });
    }
  }
}

/** The created record; empty if the ERP refuses it. */
export async function unlessRefused<T>(creating: Promise<T>): Promise<T[]> {
  try {
    return [await creating];
  } catch (error) {
    if (error instanceof CallFailure && error.outcome === 'not-applied' && error.kind === 'refused') return [];
    throw error;
  }
}

/** @throws BrokenPromise unless nothing was written */
export function assertNotApplied({ outcome, message }: CallFailure, mend: string): void {
  assertPromise(outcome === 'not-applied', () => ({
    expected: 'a refusal by which nothing was written (not-applied)',
    came: `${outcome}: ${message}`,
    mend,
  }));
}

/** The call's failure. @throws BrokenPromise when it succeeds */
export async function failureOf(work: Promise<unknown>): Promise<CallFailure> {
  try {
    await work;
  } catch (error) {
    if (error instanceof CallFailure) return error;
    throw error;
  }
  throw new BrokenPromise({
    expected: 'a refusal',
    came: 'a success',
    mend: 'let the ERP refuse what it cannot do: what is answered with success counts as done',
  });
}
