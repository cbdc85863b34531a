import type { FailureKind, Side } from '../failure.ts';
import { type Entry, on } from './entry.ts';

export const READ_CODES = on('reading', {
  'read-failing': {
    turn: 'operator',
    text: ({ problem }: { problem: string }) => `The read fails, so nothing new of it is noticed: ${problem}`,
    next: 'Mend the cause; "stockbridge doctor" tries each permission.',
    example: { problem: 'the marketplace answered orders.list with 403' },
  },
  'row-misfit': {
    turn: 'marketplace',
    text: ({ row, problem }: { row: string; problem: string }) =>
      `Row ${row} does not fit the documented shape: ${problem}`,
    next: 'Correct it on the marketplace, or tell the marketplace.',
    example: { row: '4711', problem: 'wholesale_price.amount: expected a decimal' },
  },
  'erp-row-misfit': {
    turn: 'erp',
    text: ({ row, problem }: { row: string; problem: string }) =>
      `Row ${row} of the ERP does not fit the contract: ${problem}`,
    next: "Correct it in the ERP, or the ERP's answer.",
    example: { row: 'P-1', problem: 'price.amount: expected a decimal' },
  },
  'erp-products-incomplete': {
    turn: 'erp',
    text: ({ nameless }: { nameless: boolean }) =>
      !nameless
        ? 'The ERP called its listing of products incomplete, so nothing is archived because of it'
        : "The ERP's listing of products holds rows without a readable id, so nothing is archived because of it",
    next: "Mend the ERP's listing; the next one is looked at by itself.",
    example: { nameless: false },
  },
  'erp-products-short': {
    turn: 'erp',
    text: ({ missing, sold }: { missing: number; sold: number }) =>
      `The ERP's listing of products lacks ${missing >= sold ? 'all' : `${missing} of`} ${sold} that it sells, so nothing is archived because of it`,
    next: 'If they are really gone, deactivate them in the ERP. Otherwise mend the listing.',
    example: { missing: 40, sold: 200 },
  },
  'erp-stock-incomplete': {
    turn: 'erp',
    text: () => 'The ERP called its list of stock incomplete, so nothing is changed because of it',
    next: "Mend the ERP's list of stock; the next one is looked at by itself.",
    example: {},
  },
  'erp-stock-empty': {
    turn: 'erp',
    text: ({ sold }: { sold: number }) =>
      `The ERP's list of stock is empty, and it sells ${sold} products, so nothing is changed because of it`,
    next: "Mend the ERP's list of stock; the next one is looked at by itself.",
    example: { sold: 200 },
  },
  'erp-stock-short': {
    turn: 'erp',
    text: ({ missing, stocked }: { missing: number; stocked: number }) =>
      `The ERP's list of stock lacks ${missing} of ${stocked} products that it sells and told the stock of, so nothing is changed because of it`,
    next: "Mend the ERP's list of stock; the next one is looked at by itself.",
    example: { missing: 40, stocked: 200 },
  },
  'erp-customers-unlisted': {
    turn: 'operator',
    text: () => 'The connector of the ERP cannot list customers',
    next: 'Leave the section customers out of the configuration.',
    example: {},
  },
  'erp-customers-incomplete': {
    turn: 'erp',
    text: () =>
      'The ERP called its listing of customers incomplete, or rows of it have no readable id, so no customer is created because of it',
    next: "Mend the ERP's listing; the next one is looked at by itself.",
    example: {},
  },
  'measurements-nameless': {
    turn: 'marketplace',
    text: () =>
      'The stock by facility holds rows that do not tell their listing, so everything that it lacks stays as it was known',
    next: 'Tell the marketplace.',
    example: {},
  },
  'measurements-short': {
    turn: 'marketplace',
    text: ({ known, found }: { known: number; found: number }) =>
      `The stock by facility shrank from ${known} listings to ${found}, so everything that it lacks stays as it was known`,
    next: 'Nothing to do if the next read is whole. Otherwise ask the marketplace.',
    example: { known: 200, found: 120 },
  },
});

