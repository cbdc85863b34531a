import { z } from 'zod';
import { Decimal } from '../domain/decimal.ts';
import { decimal, doc, duration, durationMs, wholeNumber } from '../settings/scalars.ts';
import { always, dayBelowPass } from './contradictions.ts';

const count = () => doc(wholeNumber(0, 1_000_000_000), 'At most this many.');
const percent = (of: string) => doc(decimal(), of);

/** The limits of one kind, for a pass and for a day. Limits of a day default to those of a pass. */
function brake<Pass extends { readonly count: z.ZodType; readonly percent?: z.ZodType }>(
  pass: Pass,
  of = 'At most this share, in percent.',
) {
  const day = z.strictObject({ count: count().optional(), percent: percent(of).optional() });
  return z
    .strictObject({
      ...pass,
      day: doc(day, 'The limits of any 24 hours; those of a pass unless set.').optional(),
    })
    .superRefine(dayBelowPass(pass.count.safeParse(undefined).data), { when: always });
}

const SHARE_OF_ERP = "At most this share of the ERP's products, in percent.";
const SHARE = 'At most this share, in percent.';
const MOVE = 'By how many percent one price may change.';

export const brakes = z.strictObject({
  create: doc(
    brake({ count: count().prefault(50), percent: percent(SHARE_OF_ERP).prefault('10') }, SHARE_OF_ERP).prefault({}),
    'How many listings may be created in a pass, and how many products in the ERP.',
  ),
  archive: doc(
    brake({ count: count().prefault(10), percent: percent(SHARE).prefault('5') }).prefault({}),
    'How many listings may be archived in a pass.',
  ),
  zero: doc(
    brake({ count: count().prefault(20), percent: percent(SHARE).prefault('20') }).prefault({}),
    'How many listings may fall to zero in a pass.',
  ),
  increase: doc(
    brake({ count: count().optional(), percent: percent(SHARE).optional() }).prefault({}),
    'How many listings may get more stock in a pass. Not limited unless set.',
  ),
  price: doc(
    brake({ count: count().optional(), percent: percent(MOVE).prefault('50') }, MOVE).prefault({}),
    'How many prices may change in a pass, and by how much.',
  ),
  reject: doc(
    brake({
      count: count().prefault(10),
      percent: percent('At most this share of the open orders, in percent.').optional(),
    }).prefault({}),
    'How many orders may be rejected in a pass, or cancelled in the ERP because they are gone from the marketplace. Rejected purchase orders are counted by themselves.',
  ),
  expiry: doc(
    duration('1s').prefault('24h'),
    'How long after it was opened a plan can be approved, and how long an approval lasts.',
  ),
});

/** null: no limit. */
export interface Limit {
  readonly count: number | null;
  readonly percent: Decimal | null;
}

interface Brake {
  readonly pass: Limit;
  readonly day: Limit;
}

const NONE: Limit = { count: 0, percent: null };

export function resolveBrakes(file: z.output<typeof brakes>) {
  return {
    create: resolveBrake(file.create),
    archive: resolveBrake(file.archive),
    zero: resolveBrake(file.zero),
    increase: resolveBrake(file.increase),
    price: resolveBrake(file.price),
    reject: resolveBrake(file.reject),
    /** Not configurable: every open order of the past waits for a person. */
    history: { pass: NONE, day: NONE },
    /** Not configurable: every link that moves to another ERP id waits for a person. */
    relink: { pass: NONE, day: NONE },
    /** Not configurable: every price that is per unit on one side and per case on the other waits for a person. */
    reprice: { pass: NONE, day: NONE },
    expiryMs: durationMs(file.expiry),
  };
}

interface LimitFile {
  readonly count?: number | undefined;
  readonly percent?: string | undefined;
}

function resolveBrake({ day, ...pass }: LimitFile & { readonly day?: LimitFile | undefined }): Brake {
  return {
    pass: resolveLimit(pass),
    day: resolveLimit({ count: day?.count ?? pass.count, percent: day?.percent ?? pass.percent }),
  };
}

function resolveLimit({ count: most, percent: share }: LimitFile): Limit {
  return { count: most ?? null, percent: share === undefined ? null : new Decimal(share) };
}
