import { FLOW_NAMES, FLOWS, isFlow } from '../flows/flows.ts';

/** Each flow with its title. */
export const FLOW_CHOICES: readonly (readonly [string, string])[] = FLOW_NAMES.map((flow) => [flow, FLOWS[flow].title]);

/** The title of a flow; `all` flows are everything. The name of anything else stays as it is. */
export function flowTitle(flow: string): string {
  if (flow === 'all') return 'everything';
  return isFlow(flow) ? FLOWS[flow].title : flow;
}
