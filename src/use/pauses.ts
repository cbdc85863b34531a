import type { Code } from '../domain/causes/cause.ts';
import { FLOW_NAMES, FLOWS } from '../flows/flows.ts';
import { ALL_FLOWS as ALL } from '../store/record.ts';
import type { Opened } from './open.ts';

export const ALL_FLOWS = ALL;
export const PAUSABLE: readonly string[] = [...FLOW_NAMES, ALL_FLOWS];

export const FLOW_TEXTS: readonly (readonly [string, string])[] = FLOW_NAMES.map((flow) => [flow, FLOWS[flow].about]);

/**
 * Pauses the writes of a flow or `all`; reading goes on.
 * @param why a person's reason; undefined: it names the person
 * @returns the stored reason, without secrets
 */
export async function pause(
  { store, by, redact }: Opened,
  account: string,
  flow: string,
  why: string | undefined,
): Promise<string> {
  const reason = redact(why ?? `by ${by}`);
  await store.pauses.pause(account, flow, reason, by);
  return reason;
}

/** Whether resuming lifts only this pause. Resuming all flows lifts every pause. */
export async function isOnlyPause({ store }: Opened, account: string, flow: string): Promise<boolean> {
  return flow !== ALL_FLOWS || (await store.pauses.all()).filter((one) => one.account === account).length === 1;
}

/** What resuming would change. */
export interface BeforeResume {
  readonly lifted: readonly { readonly flow: string; readonly reason: string }[];
  readonly held: readonly { readonly flow: string; readonly count: number }[];
  /** Why the whole account stays paused; null: it does not. */
  readonly stillPaused: string | null;
}

const HELD_FOR_PAUSE: readonly string[] = ['paused', 'product-paused'] satisfies Code[];

export async function beforeResume({ store }: Opened, account: string, flow: string): Promise<BeforeResume> {
  const isMeant = (name: string) => flow === ALL_FLOWS || name === flow;
  const pauses = (await store.pauses.all()).filter((one) => one.account === account);
  const groups = (await store.work.groups(account, 'held')).filter(({ code }) => HELD_FOR_PAUSE.includes(code));
  return {
    lifted: pauses.filter((one) => isMeant(one.flow)),
    held: groups.filter(({ about }) => isMeant(about)).map(({ about, count }) => ({ flow: about, count })),
    stillPaused: flow === ALL_FLOWS ? null : (pauses.find((one) => one.flow === ALL_FLOWS)?.reason ?? null),
  };
}

interface Resumed {
  readonly lifted: readonly { readonly flow: string; readonly reason: string }[];
  /** Entities that the pause held, and that become due. */
  readonly released: number;
  /** Why the whole account stays paused; null: it does not. */
  readonly stillPaused: string | null;
}

/** Ends a pause, or with `all` every pause of the account. */
export async function resume({ store, by }: Opened, account: string, flow: string): Promise<Resumed> {
  const { lifted, released } = await store.pauses.resume(account, flow, by);
  const whole = (await store.pauses.all()).find((one) => one.account === account && one.flow === ALL_FLOWS);
  return { lifted, released, stillPaused: whole?.reason ?? null };
}
