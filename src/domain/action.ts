/* Names of actions as the journal stores them: flow, verb, and for some writes the brake that counts them. */

/** `stock.write:zero` becomes `stock.write`. */
export function withoutBrake(action: string): string {
  return action.split(':', 1)[0] ?? action;
}

export function isLink(action: string): boolean {
  return action.endsWith('.link');
}
