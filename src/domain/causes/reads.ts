import { counted } from '../counted.ts';
import type { FailureKind, Side } from '../failure.ts';
import { type Entry, erp, marketplace, nobody, on, operator, orNull, sharing } from './entry.ts';

const MEND_LISTING = "Mend the ERP's listing; the next one is looked at by itself.";
const MEND_STOCK = "Mend the ERP's list of stock; the next one is looked at by itself.";

const MEND_ORDERS = "Mend the ERP's list of orders; the next one is looked at by itself.";

export const READ_CODES = on('reading', {
  'read-failing': sharing(
    ['problem'],
    operator(
      ({ problem }) => `The list cannot be read, so nothing new of it is noticed: ${problem}`,
      'Mend the cause; "stockbridge doctor" tries each permission.',
      { problem: 'the marketplace answered orders.list with 403' },
    ),
  ),
  'store-failing': operator(
    ({ problem }) => `The database fails in this read, so nothing new of the list is noticed: ${problem}`,
    'Mend the database, its disk or its server; "stockbridge doctor" looks at them. No row is at fault.',
    { problem: 'database or disk is full' },
  ),
  'every-row-fails': operator(
    ({ problem }) =>
      `The program fails on every row of a page, so nothing of the page was stored and the list stops: ${problem}`,
    'This is a mistake of the program: report it with this sentence. No row is at fault.',
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
    ({ row, problem }) => `Row ${row} cannot be taken in: ${problem}`,
    'Report it with this sentence: the program has to learn such rows. Everything beside this row goes on.',
    { row: '4711', problem: "the program's rules do not understand it (Invalid time)" },
  ),
  'rows-ahead': marketplace(
    ({ collection, count, row, stamp }) =>
      `${counted(count, 'row')} of the list of ${collection} ${count === 1 ? 'carries' : 'carry'} a time that the marketplace's own clock has not reached, first ${row} with ${stamp}; it is taken in, and reading goes on from the rows before it`,
    'Report the row to the marketplace. It ends by itself with a list without such a row.',
    { collection: 'orders', count: 1, row: '4711', stamp: '9999-12-31T23:59:59Z' },
  ),
  'erp-rows-ahead': erp(
    ({ collection, count, row, stamp }) =>
      `${counted(count, 'time')} in the list of ${collection} ${count === 1 ? 'lies' : 'lie'} in the future of the ERP's own clock, first ${row} with ${stamp}; the time of the answer counts instead`,
    "Correct the time in the ERP, or the ERP's clock. It ends by itself with a list without such a time.",
    { collection: 'erp-orders', count: 1, row: 'as_of', stamp: '9999-12-31T23:59:59Z' },
  ),
  'erp-changes-unseen': operator(
    ({ collection, count, row, stamp, readTo, zone }) =>
      `${counted(count, 'row')} of the list of ${collection} changed, and no read of changes showed ${count === 1 ? 'it' : 'them'}, first ${row}: its changed_at says ${stamp}${zone === null ? '' : `, read in the zone ${zone}`}, and changes had been read up to ${readTo}`,
    'Compare changed_at of that row with the time at which it really changed. Where it lies hours behind, correct the zone. Where it did not move, map a time that moves, or leave the filter of changes out of the list. It ends with a whole list without such a row.',
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
    ({ minutes }) => `The marketplace orders a wait of ${minutes} minutes or more, and is not called until then`,
    'Ask the marketplace why. An hour is the longest that is waited for; it ends with the next call that is answered.',
    { minutes: 60 },
  ),
  'erp-wait-ordered': erp(
    ({ minutes }) => `The ERP orders a wait of ${minutes} minutes or more, and what asked for it waits until then`,
    'Find out in the ERP why it asks for that. An hour is the longest that is waited for; it ends with the next call that is answered.',
    { minutes: 60 },
  ),
  'marketplace-slow': marketplace(
    ({ seconds }) => `The marketplace answers slowly: a call took ${seconds} s`,
    'Ask the marketplace, or find out about the network in between. It ends by itself after two minutes without such an answer.',
    { seconds: 12 },
  ),
  'erp-slow': erp(
    ({ seconds }) => `The ERP answers slowly: a call took ${seconds} s`,
    'Find out in the ERP, or in the network in between. It ends by itself after two minutes without such an answer.',
    { seconds: 12 },
  ),
  'lists-late': operator(
    ({ lists }) => `These lists are not read in time, although their side answers: ${lists}`,
    'Find out whether the machine is too busy or its disk too slow; "stockbridge doctor" looks at Redis, the disk and the clock. Report it if neither is.',
    { lists: 'orders, erp-stock' },
  ),
  'no-descriptors': operator(
    ({ allowed }) =>
      `This program has run out of file descriptors${allowed === null ? '' : ` (${allowed} are allowed)`}, so it cannot make all of its calls: neither side is at fault`,
    'Raise the limit: "ulimit -n", or LimitNOFILE of systemd; then start it again.',
    { allowed: orNull(1024) },
  ),
  'stood-still': operator(
    ({ seconds }) =>
      `This program stood still for ${seconds} s, so it read no answer meanwhile: neither side is at fault`,
    'Give it more of the processor, or more memory; "stockbridge doctor" looks at the memory.',
    { seconds: 12 },
  ),
  'cursor-ahead': nobody(
    ({ collection, cursor, servedAt }) =>
      `Changes of ${collection} were asked for from ${cursor} on, and there it was only ${servedAt}: changes may have been missed, so the list is read again from its beginning`,
    'Nothing to do: it ends when the list has been read.',
    { collection: 'orders', cursor: '9999-12-31T23:59:59Z', servedAt: '2026-11-22T09:00:00.000Z' },
  ),
  'list-short': marketplace(
    ({ collection, count }) =>
      `The list of ${collection} says that it has ${counted(count, 'row')}, and does not show all of them, so changes may be missing`,
    'Report it to the marketplace. It ends by itself with a list that shows them.',
    { collection: 'orders', count: 40 },
  ),
  'list-lacks-many': sharing(
    ['collection'],
    operator(
      ({ collection, missing, known }) =>
        `The list of ${collection} lacks ${missing} of the ${known} rows that are known, which is too much to be believed: none of them counts as gone`,
      'Find out on that side why, and mend its list. It ends by itself with a list that shows them.',
      { collection: 'customers', missing: 40, known: 50 },
    ),
  ),
  'erp-products-incomplete': erp(
    ({ nameless }) =>
      !nameless
        ? 'The ERP called its listing of products incomplete, so nothing is archived because of it'
        : "The ERP's listing of products holds rows without a readable id, so nothing is archived because of it",
    MEND_LISTING,
    { nameless: false },
  ),
  'erp-products-short': erp(
    ({ missing, sold }) =>
      `The ERP's listing of products lacks ${missing >= sold ? 'all' : `${missing} of`} ${sold} that it sells, so nothing is archived because of it`,
    'If they are really gone, deactivate them in the ERP. Otherwise mend the listing.',
    { missing: 40, sold: 200 },
  ),
  'erp-stock-incomplete': erp(
    'The ERP called its list of stock incomplete, so nothing is changed because of it',
    MEND_STOCK,
  ),
  'erp-stock-empty': erp(
    ({ sold }) =>
      `The ERP's list of stock is empty, and it sells ${sold} products, so nothing is changed because of it`,
    MEND_STOCK,
    { sold: 200 },
  ),
  'erp-stock-short': erp(
    ({ missing, stocked }) =>
      `The ERP's list of stock lacks ${missing} of the ${stocked} sold products whose stock it showed before, so nothing is changed because of it`,
    MEND_STOCK,
    { missing: 40, stocked: 200 },
  ),
  'orders-list-empty': marketplace(
    ({ open }) =>
      `The marketplace's list of orders is empty, and ${open} that it showed before were open, so none counts as gone because of it`,
    'Ask the marketplace whether the key still sees the orders. It ends by itself with a list that shows any.',
    { open: 12 },
  ),
  'erp-orders-incomplete': erp(
    'The ERP called its list of orders incomplete, or rows of it have no readable id, so no order counts as gone because of it',
    MEND_ORDERS,
  ),
  'erp-orders-empty': erp(
    ({ open }) =>
      `The ERP's list of orders is empty, and ${open} that it showed before were open, so none counts as gone because of it`,
    MEND_ORDERS,
    { open: 12 },
  ),
  'erp-customers-unlisted': operator(
    'The connector of the ERP cannot list customers',
    'Leave the section customers out of the configuration.',
  ),
  'erp-customers-incomplete': erp(
    'The ERP called its listing of customers incomplete, or rows of it have no readable id, so no customer is created because of it',
    MEND_LISTING,
  ),
  'measurements-nameless': marketplace(
    'The stock by facility holds rows without a readable listing, so stock that it lacks keeps its last known figure',
    'Report it to the marketplace.',
  ),
  'measurements-short': marketplace(
    ({ known, found }) =>
      `The stock by facility shrank from ${known} listings to ${found}, so stock that it lacks keeps its last known figure`,
    'Ask the marketplace, unless the next read is whole.',
    { known: 200, found: 120 },
  ),
});

