import type { Live } from './live.ts';
import type { Opened } from './open.ts';
import type { Plans } from './plans/plans.ts';
import type { Tasks } from './tasks.ts';
import type { TriedSides } from './tried-sides.ts';

/** Everything that the screen and the admin API work with: the database as a command has it, and the daemon's work in the background. */
export interface AdminContext extends Opened {
  readonly tasks: Tasks;
  readonly plans: Plans;
  readonly live: Live;
  readonly sides: TriedSides;
}
