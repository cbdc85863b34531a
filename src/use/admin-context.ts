import type { Live } from './live.ts';
import type { Opened } from './open.ts';
import type { Plans } from './plans/plans.ts';
import type { Tasks } from './tasks.ts';
import type { TriedSides } from './tried-sides.ts';

/** What the screen and admin API work with: the database and the daemon's background work. */
export interface AdminContext extends Opened {
  readonly tasks: Tasks;
  readonly plans: Plans;
  readonly live: Live;
  readonly sides: TriedSides;
}
