/* The names of actions, as the journal has them: the flow, the verb, and for some writes the brake that counts them. */

/** The kind of a write, without the brake that counts it: `stock.write` of `stock.write:zero`. */
export function withoutBrake(action: string): string {
  return action.split(':', 1)[0] ?? action;
}

/** Is the action a link, which writes to neither side? */
export function isLink(action: string): boolean {
  return action.endsWith('.link');
}
