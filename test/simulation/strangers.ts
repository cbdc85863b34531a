import type { Chance } from '../../src/sandbox/chance.ts';
import { casePrice } from '../../src/sandbox/erp/seed.ts';
import type { Operator } from './operator.ts';
import { any } from './pick.ts';
import type { Request, Sides } from './sides.ts';

/** How a person writes a SKU on the marketplace. */
const SPELLINGS: readonly ((sku: string) => string)[] = [
  (sku) => `JRB-${sku}`,
  (sku) => sku.toLowerCase(),
  (sku) => `${sku}-OLD`,
  (sku) => sku.replace('-', ' '),
];

/**
 * Products of the ERP that somebody listed under another SKU, before the program came, and the law about them: none of them is
 * listed a second time (I14).
 */
export function createStrangers(sides: Sides, broken: string[]) {
  /** The ERP's SKU of each such listing, by its id. */
  const listed = new Map<number, string>();
  const products = () => sides.erp.control.state().products;
  const linked = new Set<number>();
  const waiting = () => [...listed.keys()].filter((id) => !linked.has(id));

  const link = async (operator: Operator, id: number): Promise<string> => {
    const sku = listed.get(id) ?? '';
    const erpId = products().find((product) => product.sku === sku)?.id ?? '';
    linked.add(id);
    await operator.link(String(id), erpId);
    return `an operator links listing ${id} to ${sku}`;
  };

  return {
    /** The ERP's SKU of a linked listing; undefined for any other listing. */
    skuOf: (id: number) => (linked.has(id) ? listed.get(id) : undefined),
    /** The true SKU of a listing, linked or not. */
    trueSku: (id: number) => listed.get(id),
    /** Makes the listings, before the program starts for the first time. */
    list(luck: Chance): void {
      for (const product of products()) {
        const { sku, name, unit_multiplier } = product;
        if (luck.whole(0, 1) === 0) continue;
        const fields = { name, wholesale_price: casePrice(product), unit_multiplier, quantity: '5' };
        const { id } = sides.marketplace.createProduct({ ...fields, sku: any(luck, SPELLINGS)(sku) });
        listed.set(id, sku);
      }
    },
    /** Lets somebody write another SKU on such a listing, or link it. Returns the words for it. */
    async act(luck: Chance, operator: Operator): Promise<string> {
      const id = any(luck, waiting());
      if (luck.whole(0, 2) === 0) return link(operator, id);
      const sku = any(luck, SPELLINGS)(listed.get(id) ?? '');
      sides.marketplace.setProduct(id, { sku });
      return `staff write ${sku} on listing ${id}`;
    },
    async linkAll(operator: Operator): Promise<void> {
      for (const id of waiting()) await link(operator, id);
    },
    /** To be called after a write of the program was applied. */
    judge(side: 'marketplace' | 'erp', { method, target }: Request): void {
      if (side !== 'marketplace' || method !== 'POST' || !target.endsWith('/products/')) return;
      const made = sides.marketplace.products().at(-1);
      for (const [id, sku] of listed) {
        const isOnSale = !sides.marketplace.product(id).archived;
        if (made?.sku === sku && isOnSale)
          broken.push(`I14: ${sku} was listed as ${made.id}, and was on sale as listing ${id}`);
      }
    },
  };
}
