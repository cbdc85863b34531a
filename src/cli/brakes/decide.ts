import type { ItemName, PlanName } from '../../store/sqlite/brake-decisions.ts';
import { accountFor } from '../account.ts';
import { UsageError } from '../exit.ts';
import { type Cli, print, printJson } from '../output.ts';
import { noteWhoLooks, type Opened } from '../with-store.ts';
import { itemJson, itemText } from './list.ts';

export async function approvePlan(
  cli: Cli,
  { config, store, by }: Opened,
  planText: string,
  { except = [], json }: { readonly except?: readonly string[]; readonly json?: true },
): Promise<void> {
  const expiryMs = (account: string) => accountFor(config, account).brakes.expiryMs;
  const decision = { except: except.map(parseItem), expiryMs, by };
  const { plan, hash, approved, vetoed } = await store.brakes.approve(parsePlan(planText), decision);
  if (json) {
    printJson(cli, { id: plan.id, hash, approved: approved.map(itemJson), vetoed: vetoed.map(itemJson) });
    return;
  }
  print(cli, `plan ${plan.id} (${hash}): ${approved.length} approved`);
  for (const item of vetoed) print(cli, `  vetoed: ${itemText(item)}`);
  noteWhoLooks(cli, config);
}

export async function dropPlan(
  cli: Cli,
  { store, by }: Opened,
  planText: string,
  { json }: { readonly json?: true },
): Promise<void> {
  const { plan, dropped } = await store.brakes.drop(parsePlan(planText), by);
  if (json) printJson(cli, { id: plan.id, dropped: dropped.map(itemJson) });
  else print(cli, `plan ${plan.id}: ${dropped.length} dropped; each is held until it is another write`);
}

const HASH = /^[0-9a-f]{16}$/;
const NUMBER = /^[1-9]\d{0,14}$/;

/** @throws UsageError for anything but a number or a hash */
function parsePlan(text: string): PlanName {
  if (NUMBER.test(text)) return { id: Number(text) };
  if (HASH.test(text)) return { hash: text };
  throw new UsageError(`"${text}" is neither the number of a plan nor its hash: "stockbridge brakes list" shows both`);
}

/** @throws UsageError for anything but a number or FLOW/KEY */
function parseItem(text: string): ItemName {
  if (NUMBER.test(text)) return { id: Number(text) };
  const slash = text.indexOf('/');
  if (slash > 0 && slash < text.length - 1) return { flow: text.slice(0, slash), key: text.slice(slash + 1) };
  throw new UsageError(`"${text}" is neither the number of an item nor FLOW/KEY, such as product/P-000007`);
}
