import { createHash } from 'node:crypto';
import { DISTINCTIVE_LENGTH } from '../domain/reference.ts';
import type { Capabilities } from './capabilities.ts';
import type { ErpConnector, ErpOrder, ErpPage, ErpPayment } from './connector.ts';

/*
 * The reference of an order in the ERP: its marketplace number, or a short text derived from it where the ERP limits
 * length, characters or case.
 */

export type ReferenceRule = Capabilities['reference'];

export interface ReferenceBook {
  /** null: no such reference was made. */
  numberOf(reference: string): Promise<string | null>;
  note(reference: string, number: string): Promise<void>;
}

const PLAIN = /^[A-Za-z0-9]+$/;
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
/** More characters would not reduce the risk of a collision. */
const HASH_LENGTH = 26;
/** Collisions are practically impossible. */
const MAX_TRIES = 5;

function isKept(text: string, { length, characters, letterCase }: ReferenceRule): boolean {
  return (
    (length === null || text.length <= length) &&
    (characters === 'any' || PLAIN.test(text)) &&
    (letterCase === 'kept' || text === text.toUpperCase())
  );
}

function isUnlimited({ length, characters, letterCase }: ReferenceRule): boolean {
  return length === null && characters === 'any' && letterCase === 'kept';
}

/** @param tries other orders that already have the earlier references */
export function referenceOf(number: string, rule: ReferenceRule, tries = 0): string {
  if (tries === 0) {
    if (isKept(number, rule)) return number;
    const whole = UUID.test(number) ? number.replaceAll('-', '').toUpperCase() : null;
    if (whole !== null && isKept(whole, rule)) return whole;
  }
  const hash = createHash('sha256').update(tries === 0 ? number : `${number} ${tries}`);
  return base32(hash.digest()).slice(0, Math.min(rule.length ?? HASH_LENGTH, HASH_LENGTH));
}

/** References of orders entered before the ERP's rule was known. */
export function olderReferences(number: string, rule: ReferenceRule): string[] {
  const { length, letterCase } = rule;
  const isCut = length !== null && length < number.length;
  const kept = isCut ? number.slice(0, length) : number;
  if (isCut && (!UUID.test(number) || kept.length < DISTINCTIVE_LENGTH)) return [];
  return letterCase === 'kept' ? [kept] : [kept, kept.toUpperCase()];
}

const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** RFC 4648 without padding: only capitals and digits. */
function base32(bytes: Buffer): string {
  let text = '';
  let left = 0;
  let bits = 0;
  for (const byte of bytes) {
    left = ((left << 8) | byte) & 0xfff;
    bits += 8;
    while (bits >= 5) {
      bits -= 5;
      text += DIGITS[(left >>> bits) & 31] ?? '';
    }
  }
  return text;
}

/** Translates between our order numbers and the ERP's references. A reference without a known number stays as it is. */
export function withReferences(erp: ErpConnector, rule: () => ReferenceRule, book: ReferenceBook): ErpConnector {
  /** The number's reference, unused by any other number. */
  async function free(number: string): Promise<string> {
    for (let tries = 0; tries < MAX_TRIES; tries += 1) {
      const reference = referenceOf(number, rule(), tries);
      const owner = reference === number ? number : await book.numberOf(reference);
      if (owner === null || owner === number) return reference;
    }
    throw new Error(`invariant: ${MAX_TRIES} references of ${number} belong to other orders`);
  }
  const isPlain = (number: string) => referenceOf(number, rule()) === number;

  async function named<Row extends Pick<ErpOrder | ErpPayment, 'reference'>>(row: Row): Promise<Row> {
    if (isUnlimited(rule())) return row;
    const number = await book.numberOf(row.reference);
    return number === null ? row : { ...row, reference: number };
  }
  async function* namedPages<Row extends Pick<ErpOrder, 'reference'>>(pages: AsyncIterable<ErpPage<Row>>) {
    for await (const page of pages) yield { ...page, items: await Promise.all(page.items.map(named)) };
  }

  return {
    ...erp,
    listOrders: (since, signal) => namedPages(erp.listOrders(since, signal)),
    listPayments: (since, signal) => namedPages(erp.listPayments(since, signal)),
    async findOrders(number, signal) {
      if (isPlain(number)) return erp.findOrders(number, signal);
      const reference = await free(number);
      const found = new Map<string, ErpOrder>();
      for (const one of new Set([reference, ...olderReferences(number, rule())])) {
        for (const order of await erp.findOrders(one, signal)) {
          if (one === reference) await book.note(reference, number);
          found.set(order.id, { ...order, reference: number });
        }
      }
      return [...found.values()];
    },
    getOrder: async (id, signal) => {
      const order = await erp.getOrder(id, signal);
      return order === null ? null : named(order);
    },
    async createOrder(draft, signal) {
      if (isPlain(draft.reference)) return erp.createOrder(draft, signal);
      const reference = await free(draft.reference);
      await book.note(reference, draft.reference);
      return named(await erp.createOrder({ ...draft, reference }, signal));
    },
    updateOrder: async (id, change, signal) => named(await erp.updateOrder(id, change, signal)),
    findPayments: async (id, signal) => Promise.all((await erp.findPayments(id, signal)).map(named)),
    async createPayment(draft, signal) {
      const reference = referenceOf(draft.reference, rule());
      const isNoted = (await book.numberOf(reference)) === draft.reference;
      return named(await erp.createPayment(isNoted ? { ...draft, reference } : draft, signal));
    },
  };
}

/** A book without storage. */
export function bookInMemory(): ReferenceBook {
  const numbers = new Map<string, string>();
  return {
    numberOf: async (reference) => numbers.get(reference) ?? null,
    note: async (reference, number) => void numbers.set(reference, number),
  };
}
