import type { Chance } from '../../src/sandbox/chance.ts';
import { BrakeDecisionError, type BrakeItem, type BrakePlan } from '../../src/store/record.ts';
import { type Disk, openBeside } from './disk.ts';

const EXPIRY_MS = 24 * 60 * 60 * 1_000;

export type Operator = ReturnType<typeof createOperator>;

export interface Approved {
  readonly kind: BrakePlan['kind'];
  readonly items: readonly BrakeItem[];
}

/** Somebody at the command line: another process, on the same disk. */
export function createOperator(disk: Disk) {
  const { store, commitAll } = openBeside(disk);
  const now = async <Result>(work: Promise<Result>): Promise<Result> => {
    commitAll();
    return work;
  };
  const open = async () => (await store.brakes.list()).filter(({ plan }) => plan.state === 'open');

  return {
    /** Links a listing to a product of the ERP. @param replaces takes the links of both away first */
    async link(marketplaceId: string, erpId: string, replaces = false): Promise<void> {
      const ids = { account: 'main', kind: 'product', marketplaceId, erpId, how: 'operator' } as const;
      await now(store.links.link(ids, replaces, 'somebody'));
    },
    /** Links a customer to one of the ERP, in the place of the link that it has. */
    async relink(marketplaceId: string, erpId: string): Promise<void> {
      const ids = { account: 'main', kind: 'customer', marketplaceId, erpId, how: 'operator' } as const;
      await now(store.links.link(ids, true, 'somebody'));
    },
    /** Takes the link of an order or a customer away, by its id on the marketplace. */
    async unlink(kind: 'order' | 'customer' | 'payment', marketplaceId: string): Promise<void> {
      const mapping = await now(store.mappings.byMarketplaceId('main', kind, marketplaceId));
      if (mapping !== null) await now(store.links.unlink(mapping, 'somebody'));
    },
    /** Looks at one plan and decides about it; null when there is nothing to decide. */
    async decide(luck: Chance): Promise<{ told: string; approved: Approved | null } | null> {
      const plans = await open();
      if (plans.length === 0) return null;
      const { hash, items } = plans[luck.whole(0, plans.length - 1)] as (typeof plans)[number];
      const choice = luck.pick(['approve', 'approve', 'veto one', 'drop']);
      if (choice === 'drop') {
        await now(store.brakes.drop({ hash }, 'somebody'));
        return { told: `drops ${hash}`, approved: null };
      }
      const except = choice === 'veto one' && items.length > 1 ? items.slice(0, 1) : [];
      return approve(hash, except);
    },
    /** Approves everything that waits for an operator. */
    async approveAll(): Promise<Approved[]> {
      const all: Approved[] = [];
      for (const { hash } of await open()) {
        const { approved } = await approve(hash, []);
        if (approved !== null) all.push(approved);
      }
      return all;
    },
  };

  async function approve(hash: string, except: readonly BrakeItem[]) {
    try {
      const asked = { except: except.map(({ id }) => ({ id })), expiryMs: { main: EXPIRY_MS }, by: 'somebody' };
      const { plan, approved } = await now(store.brakes.approve({ hash }, asked));
      return { told: `approves ${approved.length} of ${hash}`, approved: { kind: plan.kind, items: approved } };
    } catch (error) {
      if (!(error instanceof BrakeDecisionError)) throw error;
      return { told: `cannot approve: ${error.message}`, approved: null };
    }
  }
}
