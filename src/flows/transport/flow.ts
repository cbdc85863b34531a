import type { AccountRecords, ErpReading } from '../../shadow/context.ts';
import { capabilitiesIn, STATED_CAPABILITIES } from '../../shadow/erp-capabilities.ts';
import { invalidRowText } from '../../store/reading.ts';
import { runAfterWrite } from '../engine/after-write.ts';
import type { Applied, Flow, WriteLook } from '../engine/flow.ts';
import { decideTransports, type SendTransports, type TransportSnapshot } from './decide.ts';

/**
 * Reports to the ERP which transports are under way and which arrived. Key: the order's marketplace number or ERP id,
 * whichever the transport order names.
 */
export const transportFlow: Flow<TransportSnapshot | null, SendTransports> = {
  name: 'transport-in',
  decide: decideTransports,
  apply: tellTransports,
  observe: observeTransports,
};

async function observeTransports(
  { account, config, store }: AccountRecords,
  key: string,
): Promise<TransportSnapshot | null> {
  if (config.orders.transports === null) return null;
  const { erpOrder, invalidErpRow, transports, facts } = await store.observe.transportIn(account, key, [
    STATED_CAPABILITIES,
  ]);
  const { transports: canTake, tracking: canTrack } = capabilitiesIn(config, facts);
  return { erpOrder, transports, invalidErpRow: invalidRowText(invalidErpRow), canTake, canTrack };
}

/** All transports of the order are sent at once, so a call whose answer was lost may be repeated. */
async function tellTransports(
  { account, erp, store }: ErpReading,
  look: WriteLook,
  { erpId, transports, after }: SendTransports,
): Promise<Applied> {
  await look.sending();
  const shown = await erp.updateOrder(erpId, { transports }, look.signal);
  return runAfterWrite(`told: ${after}`, async () => {
    await store.erp.recordOrders(account, [shown], look.lane);
  });
}
