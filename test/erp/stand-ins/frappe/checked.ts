import { connectionBy } from '../../../live/connection.ts';
import { checkedErp, EVERYTHING } from '../../../support/erp-check.ts';
import { sectionOf } from './company.ts';
import { deliver, updateStatus } from './deeds.ts';
import { type Frappe, USER } from './server.ts';
import { type Doc, load, type Site } from './site.ts';

/** What `stockbridge erp check --write` finds at this company. */
export function checkedCompany(
  frappe: Frappe,
  { drafts, products }: { readonly drafts: boolean; readonly products: number },
) {
  const { can, open } = connectionBy(sectionOf(frappe), `${USER.key}:${USER.secret}`);
  const order = (site: Site, id: string): Doc => load(site, 'Sales Order', id);
  return checkedErp(open, can, {
    uses: { ...EVERYTHING, drafts },
    people: {
      ship: (id) => frappe.does((site, at) => deliver(site, order(site, id), () => 1_000, at)),
      shipShort: (id, sku, quantity) =>
        frappe.does((site, at) => {
          deliver(site, order(site, id), (line) => (line['item_code'] === sku ? Number(quantity) : 0), at);
          updateStatus(site, id, 'Closed', at);
        }),
    },
    facts: { productCount: products },
    skus: ['PART-0001', 'PART-0002'],
    timeout: '200ms',
  });
}
