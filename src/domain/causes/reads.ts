import { counted } from '../counted.ts';
import type { FailureKind, Side } from '../failure.ts';
import { type Entry, entriesOn, erp, marketplace, nobody, operator, orNull, withSharedParams } from './entry.ts';

const MEND_LISTING = "Correct the ERP's list. The next list is checked again.";
const MEND_STOCK = "Correct the ERP's list of stock. The next list is checked again.";

const MEND_ORDERS = "Correct the ERP's list of orders. The next list is checked again.";

export const READ_CODES = entriesOn('reading', {
  'read-failing': withSharedParams(
    ['problem'],
    operator(
      ({ problem }) => `The list cannot be read, so its changes are not seen: ${problem}`,
      'Fix the cause. To test each permission: stockbridge doctor',
      { problem: 'the marketplace answered orders.list with 403' },
    ),
  ),
  'store-failing': operator(
    ({ problem }) => `The database failed while the list was stored, so its changes are not seen: ${problem}`,
    'Fix the database, its disk or its server. To check them: stockbridge doctor. No row of the list is at fault.',
    { problem: 'database or disk is full' },
  ),
  'every-row-fails': operator(
    ({ problem }) =>
      `Stockbridge failed on every row of a page. No row was stored, and the list is not read further: ${problem}`,
    'This is a bug of Stockbridge: report it with this sentence. No row is at fault.',
    { problem: 'Invalid time' },
  ),
  'row-invalid': marketplace(
    ({ row, problem }) => `Row ${row} does not fit the documented shape: ${problem}`,
    'Correct the row on the marketplace, or report it to the marketplace.',
    { row: '4711', problem: 'wholesale_price.amount: expected a decimal' },
  ),
  'erp-row-invalid': erp(
    ({ row, problem }) => `Row ${row} of the ERP does not fit the contract: ${problem}`,
    "Correct the row in the ERP, or the ERP's answer.",
    { row: 'P-1', problem: 'price.amount: expected a decimal' },
  ),
  'row-not-taken': operator(
    ({ row, problem }) => `Row ${row} cannot be stored: ${problem}`,
    'This is a bug of Stockbridge: report it with this sentence. All other rows are processed.',
    { row: '4711', problem: "the program's rules do not understand it (Invalid time)" },
  ),
  'rows-ahead': marketplace(
    ({ collection, count, row, stamp }) =>
      `${counted(count, 'row')} of the list of ${collection} ${count === 1 ? 'has' : 'have'} a time in the future of the marketplace's clock, first ${row} with ${stamp}. The rows are stored; the next read begins at the last row with a valid time`,
    'Report the row to the marketplace. The alert clears with a list without such a row.',
    { collection: 'orders', count: 1, row: '4711', stamp: '9999-12-31T23:59:59Z' },
  ),
  'erp-rows-ahead': erp(
    ({ collection, count, row, stamp }) =>
      `${counted(count, 'time')} in the list of ${collection} ${count === 1 ? 'is' : 'are'} in the future of the ERP's clock, first ${stamp} of ${row}. The time of the answer is used instead`,
    "Correct the time in the ERP, or the ERP's clock. The alert clears with a list without such a time.",
    { collection: 'erp-orders', count: 1, row: 'as_of', stamp: '9999-12-31T23:59:59Z' },
  ),
  'erp-changes-unseen': operator(
    ({ collection, count, row, stamp, readTo, zone }) =>
      `The ERP's filter of changes missed ${counted(count, 'changed row')} of the list of ${collection}. The first is ${row}: its changed_at is ${stamp}${zone === null ? '' : ` (zone ${zone})`}, but changes had been read up to ${readTo}`,
    'Compare changed_at of that row with the time of its last change. If it is hours too early, correct the zone. If it did not change, map another time, or remove the filter of changes from the list. The alert clears with a complete list without such a row.',
    {
      collection: 'erp-products',
      count: 1,
      row: 'P-1',
      stamp: '2026-07-01T07:30:00Z',
      readTo: '2026-07-01T09:29:00Z',
      zone: orNull('Europe/Berlin'),
    },
  ),
  'wait-ordered': marketplace(
    ({ minutes }) => `The marketplace asked for a wait of ${minutes} minutes or more. It is not called until then`,
    'Ask the marketplace about its rate limits. Stockbridge waits at most one hour. The alert clears at the next successful call.',
    { minutes: 60 },
  ),
  'erp-wait-ordered': erp(
    ({ minutes }) => `The ERP asked for a wait of ${minutes} minutes or more. What it refused waits until then`,
    "Check the ERP's rate limits. Stockbridge waits at most one hour. The alert clears at the next successful call.",
    { minutes: 60 },
  ),
  'marketplace-slow': marketplace(
    ({ seconds }) => `The marketplace answers slowly: a call took ${seconds} s`,
    'Ask the marketplace, or check the network. The alert clears after two minutes without a slow answer.',
    { seconds: 12 },
  ),
  'erp-slow': erp(
    ({ seconds }) => `The ERP answers slowly: a call took ${seconds} s`,
    'Check the ERP and the network. The alert clears after two minutes without a slow answer.',
    { seconds: 12 },
  ),
  'lists-late': operator(
    ({ lists }) => `These lists are read too late, although their side answers: ${lists}`,
    'Check whether the machine is too busy or its disk too slow. To check Redis, the disk and the clock: stockbridge doctor. If all are fine, report this as a bug.',
    { lists: 'orders, erp-stock' },
  ),
  'no-descriptors': operator(
    ({ allowed }) =>
      `Stockbridge has run out of file descriptors${allowed === null ? '' : ` (${allowed} are allowed)`}, so some calls fail. Neither side is at fault`,
    'Increase the limit ("ulimit -n", or LimitNOFILE of systemd). Then restart Stockbridge.',
    { allowed: orNull(1024) },
  ),
  'stood-still': operator(
    ({ seconds }) =>
      `The process of Stockbridge did not run for ${seconds} s and read no answers meanwhile. Neither side is at fault`,
    'Give it more processor time or more memory. To check the memory: stockbridge doctor',
    { seconds: 12 },
  ),
  'cursor-ahead': nobody(
    ({ collection, cursor, servedAt }) =>
      `The last read of ${collection} asked for changes since ${cursor}, but the clock of that side was at ${servedAt}. Changes may have been missed, so the whole list is read again`,
    'Nothing to do: the alert clears when the list has been read.',
    { collection: 'orders', cursor: '9999-12-31T23:59:59Z', servedAt: '2026-11-22T09:00:00.000Z' },
  ),
  'list-short': marketplace(
    ({ collection, count }) =>
      `The list of ${collection} states ${counted(count, 'row')}, but does not contain all of them, so changes may be missing`,
    'Report it to the marketplace. The alert clears with a complete list.',
    { collection: 'orders', count: 40 },
  ),
  'list-lacks-many': withSharedParams(
    ['collection'],
    operator(
      ({ collection, missing, known }) =>
        `The list of ${collection} lacks ${missing} of the ${known} known rows. That many are not taken as deleted without a check`,
      'Check on that side why the rows are missing, and correct its list. The alert clears with a list that contains them.',
      { collection: 'customers', missing: 40, known: 50 },
    ),
  ),
  'erp-products-incomplete': erp(
    ({ nameless }) =>
      !nameless
        ? 'The ERP marked its list of products as incomplete, so no missing product is archived'
        : "The ERP's list of products contains rows without a valid id, so no missing product is archived",
    MEND_LISTING,
    { nameless: false },
  ),
  'erp-products-short': erp(
    ({ missing, sold }) =>
      `The ERP's list of products lacks ${missing >= sold ? 'all' : `${missing} of`} ${sold} products that were sold before. They are not archived`,
    "If they are not sold any more, deactivate them in the ERP. Otherwise correct the ERP's list.",
    { missing: 40, sold: 200 },
  ),
  'erp-stock-incomplete': erp(
    'The ERP marked its list of stock as incomplete, so missing products keep their stock',
    MEND_STOCK,
  ),
  'erp-stock-empty': erp(
    ({ sold }) => `The ERP's list of stock is empty, although the ERP sells ${sold} products. They keep their stock`,
    MEND_STOCK,
    { sold: 200 },
  ),
  'erp-stock-short': erp(
    ({ missing, stocked }) =>
      `The ERP's list of stock lacks ${missing} of the ${stocked} sold products whose stock it showed before. They keep their stock`,
    MEND_STOCK,
    { missing: 40, stocked: 200 },
  ),
  'orders-list-empty': marketplace(
    ({ open }) =>
      `The marketplace's list of orders is empty, although ${open} orders were open before. They do not count as deleted`,
    'Ask the marketplace whether the API key may still read the orders. The alert clears when the list contains orders again.',
    { open: 12 },
  ),
  'erp-orders-incomplete': erp(
    'The ERP marked its list of orders as incomplete, or rows have no valid id. Missing orders do not count as deleted',
    MEND_ORDERS,
  ),
  'erp-orders-empty': erp(
    ({ open }) =>
      `The ERP's list of orders is empty, although ${open} orders were open before. They do not count as deleted`,
    MEND_ORDERS,
    { open: 12 },
  ),
  'erp-customers-unlisted': operator(
    'The connector of the ERP cannot list customers',
    'Remove the section customers from the configuration.',
  ),
  'erp-customers-incomplete': erp(
    'The ERP marked its list of customers as incomplete, or rows have no valid id. No customer is created from this list',
    MEND_LISTING,
  ),
  'measurements-nameless': marketplace(
    'The stock by facility contains rows without a valid listing. Stock that is missing keeps its last known quantity',
    'Report it to the marketplace.',
  ),
  'measurements-short': marketplace(
    ({ known, found }) =>
      `The stock by facility has only ${found} of ${known} listings. The missing listings keep their last known quantity`,
    'Ask the marketplace, unless the next read is complete.',
    { known: 200, found: 120 },
  ),
});

