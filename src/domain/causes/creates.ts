import { type AnyCause, entriesOn, marketplace, nobody, operator, orNull, withSharedParams } from './entry.ts';

const SETTLED = 'Nothing to do: it is settled.';
const RESOLVE =
  'Decide with "stockbridge jobs resolve": --adopt ID, --retry or --drop. To see the case: stockbridge jobs list';

export const DOUBT_CODES = entriesOn('failures', {
  'several-match': operator(
    ({ found, sent }) =>
      `${found.length} entities match ${sent ? 'the create whose answer was lost' : 'what was to be created, so nothing was sent'}: ${found.join(', ')}`,
    RESOLVE,
    { found: ['ERP order SO-17', 'ERP order SO-18'], sent: true },
  ),
  'made-and-not-found': operator(
    ({ answer }) => `The other side accepted the create, and the new entity is not found: ${answer}`,
    RESOLVE,
    { answer: 'marketplace orders.create: the answer does not fit' },
  ),
  'look-alikes': operator(({ what, found }) => `${what}: ${found.join(', ')}`, RESOLVE, {
    what: 'Similar orders without an external_id',
    found: ['9f1c0a52'],
  }),
  'payments-unreadable': withSharedParams(
    [],
    operator(
      ({ count }) =>
        `${count} payments of the marketplace cannot be read. One of them may be the payment that was sent`,
      RESOLVE,
      {
        count: 2,
      },
    ),
  ),
  'verdict-unseen': operator(
    'The answer to an approval was lost, and the marketplace does not show which approvals it has received',
    'Check the order on the marketplace. Then decide with "stockbridge jobs resolve": --retry to send the approval again, or --drop.',
  ),
  'unseen-sale': operator(
    ({ listing, quantity }) =>
      `${quantity} reserved units of listing ${listing} are gone, and no known order explains it. They are not offered again`,
    'Wait for the order that explains them. If they were not sold, offer them again: stockbridge jobs resolve ID --retry',
    { listing: 4711, quantity: '3' },
  ),
  'command-undecided': marketplace(
    ({ said, minutes }) => `${said} ${minutes} minutes after it was sent`,
    `Ask the marketplace. ${RESOLVE}`,
    { said: 'command 17 is Pending', minutes: 15 },
  ),
  'given-up': nobody(
    ({ by, doubt }, tell) =>
      `${by} gave up this write until the entity changes: ${doubt === null ? 'its answer was lost' : tell(doubt)}`,
    'Nothing to do. To retry it: stockbridge jobs resolve ID --retry',
    { by: 'anna', doubt: orNull<AnyCause>(null) },
  ),
});

export const EVIDENCE_CODES = entriesOn('failures', {
  made: nobody(({ made }) => `${made} was made`, SETTLED, { made: 'ERP order SO-17' }),
  adopted: nobody(({ made, by }) => `${made} was adopted${by === null ? '' : ` by ${by}`}`, SETTLED, {
    made: 'ERP order SO-17',
    by: orNull<string>(null),
  }),
  linked: nobody(({ how }) => `The two were linked by ${how}`, SETTLED, { how: 'operator' }),
  'not-there': nobody('The other side did not have it when the settle time was over', SETTLED),
  'never-sent': nobody('The program ended before it was sent', SETTLED),
  'not-applied': nobody(({ answer }) => answer, SETTLED, { answer: 'marketplace products.create: 400' }),
  'not-applied-says': nobody(
    ({ by, doubt }, tell) =>
      `${by} decided that the write was not applied: ${doubt === null ? 'its answer was lost' : tell(doubt)}`,
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
