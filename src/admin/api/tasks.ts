import { z } from 'zod';
import { startReplay } from '../../use/jobs/replay.ts';
import type { Task } from '../../use/tasks.ts';
import { account, asInstant, instant, named, page, route, whole } from './route.ts';

export const task = named('Task', {
  id: z.int(),
  account: z.string(),
  kind: z.enum(['plan', 'apply', 'replay']),
  by: z.string(),
  began_at: instant,
  ended_at: instant.nullable(),
  state: z.enum(['running', 'done', 'failed', 'cancelled']),
  step: z.string(),
  done: z.int(),
  total: z.int().nullable().meta({ description: 'null: not known' }),
  said: z.string().nullable().meta({ description: 'The result; null while it runs' }),
  plan: z.int().nullable().meta({ description: 'The plan that it made or wrote' }),
});

export function shownTask({ beganAtMs, endedAtMs, ...rest }: Task): z.input<typeof task> {
  return { ...rest, began_at: asInstant(beganAtMs), ended_at: endedAtMs === null ? null : asInstant(endedAtMs) };
}

export const TASK_ROUTES = [
  route({
    id: 'listTasks',
    method: 'GET',
    path: '/accounts/{account}/tasks',
    summary: 'The tasks in the background of this process, running and lately ended, newest first',
    parameters: account,
    answer: page(task),
    run: async ({ tasks }, { path }) => whole(tasks.of(path.account).map(shownTask)),
  }),
  route({
    id: 'startReplay',
    method: 'POST',
    path: '/accounts/{account}/replays',
    summary:
      'Starts a task that replays the failed jobs of a filter. To count them first: POST /jobs/replay with dry_run',
    parameters: account,
    body: z.strictObject({
      error: z.string().max(300).optional().meta({ description: 'Part of their cause or message' }),
      limit: z.int().min(1).max(10_000).optional().meta({ description: 'No more than were counted' }),
    }),
    answer: task,
    run: async (opened, { path, body }) => shownTask(startReplay(opened, path.account, body)),
  }),
  route({
    id: 'cancelTask',
    method: 'DELETE',
    path: '/accounts/{account}/tasks/{task}',
    summary: 'Cancels a task. What it has done so far stays done',
    parameters: account.extend({ task: z.coerce.number().int().min(1).max(Number.MAX_SAFE_INTEGER) }),
    answer: task,
    run: async ({ tasks }, { path }) => shownTask(tasks.cancel(path.account, path.task)),
  }),
];
