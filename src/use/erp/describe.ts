import type { AccountConfig } from '../../config/resolve.ts';
import { type Capabilities, capabilitiesOf, OF_VERSION_1, statedIn } from '../../erp/capabilities.ts';
import { ERP_LISTS, type ErpConnector, type ErpListName, type ErpPing, type Noticed } from '../../erp/connector.ts';
import { collectionsRead, FLOW_NAMES, FLOWS, type FlowName } from '../../flows/flows.ts';

/** The connection's capabilities, each with its source. */
export interface Description {
  readonly type: string;
  readonly ping: ErpPing;
  readonly can: Capabilities;
  readonly saidBy: Readonly<Record<keyof Capabilities, 'configuration' | 'ERP' | 'default'>>;
  readonly notices: Readonly<Partial<Record<ErpListName, Noticed>>>;
  /** Flows that the ERP does not support. `on`: the configuration has them on. */
  readonly off: readonly {
    readonly flow: FlowName;
    readonly about: string;
    readonly because: string;
    readonly on: boolean;
  }[];
  /** Configured parts that the ERP cannot do, and that are skipped. */
  readonly missing: AccountConfig['missing'];
}

/** @throws CallFailure when the ERP does not answer */
export async function describeErp(
  account: AccountConfig,
  erp: ErpConnector,
  signal: AbortSignal,
): Promise<Description> {
  const ping = await erp.ping(signal);
  const told = statedIn(ping);
  const configured = account.erp.capabilities;
  const can = capabilitiesOf(told, configured);
  const who = (name: string) => (name in configured ? 'configuration' : name in told ? 'ERP' : 'default');
  const names = Object.keys(OF_VERSION_1) as (keyof Capabilities)[];
  return {
    type: account.erp.section.type,
    ping,
    can,
    saidBy: Object.fromEntries(names.map((name) => [name, who(name)])) as Description['saidBy'],
    notices: Object.fromEntries(
      ERP_LISTS.filter((name) => collectionsRead(account).some((read) => read === `erp-${name}`)).map((name) => [
        name,
        erp.notices?.[name] ?? 'stamp',
      ]),
    ),
    missing: account.against(told).missing,
    off: FLOW_NAMES.flatMap((flow) => {
      const { erpCan, about, isOn } = FLOWS[flow];
      if (erpCan === undefined || can[erpCan]) return [];
      return [{ flow, about, because: `the ERP does not report the ability "${erpCan}"`, on: isOn(account) }];
    }),
  };
}
