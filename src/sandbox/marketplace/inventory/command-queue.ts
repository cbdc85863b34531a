import { type Micros, showTime } from '../instants.ts';
import type { Market } from '../market.ts';
import { refuse } from '../refusal.ts';
import type { Fields } from '../wire-values.ts';
import { COMMANDS, CommandFailed, type CommandType } from './commands.ts';

interface CommandRow {
  readonly id: number;
  readonly task: string;
  readonly type: CommandType;
  /** JSON object. */
  readonly body: string;
  /** Pending, or the word for success or failure. */
  readonly status: string;
  /** JSON object. */
  readonly metadata: string;
  /** When the command is due; null: never. */
  readonly due: Micros | null;
  /** Set where a fault decided that the command fails. */
  readonly doom: string | null;
  readonly settled_at: Micros | null;
}

const SETTLE = 'UPDATE inventory_commands SET status = ?, metadata = ?, settled_at = ? WHERE id = ?';
const DUE = `SELECT * FROM inventory_commands WHERE status = 'Pending' AND due <= ? ORDER BY due, id LIMIT 1000`;

/** Queues a command (spec 2: 202 with command_id and task_id). Without a delay the command settles at the next call. */
export function queueCommand(market: Market, type: CommandType, body: Fields): { command_id: number; task_id: string } {
  const occasion = { operation: `inventory.${type}` };
  const stuck = market.strike(['command-pending'], occasion);
  const doom = market.strike(['command-failed'], occasion);
  const delayMs = stuck === null ? market.settings().commandDelayMs : stuck.ms;
  const due = delayMs === undefined ? null : market.now() + delayMs * 1000;
  const task = market.uuid();
  const command = { task, type, body: JSON.stringify(body), status: 'Pending', metadata: '{}', due };
  const id = market.sql.insert('inventory_commands', { ...command, doom: doom?.reason ?? null });
  return { command_id: id, task_id: task };
}

/** Carries out the commands whose time has come, oldest first. */
export function settleCommands(market: Market): void {
  for (;;) {
    const due = market.sql.all<CommandRow>(DUE, market.now());
    for (const row of due) settle(market, row);
    if (due.length === 0) return;
  }
}

function settle(market: Market, row: CommandRow): void {
  const reason = row.doom ?? carryOut(market, row);
  const { done, failed } = market.settings().commandWords;
  const [status, metadata] = reason === null ? [done, {}] : [failed, { error: reason }];
  market.sql.run(SETTLE, status, JSON.stringify(metadata), market.now(), row.id);
}

/** Why the command failed; null when it succeeded. */
function carryOut(market: Market, { type, body }: CommandRow): string | null {
  try {
    COMMANDS[type](market, JSON.parse(body) as Fields);
    return null;
  } catch (error) {
    if (error instanceof CommandFailed) return error.message;
    throw error;
  }
}

/** Spec 2, Command status. @throws Refusal 404 */
export function commandStatus(market: Market, id: number): Fields {
  const row = market.sql.get<CommandRow>('SELECT * FROM inventory_commands WHERE id = ?', id);
  if (!row) throw refuse(404, 'Not found.');
  const settings = market.settings();
  return {
    command_id: row.id,
    task_id: row.task,
    result_status: row.status,
    result_metadata: JSON.parse(row.metadata) as unknown,
    result_on: row.settled_at === null ? null : showTime(row.settled_at, settings),
    command_type: row.type,
  };
}
