import { isDead, isKnownStatus, rankOf } from './status.ts';

/** The statuses of one order on both sides. */
export interface Statuses {
  readonly marketplace: string;
  readonly erp: string;
}

/** The progress of an order: its goods are here, its goods have left, or it has ended without them. */
type Phase = 'open' | 'done' | 'over';

type Phases = Readonly<Record<'marketplace' | 'erp', Phase>>;

const FULFILLED = 3;

const ERP_PHASES: Readonly<Record<string, Phase>> = {
  draft: 'open',
  reserved: 'open',
  shipped: 'done',
  cancelled: 'over',
};

/** null: a status is not known, and holds the order itself. */
function phasesOf({ marketplace, erp }: Statuses): Phases | null {
  const inErp = ERP_PHASES[erp];
  if (inErp === undefined || !isKnownStatus(marketplace)) return null;
  if (isDead(marketplace)) return { marketplace: 'over', erp: inErp };
  return { marketplace: (rankOf(marketplace) ?? 0) >= FULFILLED ? 'done' : 'open', erp: inErp };
}

/**
 * The side on which a person has moved the order back since both sides agreed, where the other side has not followed. `both`: the
 * sides have moved in different directions. null: neither, or both sides agree again.
 */
export function movedBack(agreed: Statuses, now: Statuses): 'marketplace' | 'erp' | 'both' | null {
  const [was, is] = [phasesOf(agreed), phasesOf(now)];
  if (was === null || is === null || is.marketplace === is.erp) return null;
  const back = { marketplace: isBack(was.marketplace, is.marketplace), erp: isBack(was.erp, is.erp) };
  const moved = { marketplace: was.marketplace !== is.marketplace, erp: was.erp !== is.erp };
  // An order that both sides have taken up again goes on like any other.
  if (was.marketplace === 'over' && was.erp === 'over' && moved.marketplace && moved.erp) return null;
  if (back.marketplace) return moved.erp ? 'both' : 'marketplace';
  if (back.erp) return moved.marketplace ? 'both' : 'erp';
  // Cancelled while its goods left on the other side. Goods that left in the ERP have a cause of their own.
  return moved.marketplace && moved.erp && is.erp === 'over' ? 'both' : null;
}

function isBack(was: Phase, is: Phase): boolean {
  return was !== is && (was === 'over' || is === 'open');
}

/** Has the marketplace been at this status, or past it, when both sides agreed? */
export function wasAt(agreed: Statuses | null, status: string): boolean {
  const [was, at] = [rankOf(agreed?.marketplace ?? ''), rankOf(status)];
  return was !== null && at !== null && was >= at;
}