const CORRECT_ROW = 'Correct the row on the side that shows it. The next read stores it.';

interface BrokenPart {
  /** The database table and column. Empty if the database error does not name them. */
  readonly table: string;
  readonly column: string;
}

const EXAMPLE: BrokenPart = { table: 'order_lines', column: 'line_id' };
const inWords = (name: string, unnamed: string) => (name === '' ? unnamed : name.replaceAll('_', ' '));

/** Why a list's row could not be stored. Causes of invalid rows take these as their `problem`. */
export const ROW_CODES = entriesOn('reading', {
  'row-part-twice': operator(
    ({ table, column }) =>
      `${inWords(column, 'a key')}: two ${inWords(table, 'parts of the row')} have the same value, so it is unknown which one is right`,
    CORRECT_ROW,
    EXAMPLE,
  ),
  'row-part-missing': operator(
    ({ table, column }) => `${inWords(column, 'a value')}: it is missing in ${inWords(table, 'the row')}`,
    CORRECT_ROW,
    EXAMPLE,
  ),
  'row-part-too-large': operator(
    ({ table, column }) => `${inWords(column, 'a value')}: it is too long for ${inWords(table, 'the database')}`,
    CORRECT_ROW,
    EXAMPLE,
  ),
  'row-part-refused': operator(
    ({ table, column }) =>
      `${inWords(column, 'a value')}: the database cannot keep it in ${inWords(table, 'any of its tables')}`,
    CORRECT_ROW,
    EXAMPLE,
  ),
  'row-contradicts': operator(
    'one list contains it twice with different values, so neither is used',
    'Correct the list: it must contain one row for each id. If the list is a query, a join may multiply the rows: use a subquery.',
  ),
  'row-not-understood': operator(
    ({ problem }) => `Stockbridge cannot process it (${problem})`,
    'This is a bug of Stockbridge: report it.',
    { problem: 'Invalid time' },
  ),
});

