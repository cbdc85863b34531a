import type { AccountRecords } from '../../shadow/context.ts';
import type { EntityIds } from '../../store/entities.ts';
import type { WebhookEvent } from '../../store/reading.ts';
import type { AuditRow, JournalRow } from '../../store/record.ts';
import type { HistoryRow } from '../../store/stock.ts';
import type { WorkKey } from '../../store/work.ts';
import { actionTitle, targetText } from '../action-titles.ts';
import type { Happening } from './explanation.ts';

/** The most events returned, and read of each kind. */
export const MOST_TOLD = 200;

export interface Subject extends EntityIds {
  readonly keys: readonly WorkKey[];
  /** Its present and former SKUs in the ERP. */
  readonly skus: readonly string[];
}

/** An entity's recorded events until a moment, newest first. More than `MOST_TOLD` means that there are more. */
export async function storyOf(
  context: Pick<AccountRecords, 'account' | 'store'>,
  subject: Subject,
  untilMs: number,
): Promise<Happening[]> {
  const parts = await Promise.all([
    writesOf(context, subject, untilMs),
    eventsOf(context, subject),
    actsOf(context, subject),
    readsOf(context, subject),
  ]);
  const found = parts.flat().filter(({ at }) => Date.parse(at) <= untilMs);
  return found.toSorted((a, b) => Date.parse(b.at) - Date.parse(a.at));
}

type Records = Pick<AccountRecords, 'account' | 'store'>;

async function writesOf({ store }: Records, { keys }: Subject, untilMs: number): Promise<Happening[]> {
  const rows = await Promise.all(
    keys.map(({ account, flow, key }) => store.journal.of(account, flow, key, MOST_TOLD + 1, untilMs)),
  );
  return rows.flat().map(ofJournal);
}

function ofJournal({ id, atMs, flow, action, target, before, after, why, outcome, answer }: JournalRow): Happening {
  return {
    at: instantOf(atMs),
    kind: outcome === 'noted' ? 'note' : 'write',
    id: `journal:${id}`,
    flow,
    what: `${actionTitle(action)}: ${targetText(target)}`,
    before,
    after,
    why,
    outcome,
    answer,
    who: null,
  };
}

/** Only orders and listings have webhooks. */
async function eventsOf({ account, store }: Records, { kind, marketplaceId }: Subject): Promise<Happening[]> {
  if (marketplaceId === null || (kind !== 'order' && kind !== 'product')) return [];
  const of = {
    accounts: [account],
    kind: kind === 'order' ? 'orders' : 'products',
    entities: [marketplaceId],
  } as const;
  return (await store.inbox.latest(MOST_TOLD + 1, of)).map(ofEvent);
}

function ofEvent({ id, kind, receivedAtMs, bytes }: WebhookEvent): Happening {
  const what = `a webhook of ${kind} came, ${bytes} bytes`;
  return { ...NOTHING, at: instantOf(receivedAtMs), kind: 'event', id: `event:${id}`, what };
}

async function actsOf({ account, store }: Records, { keys, marketplaceId, erpId }: Subject): Promise<Happening[]> {
  const names = [...keys.map(({ key }) => key), marketplaceId, erpId].filter((name) => name !== null && name !== '');
  return (await store.audit.about(account, [...new Set(names)] as string[], MOST_TOLD + 1)).map(ofAct);
}

function ofAct({ id, atMs, who, flow, action, target, before, after, outcome }: AuditRow): Happening {
  return {
    ...NOTHING,
    at: instantOf(atMs),
    kind: 'act',
    id: `audit:${id}`,
    flow: flow === '' ? null : flow,
    what: `${actionTitle(action)}: ${targetText(target)}`,
    before,
    after,
    outcome,
    who,
  };
}

const NOTHING = { flow: null, before: null, after: null, why: '', outcome: null, answer: '', who: null } as const;

async function readsOf(context: Records, subject: Subject): Promise<Happening[]> {
  const { kind, marketplaceId, erpId } = subject;
  if (kind === 'order') {
    const [there, here] = [
      await statusesOf(context, 'marketplace', marketplaceId),
      await statusesOf(context, 'erp', erpId),
    ];
    return [...there, ...here];
  }
  return kind === 'product' ? stockReads(context, subject) : [];
}

async function statusesOf(
  { account, store }: Records,
  side: 'marketplace' | 'erp',
  key: string | null,
): Promise<Happening[]> {
  if (key === null) return [];
  const where = side === 'erp' ? 'the ERP' : 'the marketplace';
  const rows = await store.history.statuses(account, side, key);
  return rows.map((row) => ofChange(`status:${side}`, row, `${where} shows the order as ${row.after}`));
}

async function stockReads({ account, store }: Records, { marketplaceId, erpId, skus }: Subject): Promise<Happening[]> {
  const readings = erpId === null ? [] : await store.history.readings(account, erpId);
  const orders = marketplaceId === null ? [] : await store.history.orders(account, Number(marketplaceId));
  const holdings = (await Promise.all(skus.map((sku) => store.history.holdings(account, sku)))).flat();
  return [
    ...newest(readings).map((row) => ofChange('reading', row, `the ERP shows another available figure${placeOf(row)}`)),
    ...newest(orders).map((row) => ofChange('share', row, `order ${row.part} on the marketplace`)),
    ...newest(holdings).map((row) =>
      ofChange('holding', row, `the ERP counts another quantity for its order ${row.part}`),
    ),
  ];
}

function placeOf({ part }: HistoryRow): string {
  return part === '' ? '' : ` at ${part}`;
}

function newest<Row>(rows: readonly Row[]): readonly Row[] {
  return rows.slice(-MOST_TOLD - 1);
}

function ofChange(name: string, { atMs, part, before, after, asOf }: HistoryRow, what: string): Happening {
  return {
    ...NOTHING,
    at: instantOf(atMs),
    kind: 'read',
    id: `${name}:${part}:${atMs}:${after}`,
    what,
    before,
    after,
    why: asOf === null ? '' : `as of ${asOf}`,
  };
}

function instantOf(epochMs: number): string {
  return new Date(epochMs).toISOString();
}
