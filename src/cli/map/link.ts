import { accountFor } from '../../use/accounts.ts';
import type { MappingKind } from '../../use/mapping/ids.ts';
import { linkEntities, unlinkEntities } from '../../use/mapping/link.ts';
import type { Opened } from '../../use/open.ts';
import { type Cli, note, print, printJson } from '../output.ts';
import { type Asked, noteWhoLooks } from '../with-store.ts';

export async function link(
  cli: Cli,
  opened: Opened,
  kind: MappingKind,
  marketplaceId: string,
  named: string | undefined,
  { account: of, sku, replace = false, json }: Asked & { sku?: string; replace?: boolean },
): Promise<void> {
  const account = accountFor(opened.config, of).name;
  const linking = { account, kind, marketplaceId, erpId: named, sku, replace };
  const { erpId, outcome, left, unseen } = await linkEntities(opened, linking);
  if (json) return printJson(cli, { account, kind, marketplace_id: marketplaceId, erp_id: erpId, outcome, left });
  const both = `${kind} ${marketplaceId} of the marketplace and ${erpId} of the ERP`;
  print(cli, outcome === 'linked' ? `${both} are linked` : `${both} were linked already: nothing to do`);
  const others = leftText('order-in', 'ERP order', left);
  if (others !== null) print(cli, others);
  for (const one of unseen) note(cli, `No ${one} was read yet: is the id right?`);
  if (outcome === 'linked') noteWhoLooks(cli, opened.config);
}

/** The other candidates for a link that was just made, and the next step for them; null: there are none. */
export function leftText(kind: string, makes: string, left: readonly string[]): string | null {
  return left.length === 0 ? null : `left as it is: ${makes} ${left.join(', ')}: ${adviceOf(kind)}`;
}

function adviceOf(kind: string): string {
  if (kind === 'order-in') return 'cancel it in the ERP, or the goods may be shipped twice';
  if (kind === 'order-out') return "it goes into the ERP as a buyer's: cancel it there if it is not one";
  return 'take it away there if it stands for the same';
}

export async function unlink(
  cli: Cli,
  opened: Opened,
  kind: MappingKind,
  named: string | undefined,
  { account: of, marketplace, json }: Asked & { marketplace?: string },
): Promise<void> {
  const account = accountFor(opened.config, of).name;
  const unlinking = { account, kind, erpId: named, marketplaceId: marketplace };
  const { marketplaceId, erpId } = await unlinkEntities(opened, unlinking);
  if (json) {
    return printJson(cli, { account, kind, marketplace_id: marketplaceId, erp_id: erpId, outcome: 'unlinked' });
  }
  print(cli, `${kind} ${marketplaceId} of the marketplace and ${erpId} of the ERP are not linked any more`);
  note(cli, AFTERWARDS[kind]);
  noteWhoLooks(cli, opened.config);
}

const AFTERWARDS: Readonly<Record<MappingKind, string>> = {
  product: 'A listing that matches by external id or SKU is linked again; without one, a new listing is created.',
  order: 'An ERP order that carries its number is linked again.',
  customer:
    'Where customers are kept in step, one that matches is linked again; else its next order looks for it in the ERP.',
  payment: 'An equal payment of the same order is linked again; without one, it is recorded anew.',
};