const CORRECT_ROW = 'Correct the row on the side that shows it; the next read takes it in.';

interface BrokenPart {
  /** The database table and column. Empty if the database error does not name them. */
  readonly table: string;
  readonly column: string;
}

const EXAMPLE: BrokenPart = { table: 'order_lines', column: 'line_id' };
const inWords = (name: string, unnamed: string) => (name === '' ? unnamed : name.replaceAll('_', ' '));

/** Why a list's row could not be stored. Causes of invalid rows take these as their `problem`. */
export const ROW_CODES = on('reading', {
  'row-part-twice': operator(
    ({ table, column }) =>
      `${inWords(column, 'a key')}: two ${inWords(table, 'parts of it')} have the same one, so nobody knows which of them counts`,
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
    'it stands twice in one list, and not the same each time, so that neither is believed',
    'Let the list show one row for it. Where the list is a query, a join has several rows for one record: use a subquery.',
  ),
  'row-not-understood': operator(
    ({ problem }) => `the program's rules do not understand it (${problem})`,
    'Report it: the program has to learn such rows.',
    { problem: 'Invalid time' },
  ),
});

export const WEBHOOK_CODES = on('webhooks', {
  'webhooks-silent': marketplace(
    ({ kind, since, lost }) =>
      `No webhook about ${kind} has come${since === null ? '' : ` since ${since}`}, and polls have seen ${lost} changes; polls are more frequent until webhooks come again`,
    ({ account, kind }) =>
      `Look at the subscription on the marketplace, and whether it reaches /webhooks/${account}/${kind}: it may have been switched off.`,
    { account: 'main', kind: 'orders', since: orNull('2026-11-22T09:00:00.000Z'), lost: 20 },
  ),
});