export const WEBHOOK_CODES = entriesOn('webhooks', {
  'webhooks-silent': marketplace(
    ({ kind, since, lost }) =>
      `No webhook about ${kind} has arrived${since === null ? '' : ` since ${since}`}, but polls found ${lost} changes. Until webhooks arrive again, polls are more frequent`,
    ({ account, kind }) =>
      `Check on the marketplace whether the webhook subscription is active and calls /webhooks/${account}/${kind}.`,
    { account: 'main', kind: 'orders', since: orNull('2026-11-22T09:00:00.000Z'), lost: 20 },
  ),
});

/** A text stored by a version that had no codes. */
export const OLD_CODES = entriesOn('upgrade', {
  'as-told': operator(
    ({ text }) => (text === '' ? 'An earlier version stored no reason' : text),
    'An earlier version wrote this message. It is replaced when the entity is processed again.',
    { text: 'the ERP has no order for it' },
  ),
});

const MENDS: Readonly<Record<FailureKind, string>> = {
  unavailable:
    'Start it again, or correct its address (or your own module). Waiting work then continues automatically. For failed jobs: stockbridge jobs replay --error unavailable',
  'rate-limited': 'Nothing to do: the call is made when the quota has room.',
  credentials:
    'Correct the credentials at the place that the configuration names. A running daemon reads a changed file automatically, but a variable (${env:}) only at a restart. To test the credentials of your own environment: stockbridge doctor',
  forbidden:
    'Give the key the permission. To test each permission: stockbridge doctor. Then: stockbridge jobs replay --error forbidden',
  'not-found': 'Check why it no longer exists. Then: stockbridge jobs replay --error not-found',
  'refused-for-now':
    'Wait until the reason in the answer is gone. Then: stockbridge jobs replay --error refused-for-now',
  refused: 'Fix the reason in the answer. Then: stockbridge jobs replay --error refused',
  'invalid-answer':
    'The answer does not fit the documented shape: report it to those who run that side. Then: stockbridge jobs replay --error invalid-answer',
  incomplete: 'Wait until that side answers completely. Then: stockbridge jobs replay --error incomplete',
};
/** Failures caused by the side, not by the entity. */
const OF_SIDE = new Set<string>(['unavailable', 'rate-limited', 'credentials', 'forbidden'] satisfies FailureKind[]);