export const WEBHOOK_CODES = on('webhooks', {
  'webhooks-silent': {
    turn: 'marketplace',
    text: ({ kind, since, lost }: { account: string; kind: string; since: string | null; lost: number }) =>
      `No webhook about ${kind} has come${since === null ? '' : ` since ${since}`}, and polls have seen ${lost} changes; until they come again, polls are tighter`,
    next: ({ account, kind }) =>
      `Look at the subscription on the marketplace, and whether it reaches /webhooks/${account}/${kind}: it may have been switched off.`,
    example: { account: 'main', kind: 'orders', since: '2026-11-22T09:00:00.000Z', lost: 20 },
  },
});

/** A text of a version that had no codes yet. */
export const OLD_CODES = on('upgrade', {
  'as-told': {
    turn: 'operator',
    text: ({ text }: { text: string }) => (text === '' ? 'An earlier version told nothing' : text),
    next: 'An earlier version wrote this: the next look at it tells more.',
    example: { text: 'the ERP has no order for it' },
  },
});

/** The remedy for a failure of each kind. */
const MENDS: Readonly<Record<FailureKind, string>> = {
  unavailable: 'When the side answers again, try again: stockbridge jobs replay --error unavailable',
  'rate-limited': 'Nothing to do: the call is made when the quota has room.',
  credentials: 'Correct the credentials; "stockbridge doctor" tries them.',
  forbidden: 'Give the key the permission; "stockbridge doctor" tries each. Then: stockbridge jobs replay',
  'not-found': 'Find out why it is gone there, then: stockbridge jobs replay',
  refused: 'Mend what the answer says, then: stockbridge jobs replay',
  misfit: 'The answer is not of the documented shape: tell those who run that side. Then: stockbridge jobs replay',
  incomplete: 'When the side answers completely again: stockbridge jobs replay',
};
const TURNS = { marketplace: 'marketplace', erp: 'erp', redis: 'operator' } as const satisfies Record<Side, string>;

export type FailureCode = `${Side}-${FailureKind}` | 'program-error';
interface Failure {
  readonly message: string;
}

/** Causes that jobs fail for: one for each kind of failure of each side. */
export const FAILURE_CODES = failureCodes();

/** The answers that such failures come of, for the page of all messages. */
function exampleOf(side: Side, kind: FailureKind): string {
  const name = { marketplace: 'The marketplace', erp: 'The ERP', redis: 'Redis' }[side];
  return {
    unavailable: `${name} did not answer within 30 s`,
    'rate-limited': `${name} answered 429: too many calls`,
    credentials: `${name} answered 401: the key is not known`,
    forbidden: `${name} answered 403: the key may not do this`,
    'not-found': `${name} answered 404: there is no such entity`,
    refused: `${name} answered 400: quantity: must not be negative`,
    misfit: `${name}'s answer is not of the documented shape: total: expected a decimal`,
    incomplete: `${name} says that its list is not complete`,
  }[kind];
}

function failureCodes(): Readonly<Record<FailureCode, Entry<Failure>>> {
  const text = ({ message }: Failure) => message;
  const ofCalls = Object.entries(TURNS).flatMap(([side, sidesTurn]) =>
    Object.entries(MENDS).map(([kind, next]) => {
      const turn = kind === 'credentials' || kind === 'forbidden' ? ('operator' as const) : sidesTurn;
      return [
        `${side}-${kind}`,
        { turn, text, next, example: { message: exampleOf(side as Side, kind as FailureKind) } },
      ];
    }),
  );
  const ofProgram: Omit<Entry<Failure>, 'page'> = {
    turn: 'operator',
    text,
    next: 'This is a mistake of the program, or of the machine: the log tells more. Then: stockbridge jobs replay',
    example: { message: 'Something that must not happen has happened' },
  };
  return on<Record<FailureCode, Failure>>('failures', {
    ...(Object.fromEntries(ofCalls) as Record<FailureCode, typeof ofProgram>),
    'program-error': ofProgram,
  });
}
