import { isDead, isKnownStatus, rankOf } from './status.ts';

export interface Statuses {
  readonly marketplace: string;
  readonly erp: string;
}

/** An order's progress: goods in stock, goods sent, or ended without them. */
type Phase = 'open' | 'done' | 'over';

type Phases = Readonly<Record<'marketplace' | 'erp', Phase>>;

const FULFILLED = 3;

const ERP_PHASES: ReadonlyMap<string, Phase> = new Map([
  ['draft', 'open'],
  ['reserved', 'open'],
  ['shipped', 'done'],
  ['cancelled', 'over'],
]);

/** null: a status is unknown. Unknown statuses hold the order elsewhere. */
function phasesOf({ marketplace, erp }: Statuses): Phases | null {
  const inErp = ERP_PHASES.get(erp);
  if (inErp === undefined || !isKnownStatus(marketplace)) return null;
  if (isDead(marketplace)) return { marketplace: 'over', erp: inErp };
  return { marketplace: (rankOf(marketplace) ?? 0) >= FULFILLED ? 'done' : 'open', erp: inErp };
}

/**
 * Returns the side on which a person reverted the order since the last agreement, if the other side did not follow.
 * `both`: the sides moved in different directions. null: neither side, or both agree again.
 */
export function revertedSide(agreed: Statuses, now: Statuses): 'marketplace' | 'erp' | 'both' | null {
  const [was, is] = [phasesOf(agreed), phasesOf(now)];
  if (was === null || is === null || is.marketplace === is.erp) return null;
  const back = { marketplace: isBack(was.marketplace, is.marketplace), erp: isBack(was.erp, is.erp) };
  const moved = { marketplace: was.marketplace !== is.marketplace, erp: was.erp !== is.erp };
  // Both sides have reopened the order, so it goes on like any other.
  if (was.marketplace === 'over' && was.erp === 'over' && moved.marketplace && moved.erp) return null;
  if (back.marketplace) return moved.erp ? 'both' : 'marketplace';
  if (back.erp) return moved.marketplace ? 'both' : 'erp';
  // Canceled on one side while shipped on the other. Shipping in the ERP has a cause of its own.
  return moved.marketplace && moved.erp && is.erp === 'over' ? 'both' : null;
}

function isBack(was: Phase, is: Phase): boolean {
  return was !== is && (was === 'over' || is === 'open');
}

/** Returns whether the agreed marketplace status is this one or later. */
export function hadReached(agreed: Statuses | null, status: string): boolean {
  const [was, at] = [rankOf(agreed?.marketplace ?? ''), rankOf(status)];
  return was !== null && at !== null && was >= at;
}