/** Example answers for the page of all messages. The name of the side precedes them. */
const ANSWERS: Readonly<Record<FailureKind, string>> = {
  unavailable: ' did not answer within 30 s',
  'rate-limited': ' answered 429: too many calls',
  credentials: ' answered 401: the key is not known',
  forbidden: ' answered 403: the key may not do this',
  'not-found': ' answered 404: there is no such entity',
  'refused-for-now': ' answered 409: 3 units of SB-0001 are missing',
  refused: ' answered 400: quantity: must not be negative',
  'invalid-answer': "'s answer is not of the documented shape: total: expected a decimal",
  incomplete: ' says that its list is not complete',
};
const SIDES: Readonly<Record<Side, { readonly name: string; readonly row: typeof operator }>> = {
  marketplace: { name: 'The marketplace', row: marketplace },
  erp: { name: 'The ERP', row: erp },
  redis: { name: 'Redis', row: operator },
};

export type FailureCode = `${Side}-${FailureKind}` | 'program-error';
interface Failure {
  readonly message: string;
}

const told = ({ message }: Failure) => message;

export const FAILURE_CODES = entriesOn<Record<FailureCode, Failure>>('failures', {
  ...(ofCalls() as Record<`${Side}-${FailureKind}`, Omit<Entry<Failure>, 'page'>>),
  'program-error': operator(
    told,
    'This is a bug of Stockbridge or a fault of the machine: see the log. Then: stockbridge jobs replay --error program-error',
    { message: 'Something that must not happen has happened' },
  ),
});

function ofCalls() {
  const rows = Object.entries(SIDES).flatMap(([side, { name, row }]) =>
    Object.entries(ANSWERS).map(([kind, answer]) => {
      const turn = { credentials: operator, forbidden: operator, 'rate-limited': nobody }[kind] ?? row;
      const of = turn(told, MENDS[kind as FailureKind], { message: name + answer });
      return [`${side}-${kind}`, OF_SIDE.has(kind) ? withSharedParams([], of, side as Side) : of] as const;
    }),
  );
  return Object.fromEntries(rows);
}
