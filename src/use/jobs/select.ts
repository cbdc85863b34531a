import { FLOW_NAMES, type FlowName, isFlow } from '../../flows/flows.ts';
import type { FailedJob } from '../../store/work.ts';
import { accountNames } from '../accounts.ts';
import { keyInAny } from '../entity.ts';
import { UsageError } from '../faults.ts';
import type { Opened } from '../open.ts';

export type Job = FailedJob;

export type Named = { readonly id: number } | { readonly flow: FlowName; readonly key: string };

export interface Selection {
  readonly all?: true | undefined;
  readonly error?: string | undefined;
  readonly account?: string | undefined;
  /** Failed longer ago than this, in milliseconds. */
  readonly olderThan?: number | undefined;
  readonly limit?: number | undefined;
}

/**
 * Jobs by number, by FLOW/KEY, or by a flow and a key after it. A key is any name of its entity.
 * @throws UsageError for anything else, NotFound for an ambiguous name
 */
export async function namesOf(
  { config, store }: Opened,
  args: readonly string[],
  account: string | undefined,
): Promise<Named[]> {
  const accounts = accountNames(config, account);
  const names: Named[] = [];
  for (const named of parseNames(args)) {
    const key = 'id' in named ? null : await keyInAny(store, accounts, named.flow, named.key);
    names.push('id' in named || key === null ? named : { ...named, key });
  }
  return names;
}

function parseNames(args: readonly string[]): Named[] {
  const [first, second, ...more] = args;
  if (first !== undefined && isFlow(first) && second !== undefined && more.length === 0)
    return [{ flow: first, key: second }];
  return args.map((arg) => {
    if (/^\d{1,15}$/.test(arg)) return { id: Number(arg) };
    const slash = arg.indexOf('/');
    const flow = arg.slice(0, slash);
    const key = arg.slice(slash + 1);
    if (slash > 0 && isFlow(flow) && key !== '') return { flow, key };
    throw new UsageError(
      `"${arg}" is neither a number of "jobs list" nor FLOW/KEY, such as order-in/NUMBER; flows are ${FLOW_NAMES.join(', ')}`,
    );
  });
}

export function shownName(named: Named): string {
  return 'id' in named ? String(named.id) : `${named.flow}/${named.key}`;
}

/** The named or matching failed jobs, and the names that are not found. */
export async function selectJobs(
  { config, store }: Opened,
  names: readonly Named[],
  { account, error, olderThan, limit }: Selection,
): Promise<{ jobs: Job[]; missing: Named[] }> {
  if (account !== undefined) accountNames(config, account);
  const failedBeforeMs = olderThan === undefined ? undefined : Date.now() - olderThan;
  const where = { account, error, failedBeforeMs, limit };
  if (names.length === 0) return { jobs: await store.work.failed(where), missing: [] };
  const jobs = new Map<number, Job>();
  const missing: Named[] = [];
  for (const named of names) {
    const found = await store.work.failed({ ...where, ...('id' in named ? { ids: [named.id] } : named) });
    if (found.length === 0) missing.push(named);
    if (found.length > 1) {
      const accounts = found.map((job) => job.account).join(', ');
      throw new UsageError(`${shownName(named)} failed in several accounts: name one account: ${accounts}`);
    }
    for (const job of found) jobs.set(job.id, job);
  }
  return { jobs: [...jobs.values()], missing };
}
