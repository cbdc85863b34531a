import { accountFor } from '../../use/accounts.ts';
import { UsageError } from '../../use/faults.ts';
import type { MappingKind } from '../../use/mapping/ids.ts';
import { type Linking, leftBehindText, linkEntities, remainingText } from '../../use/mapping/link.ts';
import { afterUnlink, unlinkEntities } from '../../use/mapping/unlink.ts';
import type { Opened } from '../../use/open.ts';
import { type Cli, note, print, printJson } from '../output.ts';
import { interruptibly } from '../signals.ts';
import { noteWorker, type VerbOptions } from '../with-store.ts';

interface LinkOptions extends VerbOptions {
  readonly sku?: string;
  readonly replace?: boolean;
  readonly yes?: true;
}

export async function link(
  cli: Cli,
  opened: Opened,
  kind: MappingKind,
  marketplaceId: string,
  named: string | undefined,
  { account: of, sku, replace = false, yes, json }: LinkOptions,
): Promise<void> {
  const account = accountFor(opened.config, of).name;
  const outcome = await linkOne(
    cli,
    opened,
    { account, kind, marketplaceId, erpId: named, sku, replace },
    { yes, json },
  );
  if (outcome === 'linked') noteWorker(cli, opened.config);
}

/** Links a pair and prints the result. null: a person declined. */
export async function linkOne(
  cli: Cli,
  opened: Opened,
  linking: Linking,
  { yes, json }: { readonly yes?: true | undefined; readonly json: true | undefined },
): Promise<'linked' | 'unchanged' | null> {
  const { account, kind, marketplaceId } = linking;
  const isMeant = (against: readonly string[]) => (yes ? Promise.resolve(true) : ask(cli, against, json));
  const done = await interruptibly((signal) => linkEntities(opened, linking, isMeant, signal));
  if (done === null) {
    print(cli, 'Nothing was linked.');
    return null;
  }
  const { erpId, outcome, left, replaced } = done;
  if (json) {
    const behind = replaced.map((one) => ('listing' in one ? { listing: one.listing.id } : one));
    printJson(cli, { account, kind, marketplace_id: marketplaceId, erp_id: erpId, outcome, left, replaced: behind });
    return outcome;
  }
  const both = `${kind} ${marketplaceId} of the marketplace and ${erpId} of the ERP`;
  print(cli, outcome === 'linked' ? `${both} are linked` : `${both} were linked already: nothing to do`);
  const others = remainingText('order-in', 'ERP order', left);
  if (others !== null) print(cli, others);
  for (const one of replaced) print(cli, leftBehindText(one));
  return outcome;
}

async function ask(cli: Cli, against: readonly string[], json: true | undefined): Promise<boolean> {
  if (cli.confirm === undefined || json) {
    throw new UsageError(`${against.join('. ')}. Nothing was linked. To link them anyway, add --yes`);
  }
  for (const sentence of against) note(cli, `${sentence}.`);
  return cli.confirm('Link them all the same?');
}

export async function unlink(
  cli: Cli,
  opened: Opened,
  kind: MappingKind,
  named: string | undefined,
  { account: of, marketplace, json }: VerbOptions & { marketplace?: string },
): Promise<void> {
  const account = accountFor(opened.config, of).name;
  const unlinking = { account, kind, erpId: named, marketplaceId: marketplace };
  const unlinked = await unlinkEntities(opened, unlinking);
  const { marketplaceId, erpId } = unlinked.mapping;
  if (json) {
    const found_again_by = unlinked.foundAgainBy;
    const ids = { account, kind, marketplace_id: marketplaceId, erp_id: erpId };
    return printJson(cli, { ...ids, outcome: 'unlinked', found_again_by });
  }
  print(cli, `${kind} ${marketplaceId} of the marketplace and ${erpId} of the ERP are not linked any more`);
  note(cli, afterUnlink(unlinked));
  noteWorker(cli, opened.config);
}
