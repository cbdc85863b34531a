/**
 * Signs that a listing and an ERP product with different SKUs may be the same thing. A sign never links them: a person
 * checks the pair before the product is listed.
 */

/** At most this many similar listings are searched for. */
export const MOST_ALIKE = 20;

export type Likeness = 'sku-spelling' | 'sku-part' | 'barcode' | 'name';

export interface Signed {
  readonly sku: string | null;
  readonly name: string | null;
  /** The other fields, as JSON. Barcodes are searched in it. */
  readonly body: string;
}

/** A search for the signs from `from` up to `to`. `to` null: only the sign `from`. */
export interface SignRange {
  readonly from: string;
  readonly to: string | null;
  readonly by: Likeness;
}

/** The signs under which a listing is indexed. */
export function listingSigns({ sku, name, body }: Signed): string[] {
  const parts = partsOf(sku);
  const ofSku = parts.length === 0 ? [] : [`sku:${parts.join('')}`, head(parts), tail(parts)];
  return [...new Set([...ofSku, ...nameSigns(name), ...barcodeSigns(body)])];
}

/** The signs to search for a product: its SKU in another spelling, a longer or shorter SKU, its barcode, its name. */
export function signsSought({ sku, name, body }: Signed): SignRange[] {
  const parts = partsOf(sku);
  const is = (by: Likeness) => (from: string) => ({ from, to: null, by });
  const beginsWith = (from: string) => ({ from, to: `${from}\u{10FFFF}`, by: 'sku-part' as const });
  const cuts = parts.slice(1).map((_, index) => index + 1);
  const heads = cuts.map((at) => parts.slice(0, at)).filter(isDistinctive);
  const tails = cuts.map((at) => parts.slice(at)).filter(isDistinctive);
  return [
    ...(parts.length === 0 ? [] : [is('sku-spelling')(`sku:${parts.join('')}`)]),
    ...barcodeSigns(body).map(is('barcode')),
    ...nameSigns(name).map(is('name')),
    ...(isDistinctive(parts) ? [beginsWith(head(parts)), beginsWith(tail(parts))] : []),
    ...[...heads.map(head), ...tails.map(tail)].map(is('sku-part')),
  ];
}

export function likenessOf(listing: Signed, product: Signed): Likeness[] {
  const signs = listingSigns(listing);
  const found = signsSought(product).filter(({ from, to }) =>
    signs.some((sign) => (to === null ? sign === from : sign >= from && sign <= to)),
  );
  return [...new Set(found.map(({ by }) => by))];
}

const STRENGTH: Readonly<Record<Likeness, number>> = { 'sku-spelling': 8, barcode: 8, 'sku-part': 4, name: 2 };

/** Returns a score, to compare pairs. */
export function strengthOf(by: readonly Likeness[]): number {
  return by.reduce((sum, one) => sum + STRENGTH[one], 0);
}

/** Splits a text into lower-case runs of letters and of digits, ignoring blanks and punctuation. */
function partsOf(text: string | null): string[] {
  return (
    text
      ?.normalize('NFKC')
      .toLowerCase()
      .match(/\p{L}+|\p{N}+/gu) ?? []
  );
}

const head = (parts: readonly string[]): string => `head:${parts.join(' ')} `;
const tail = (parts: readonly string[]): string => `tail:${parts.toReversed().join(' ')} `;

const SHORTEST = 3;
const LONG = 6;

/** "SB" begins every SKU of a brand, so it is no sign. "0001" is a sign. */
function isDistinctive(parts: readonly string[]): boolean {
  const text = parts.join('');
  return text.length >= SHORTEST && (/\p{N}/u.test(text) || parts.length > 1 || text.length >= LONG);
}

function nameSigns(name: string | null): string[] {
  const parts = partsOf(name);
  return parts.length === 0 ? [] : [`name:${parts.join(' ')}`];
}

const BARCODE = /^(bar_?code|upc|ean|gtin)s?(_?(code|number|8|12|13|14))?$/i;

/** Barcodes of 12, 13 and 14 digits differ only in leading zeros, so these are removed. */
function barcodeSigns(body: string): string[] {
  const fields = JSON.parse(body) as Readonly<Record<string, unknown>>;
  const codes = Object.entries(fields).filter(([name]) => BARCODE.test(name));
  return codes.flatMap(([, value]) => {
    const digits = JSON.stringify(value)
      .replace(/[\s"-]/g, '')
      .replace(/^0+/, '');
    return /^\d{6,14}$/.test(digits) ? [`code:${digits}`] : [];
  });
}
