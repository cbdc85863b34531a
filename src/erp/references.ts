import { createHash } from 'node:crypto';
import { TELLING_LENGTH } from '../domain/reference.ts';
import type { Capabilities } from './capabilities.ts';
import type { ErpConnector, ErpOrder, ErpPage, ErpPayment } from './connector.ts';

/*
 * The reference of an order in the ERP. The program knows an order by its number on the marketplace. An ERP may keep less than
 * that: fewer characters, letters and digits only, or capitals. Then it gets a short reference, made of the number.
 */

export type ReferenceRule = Capabilities['reference'];

/** Remembers the orders that short references stand for. */
export interface ReferenceBook {
  /** The number of the order; null: no reference like this was made. */
  numberOf(reference: string): Promise<string | null>;
  note(reference: string, number: string): Promise<void>;
}

const PLAIN = /^[A-Za-z0-9]+$/;
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
/** The most characters of a hash: more make no reference more certain. */
const HASH_LENGTH = 26;
/** Two numbers with one hash are as good as impossible. */
const MAX_TRIES = 5;

/** Does the ERP keep this text as it is? */
function isKept(text: string, { length, characters, letterCase }: ReferenceRule): boolean {
  return (
    (length === null || text.length <= length) &&
    (characters === 'any' || PLAIN.test(text)) &&
    (letterCase === 'kept' || text === text.toUpperCase())
  );
}

/** Every text is kept. */
function isUnlimited({ length, characters, letterCase }: ReferenceRule): boolean {
  return length === null && characters === 'any' && letterCase === 'kept';
}

/** The reference of an order. @param tries so many other orders have the references before it */
export function referenceOf(number: string, rule: ReferenceRule, tries = 0): string {
  if (tries === 0) {
    if (isKept(number, rule)) return number;
    const whole = UUID.test(number) ? number.replaceAll('-', '').toUpperCase() : null;
    if (whole !== null && isKept(whole, rule)) return whole;
  }
  const hash = createHash('sha256').update(tries === 0 ? number : `${number} ${tries}`);
  return base32(hash.digest()).slice(0, Math.min(rule.length ?? HASH_LENGTH, HASH_LENGTH));
}

/** References under which an order may have been entered before the ERP's rule was known. */
export function olderReferences(number: string, rule: ReferenceRule): string[] {
  const { length, letterCase } = rule;
  const isCut = length !== null && length < number.length;
  const kept = isCut ? number.slice(0, length) : number;
  if (isCut && (!UUID.test(number) || kept.length < TELLING_LENGTH)) return [];
  return letterCase === 'kept' ? [kept] : [kept, kept.toUpperCase()];
}

const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** RFC 4648, without padding: capitals and digits alone. */
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

/**
 * The connection, for a program that knows orders by their numbers: references are made on the way out, and numbers put in their
 * place on the way back. A reference that no number is known for stays as it is.
 */
export function withReferences(erp: ErpConnector, rule: () => ReferenceRule, book: ReferenceBook): ErpConnector {
  /** The reference of the number that no other number has. */
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

/** A book that ends with the program. */
export function bookInMemory(): ReferenceBook {
  const numbers = new Map<string, string>();
  return {
    numberOf: async (reference) => numbers.get(reference) ?? null,
    note: async (reference, number) => void numbers.set(reference, number),
  };
}