/** A text stored by a version that had no codes. */
export const OLD_CODES = on('upgrade', {
  'as-told': operator(
    ({ text }) => (text === '' ? 'An earlier version told nothing' : text),
    'An earlier version wrote this: the next look at it tells more.',
    { text: 'the ERP has no order for it' },
  ),
});

/** The remedy for each kind of failure. */
const MENDS: Readonly<Record<FailureKind, string>> = {
  unavailable:
    'Bring it back, or correct the address (or your own module) by which it is reached. Waiting work then goes on by itself. For failed jobs: stockbridge jobs replay --error unavailable',
  'rate-limited': 'Nothing to do: the call is made when the quota has room.',
  credentials:
    'Correct the credentials where the configuration takes them from. A running daemon takes a new value of a file by itself, but one of a variable (${env:}) only at a restart; "stockbridge doctor" tries the values of its own environment.',
  forbidden:
    'Give the key the permission; "stockbridge doctor" tries each. Then: stockbridge jobs replay --error forbidden',
  'not-found': 'Find out why it is gone there, then: stockbridge jobs replay --error not-found',
  'refused-for-now': 'When what the answer says has changed: stockbridge jobs replay --error refused-for-now',
  refused: 'Mend what the answer says, then: stockbridge jobs replay --error refused',
  'invalid-answer':
    'The answer is not of the documented shape: tell those who run that side. Then: stockbridge jobs replay --error invalid-answer',
  incomplete: 'When the side answers completely again: stockbridge jobs replay --error incomplete',
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

/** Failed jobs: one cause for each side and kind of failure. */
export const FAILURE_CODES = on<Record<FailureCode, Failure>>('failures', {
  ...(ofCalls() as Record<`${Side}-${FailureKind}`, Omit<Entry<Failure>, 'page'>>),
  'program-error': operator(
    told,
    'This is a mistake of the program, or of the machine: the log tells more. Then: stockbridge jobs replay --error program-error',
    { message: 'Something that must not happen has happened' },
  ),
});

function ofCalls() {
  const rows = Object.entries(SIDES).flatMap(([side, { name, row }]) =>
    Object.entries(ANSWERS).map(([kind, answer]) => {
      const turn = { credentials: operator, forbidden: operator, 'rate-limited': nobody }[kind] ?? row;
      const of = turn(told, MENDS[kind as FailureKind], { message: name + answer });
      return [`${side}-${kind}`, OF_SIDE.has(kind) ? sharing([], of, side as Side) : of] as const;
    }),
  );
  return Object.fromEntries(rows);
}
