import type { Disk } from './disk.ts';
import type { SideName } from './network.ts';
import type { Request } from './sides.ts';

/** Is the target of an entry the one that a request writes to? */
type Fits = (target: string, after: string | null) => boolean;
type Named = (body: Readonly<Record<string, unknown>>, id: string) => Fits;

const exactly =
  (expected: string): Fits =>
  (target) =>
    target === expected;

/** The journal's name for the target of a request, by its side, method and path. */
const TARGETS: readonly (readonly [RegExp, Named])[] = [
  [/^marketplace POST .*\/products\/$/, ({ sku }) => exactly(`a listing for ${String(sku)}`)],
  [/^marketplace (?:PATCH|DELETE) .*\/products\/(\d+)\/$/, listing],
  [/^marketplace PATCH .*\/orders-received\/([^/]+)\/$/, (body, id) => exactly(`${partOf(body)} of order ${id}`)],
  [/^marketplace DELETE .*\/line-items\/(\d+)\/$/, (_, id) => (target) => target.startsWith(`line ${id} of order `)],
  [/^marketplace POST .*\/orders-received\/([^/]+)\/transition\//, (_, id) => exactly(`order ${id}`)],
  [
    /^marketplace POST .*\/orders-received\/$/,
    ({ external_id }) => exactly(`marketplace order for ERP order ${String(external_id)}`),
  ],
  [
    /^marketplace (?:PATCH|PUT|DELETE) .*\/customers\/(\d+)\/(?:[a-z]+-address\/)?$/,
    (_, id) => (target) => target.includes(`customer ${id} (`),
  ],
  [
    /^marketplace POST .*\/customers\/$/,
    ({ external_ids }) =>
      (target) =>
        target.startsWith(`a customer for ${String((external_ids as Record<string, unknown>)['stockbridge'])} (`),
  ],
  [/^erp POST .*\/customers$/, ({ marketplace_id }) => exactly(`customer ${String(marketplace_id)}`)],
  [/^erp POST .*\/orders$/, ({ reference }) => exactly(`ERP order for ${String(reference)}`)],
  [
    /^marketplace POST .*\/order-payments\/$/,
    // Several payments may be on their way at once.
    ({ order, total }) =>
      (target, after) =>
        target.startsWith('marketplace payment for ERP payment ') &&
        after?.startsWith(`${String(total)} `) === true &&
        after.includes(`order ${String(order)}`),
  ],
  [
    /^erp POST .*\/payments$/,
    ({ marketplace_id }) => exactly(`ERP payment for marketplace payment ${String(marketplace_id)}`),
  ],
  [/^erp PATCH .*\/orders\/([^/]+)$/, (_, id) => (target) => target.startsWith(`ERP order ${id} of `)],
];

function partOf(order: Readonly<Record<string, unknown>>): string {
  if (Object.hasOwn(order, 'line_items')) return 'lines';
  return Object.hasOwn(order, 'external_id') ? 'external_id' : 'charges';
}

/** A write of stock names its field. */
function listing(body: Readonly<Record<string, unknown>>, id: string): Fits {
  const figure = ['quantity', 'available_inventory'].find((name) => Object.hasOwn(body, name));
  return (target) =>
    target.startsWith(`listing ${id} (`) &&
    (figure === undefined ? target.endsWith(')') : target.includes(`) ${figure}`));
}

const SENT = "SELECT id, target, after FROM journal WHERE outcome = 'sent' ORDER BY id";
const STANDS = "SELECT 1 FROM journal WHERE id = ? AND outcome IN ('sent', 'written', 'unknown')";

const TWIN = `SELECT 1 FROM journal WHERE target = ? AND id <> ? AND action = 'customer-in.create'
  AND outcome IN ('sent', 'written', 'unknown')`;

interface Entry {
  readonly id: number;
  readonly target: string;
  readonly after: string | null;
}

/**
 * I10: each write has an entry of its own on record before it is sent, and the entry of an applied write is never taken back.
 */
export function createRecordLaw(disk: Disk, broken: string[]) {
  const sentRows = disk.prepare<[], Entry>(SENT);
  const twin = disk.prepare<[string, number], unknown>(TWIN);
  const stands = disk.prepare<[number], unknown>(STANDS);
  /** Entries whose write was sent, or that an earlier worker has left. */
  const taken = new Set<number>();
  const entries = new Map<Request, Entry>();
  const applied = new Set<Request>();

  /** Two flows were about to make the same customer: this entry may be of the one that found it there, and was taken back. */
  const isMadeByAnother = ({ id, target }: Entry): boolean => twin.get(target, id) !== undefined;
  const judge = (request: Request): void => {
    const entry = entries.get(request);
    if (entry !== undefined && stands.get(entry.id) === undefined && !isMadeByAnother(entry)) {
      broken.push(`I10: ${request.method} ${request.target} was applied, and is not on record any more`);
    }
  };

  return {
    /** To be called when a write leaves the program. */
    sent(side: SideName, request: Request): void {
      const fits = targetOf(side, request);
      const entry = sentRows.all().find(({ id, target, after }) => !taken.has(id) && fits(target, after));
      if (entry === undefined) {
        broken.push(`I10: ${side} ${request.method} ${request.target} is sent, and is not on record`);
        return;
      }
      taken.add(entry.id);
      entries.set(request, entry);
    },
    applied(request: Request): void {
      applied.add(request);
      judge(request);
    },
    /** To be called when a worker begins: entries of sent writes are from before. */
    begun(): void {
      for (const { id } of sentRows.all()) taken.add(id);
    },
    /** Judges at the end: every applied write is on record. */
    judgeAll(): void {
      applied.forEach(judge);
    },
  };
}

function targetOf(side: SideName, { method, target, body }: Request): Fits {
  const call = `${side} ${method} ${target}`;
  const fields = body === '' ? {} : (JSON.parse(body) as Record<string, unknown>);
  for (const [pattern, named] of TARGETS) {
    const match = pattern.exec(call);
    if (match !== null) return named(fields, match[1] ?? '');
  }
  throw new Error(`nobody knows what ${call} is called on record`);
}
