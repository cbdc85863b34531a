/** Fields of the marketplace in the words of a shop. */
const FIELDS: Readonly<Record<string, string>> = {
  available_inventory: 'available stock',
  quantity: 'quantity on hand',
};

/** The field of a stock figure in the words of a shop: `available stock`. */
export function stockFieldText(field: string): string {
  return FIELDS[field] ?? field;
}

/** What a write changes, in the words of a shop: `listing 70 (SB-1), available stock` for `listing 70 (SB-1) available_inventory`. */
export function targetInShop(target: string): string {
  const [, listing, field] = /^(listing \d+(?: \(.*\))?) (available_inventory|quantity)$/.exec(target) ?? [];
  if (listing !== undefined && field !== undefined) return `${listing}, ${stockFieldText(field)}`;
  return target.replace(/^external_id of order /, 'ERP number on order ');
}
