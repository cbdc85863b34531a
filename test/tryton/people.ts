import { createRpc } from '../../src/erp/tryton/rpc.ts';
import type { RunningTryton } from './system.ts';

/** The deeds of people in Tryton, who know nothing of the bridge. */
export interface People {
  /** Takes the goods from their place. With `short`, one piece of the first line is missing. */
  pick(saleId: string, short?: boolean): Promise<void>;
  /** Sends the picked goods. Missing goods stay planned in a shipment of their own. */
  send(saleId: string): Promise<void>;
  /** Cancels the planned goods, and makes no new shipment. */
  giveUp(saleId: string): Promise<void>;
  call(method: string, ...args: unknown[]): Promise<unknown>;
  close(): Promise<void>;
}

interface Shipment {
  readonly id: number;
  readonly state: string;
  readonly 'inventory_moves.': readonly {
    readonly id: number;
    readonly quantity: { readonly rawJSON: string } | number;
  }[];
}

export function peopleOf({ url, database, admin }: RunningTryton): People {
  const rpc = createRpc({ url, database, ...admin, timeoutMs: 120_000 });
  const call = (method: string, ...args: unknown[]) => rpc.call(method, args, { purpose: method, write: true });
  const on = (ids: readonly number[], button: string) => call(`model.stock.shipment.out.${button}`, ids);

  async function shipments(saleId: string, states: readonly string[]): Promise<Shipment[]> {
    const fields = ['shipments.state', 'shipments.inventory_moves.quantity'];
    const [sale] = (await call('model.sale.sale.read', [Number(saleId)], fields)) as { 'shipments.': Shipment[] }[];
    return (sale?.['shipments.'] ?? []).filter(({ state }) => states.includes(state));
  }

  return {
    call,
    async pick(saleId, short = false) {
      const waiting = await shipments(saleId, ['waiting', 'assigned']);
      const move = waiting[0]?.['inventory_moves.'][0];
      if (short && move !== undefined) {
        const quantity = typeof move.quantity === 'number' ? move.quantity : Number(move.quantity.rawJSON);
        await call('model.stock.move.write', [move.id], { quantity: quantity - 1 });
      }
      const ids = waiting.map(({ id }) => id);
      await on(ids, 'assign_try');
      await on(ids, 'pick');
    },
    async send(saleId) {
      const ids = (await shipments(saleId, ['picked'])).map(({ id }) => id);
      await on(ids, 'pack');
      await on(ids, 'done');
    },
    async giveUp(saleId) {
      const ids = (await shipments(saleId, ['draft', 'waiting', 'assigned', 'picked'])).map(({ id }) => id);
      await on(ids, 'cancel');
      const [session] = (await call('wizard.sale.handle.shipment.exception.create')) as [number];
      const about = { active_id: Number(saleId), active_ids: [Number(saleId)], active_model: 'sale.sale' };
      const context = { purpose: 'give up', write: true, context: about };
      const wizard = 'wizard.sale.handle.shipment.exception.execute';
      const asked = (await rpc.call(wizard, [session, {}, 'ask'], context)) as {
        view: { defaults: { domain_moves: number[] } };
      };
      const ask = { domain_moves: asked.view.defaults.domain_moves, recreate_moves: [] };
      await rpc.call(wizard, [session, { ask }, 'handle'], context);
    },
    close: rpc.close,
  };
}
