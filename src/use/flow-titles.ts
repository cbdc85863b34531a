import { FLOW_NAMES, FLOWS, isFlow } from '../flows/flows.ts';

export const FLOW_CHOICES: readonly (readonly [string, string])[] = FLOW_NAMES.map((flow) => [flow, FLOWS[flow].title]);

/** `all` means every flow. An unknown flow is its own title. */
export function flowTitle(flow: string): string {
  if (flow === 'all') return 'everything';
  return isFlow(flow) ? FLOWS[flow].title : flow;
}
