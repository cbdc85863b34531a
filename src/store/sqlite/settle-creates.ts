import type { Cause } from '../../domain/causes/cause.ts';
import { INTENT_KINDS, type IntentKind } from '../intent-kinds.ts';
import type { Link } from '../links.ts';
import type { Queryable } from './database.ts';
import { and, eq, inArray, or } from './orm.ts';
import { intents } from './tables/work.ts';

/**
 * Settles the creates whose outcome these links tell, in the caller's transaction: a linked entity is not created again.
 * @param links of one account and one kind
 */
export function settleCreates(tx: Queryable, links: readonly Link[], evidence: Cause, nowMs: number): void {
  const [first] = links;
  if (first === undefined) return;
  const erpIds = links.map(({ erpId }) => erpId);
  const marketplaceIds = links.map(({ marketplaceId }) => marketplaceId);
  const of = (intentKind: string, keys: string[]) => and(eq(intents.kind, intentKind), inArray(intents.key, keys));
  const kinds = (Object.keys(INTENT_KINDS) as IntentKind[]).filter((kind) => INTENT_KINDS[kind].links === first.kind);
  const theirs = or(...kinds.map((kind) => of(kind, INTENT_KINDS[kind].madeOn === 'erp' ? marketplaceIds : erpIds)));
  tx.update(intents)
    .set({ state: 'applied', settledAtMs: nowMs, evidence })
    .where(and(eq(intents.account, first.account), theirs, inArray(intents.state, ['open', 'in-doubt', 'dropped'])))
    .run();
}
