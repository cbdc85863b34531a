import { type AnyCause, on, type Tell } from './entry.ts';

const SETTLED = 'Nothing to do: it is settled.';
const RESOLVE = 'Say with "stockbridge jobs resolve": --adopt ID, --retry or --drop. "stockbridge jobs list" shows it.';

/** A write that can be neither confirmed nor denied: an operator decides. */
export const DOUBT_CODES = on('failures', {
  'several-match': {
    turn: 'operator',
    text: ({ found, sent }: { found: string[]; sent: boolean }) =>
      `${found.length} match ${sent ? 'what was created' : 'and nothing was sent'}: ${found.join(', ')}`,
    next: RESOLVE,
    example: { found: ['ERP order SO-17', 'ERP order SO-18'], sent: true },
  },
  'made-and-not-found': {
    turn: 'operator',
    text: ({ answer }: { answer: string }) => `The other side took it, and nothing shows what was made: ${answer}`,
    next: RESOLVE,
    example: { answer: 'marketplace orders.create: the answer does not fit' },
  },
  'look-alikes': {
    turn: 'operator',
    text: ({ what, found }: { what: string; found: string[] }) => `${what}: ${found.join(', ')}`,
    next: RESOLVE,
    example: { what: 'Orders without an external_id look like it', found: ['9f1c0a52'] },
  },
  'payments-unreadable': {
    turn: 'operator',
    text: ({ count }: { count: number }) =>
      `${count} payments of the marketplace cannot be read, and one of them may be it`,
    next: RESOLVE,
    example: { count: 2 },
  },
  'unseen-sale': {
    turn: 'operator',
    text: ({ listing, quantity }: { listing: number; quantity: string }) =>
      `${quantity} of listing ${listing} were reserved and are gone, by an order that no list shows, so they are kept back`,
    next: 'Nothing to do if an order shows them soon. Otherwise say with "stockbridge jobs resolve" that they are not sold: --retry.',
    example: { listing: 4711, quantity: '3' },
  },
  'command-undecided': {
    turn: 'marketplace',
    text: ({ said, minutes }: { said: string; minutes: number }) => `${said} ${minutes} minutes after it was sent`,
    next: `Ask the marketplace. ${RESOLVE}`,
    example: { said: 'command 17 is Pending', minutes: 15 },
  },
  'given-up': {
    turn: 'operator',
    text: ({ by, doubt }: { by: string; doubt: AnyCause | null }, tell: Tell) =>
      `${by} gave it up until it changes: ${doubt === null ? 'its answer was lost' : tell(doubt)}`,
    next: 'Nothing to do. To have it tried again: stockbridge jobs resolve ID --retry',
    example: { by: 'anna', doubt: null },
  },
});

/** The results of a write that was in question. */
export const EVIDENCE_CODES = on('failures', {
  made: {
    turn: 'nobody',
    text: ({ made }: { made: string }) => `${made} was made`,
    next: SETTLED,
    example: { made: 'ERP order SO-17' },
  },
  adopted: {
    turn: 'nobody',
    text: ({ made, by }: { made: string; by: string | null }) => `${made} was adopted${by === null ? '' : ` by ${by}`}`,
    next: SETTLED,
    example: { made: 'ERP order SO-17', by: null },
  },
  linked: {
    turn: 'nobody',
    text: ({ how }: { how: string }) => `The two were linked by ${how}`,
    next: SETTLED,
    example: { how: 'operator' },
  },
  'not-there': {
    turn: 'nobody',
    text: () => 'The other side did not have it after the settle time',
    next: SETTLED,
    example: {},
  },
  'never-sent': {
    turn: 'nobody',
    text: () => 'The program ended before it was sent',
    next: SETTLED,
    example: {},
  },
  'not-applied': {
    turn: 'nobody',
    text: ({ answer }: { answer: string }) => answer,
    next: SETTLED,
    example: { answer: 'marketplace products.create: 400' },
  },
  'not-applied-says': {
    turn: 'nobody',
    text: ({ by, doubt }: { by: string; doubt: AnyCause | null }, tell: Tell) =>
      `${by} says that it was not applied: ${doubt === null ? 'its answer was lost' : tell(doubt)}`,
    next: SETTLED,
    example: { by: 'anna', doubt: null },
  },
  'order-shows-it': {
    turn: 'nobody',
    text: ({ orders }: { orders: string[] }) =>
      orders.length === 0 ? 'Known orders explain it' : `Order ${orders.join(', ')} shows it`,
    next: SETTLED,
    example: { orders: ['9f1c0a52'] },
  },
  'command-ended': {
    turn: 'nobody',
    text: ({ said }: { said: string }) => said,
    next: SETTLED,
    example: { said: 'Command 17: the measurements show it' },
  },
});
