import { writeFileSync } from 'node:fs';
import { z } from 'zod';
import { isFlow } from '../flows/flows.ts';
import { UsageError } from './faults.ts';
import type { PlanItem } from './plan-item.ts';
import { isShownAs } from './rehearsal/new-ids.ts';
import type { JsonOf } from './shapes.ts';
import { readTextFile } from './text-file.ts';

const FORMAT = 'stockbridge-plan-1';
/** A plan may show customers and prices. */
const OWNER_ONLY = 0o600;

const MAX_TEXT_CHARS = 4_000_000;
const text = z.string().max(MAX_TEXT_CHARS);
const write = z.object({ action: text, target: text, before: text.nullable(), after: text.nullable() });
const entity = z.object({ account: text, flow: text.refine(isFlow), key: text, actions: z.array(write) });
const saved = z.object({
  format: z.literal(FORMAT),
  madeAt: z.iso.datetime(),
  items: z.array(entity),
});

export function savePlan(file: string, madeAt: Date, items: readonly PlanItem[]): void {
  const plan: z.input<typeof saved> = { format: FORMAT, madeAt: madeAt.toISOString(), items: items.map(kept) };
  try {
    writeFileSync(file, `${JSON.stringify(plan, null, 1)}\n`, { mode: OWNER_ONLY });
  } catch (error) {
    throw new UsageError(`the plan cannot be saved to ${file}: ${messageOf(error)}`);
  }
}

export type SavedWrite = JsonOf<Omit<z.input<typeof entity>, 'actions'> & z.input<typeof write>>;

export function writesIn({ account, flow, key, actions }: JsonOf<z.input<typeof entity>>): SavedWrite[] {
  return actions.map(({ action, target, before, after }) => ({ account, flow, key, action, target, before, after }));
}

function kept({ account, flow, key, actions }: PlanItem) {
  const writes = actions.map(({ action, target, before, after, why }) => ({ action, target, before, after, why }));
  return { account, flow, key, actions: writes };
}

export interface SavedPlan {
  readonly madeAt: string;
  readonly writes: readonly SavedWrite[];
}

/** @throws UsageError for an unreadable file or no plan */
export function readPlan(file: string): SavedPlan {
  let content: unknown;
  try {
    content = JSON.parse(readTextFile(file));
  } catch (error) {
    throw new UsageError(`${file} cannot be read as a plan: ${messageOf(error)}`);
  }
  const { data, error } = saved.safeParse(content);
  if (data === undefined) {
    const [issue] = error.issues;
    const where = issue?.path.join('.') || 'the file';
    throw new UsageError(`${file} is no plan that "stockbridge plan --out" saved: ${where}: ${issue?.message}`);
  }
  const { madeAt, items } = data;
  return { madeAt, writes: items.flatMap(writesIn) };
}

/** Whether a write, with its new ids, is the planned one. */
export function isPlanned(planned: SavedWrite, { account, flow, key, action, target, after }: SavedWrite): boolean {
  return (
    planned.account === account &&
    planned.flow === flow &&
    planned.action === action &&
    isShownAs(planned.key, key) &&
    isShownAs(planned.target, target) &&
    isShownAs(planned.after, after)
  );
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
