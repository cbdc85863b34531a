import type { Store } from '../../store/store.ts';
import { isKeyedByErp, kindNamed } from '../../use/entity.ts';
import { type Content, html } from './html.ts';
import { entityLink, shortId } from './show.ts';

/* Links to entities by their names. People know an order by the number of the ERP: it comes first, and that of the marketplace after it. */

interface Named {
  readonly account: string;
  readonly flow: string;
  readonly key: string;
}

type Records = Pick<Store, 'mappings'>;

export async function entityNamed({ mappings }: Records, entity: Named): Promise<Content> {
  const { account, flow, key } = entity;
  if (kindNamed(flow) !== 'order') return entityLink(entity);
  const link = isKeyedByErp(flow)
    ? await mappings.byErpId(account, 'order', key)
    : await mappings.byMarketplaceId(account, 'order', key);
  if (link?.erpId == null || link.marketplaceId === null) return entityLink(entity);
  return html`${entityLink(entity, shortId(link.erpId))} <small>${shortId(link.marketplaceId)}</small>`;
}

/** The names of many rows. Each entity is looked up once. */
export async function entityNames(records: Records, rows: readonly Named[]): Promise<(row: Named) => Content> {
  const nameOf = ({ account, flow, key }: Named) => JSON.stringify([account, flow, key]);
  const unique = new Map(rows.map((row) => [nameOf(row), row]));
  const named = await Promise.all(
    [...unique].map(async ([name, row]) => [name, await entityNamed(records, row)] as const),
  );
  const names = new Map(named);
  return (row) => names.get(nameOf(row)) ?? entityLink(row);
}
