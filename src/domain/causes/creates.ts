import { type AnyCause, marketplace, nobody, on, operator, orNull, sharing } from './entry.ts';

const SETTLED = 'Nothing to do: it is settled.';
const RESOLVE = 'Say with "stockbridge jobs resolve": --adopt ID, --retry or --drop. "stockbridge jobs list" shows it.';

/** Creates that can be neither confirmed nor denied. An operator decides. */
export const DOUBT_CODES = on('failures', {
  'several-match': operator(
    ({ found, sent }) =>
      `${found.length} match ${sent ? 'what was created' : 'and nothing was sent'}: ${found.join(', ')}`,
    RESOLVE,
    { found: ['ERP order SO-17', 'ERP order SO-18'], sent: true },
  ),
  'made-and-not-found': operator(
    ({ answer }) => `The other side took it, and nothing shows what was made: ${answer}`,
    RESOLVE,
    { answer: 'marketplace orders.create: the answer does not fit' },
  ),
  'look-alikes': operator(({ what, found }) => `${what}: ${found.join(', ')}`, RESOLVE, {
    what: 'Orders without an external_id look like it',
    found: ['9f1c0a52'],
  }),
  'payments-unreadable': sharing(
    [],
    operator(({ count }) => `${count} payments of the marketplace cannot be read, and one of them may be it`, RESOLVE, {
      count: 2,
    }),
  ),
  'verdict-unseen': operator(
    'The answer was lost, and the marketplace does not show the verdicts that it has taken',
    'Look at the order there, and say with "stockbridge jobs resolve": --retry to tell it again, or --drop.',
  ),
  'unseen-sale': operator(
    ({ listing, quantity }) =>
      `${quantity} of listing ${listing} were reserved and are gone, by an order that no list shows, so they are kept back`,
    'Wait for an order that shows them, or say with "stockbridge jobs resolve" that they are not sold: --retry.',
    { listing: 4711, quantity: '3' },
  ),
  'command-undecided': marketplace(
    ({ said, minutes }) => `${said} ${minutes} minutes after it was sent`,
    `Ask the marketplace. ${RESOLVE}`,
    { said: 'command 17 is Pending', minutes: 15 },
  ),
  'given-up': nobody(
    ({ by, doubt }, tell) =>
      `${by} gave it up until it changes: ${doubt === null ? 'its answer was lost' : tell(doubt)}`,
    'Nothing to do. To have it tried again: stockbridge jobs resolve ID --retry',
    { by: 'anna', doubt: orNull<AnyCause>(null) },
  ),
});

/** How a create in doubt was resolved. */
export const EVIDENCE_CODES = on('failures', {
  made: nobody(({ made }) => `${made} was made`, SETTLED, { made: 'ERP order SO-17' }),
  adopted: nobody(({ made, by }) => `${made} was adopted${by === null ? '' : ` by ${by}`}`, SETTLED, {
    made: 'ERP order SO-17',
    by: orNull<string>(null),
  }),
  linked: nobody(({ how }) => `The two were linked by ${how}`, SETTLED, { how: 'operator' }),
  'not-there': nobody('The other side did not have it after the settle time', SETTLED),
  'never-sent': nobody('The program ended before it was sent', SETTLED),
  'not-applied': nobody(({ answer }) => answer, SETTLED, { answer: 'marketplace products.create: 400' }),
  'not-applied-says': nobody(
    ({ by, doubt }, tell) =>
      `${by} says that it was not applied: ${doubt === null ? 'its answer was lost' : tell(doubt)}`,
    SETTLED,
    { by: 'anna', doubt: orNull<AnyCause>(null) },
  ),
  'order-shows-it': nobody(
    ({ orders }) => (orders.length === 0 ? 'Known orders explain it' : `Order ${orders.join(', ')} shows it`),
    SETTLED,
    { orders: ['9f1c0a52'] },
  ),
  'command-ended': nobody(({ said }) => said, SETTLED, { said: 'Command 17: the measurements show it' }),
});
