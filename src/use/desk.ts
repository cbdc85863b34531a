import type { Live } from './live.ts';
import type { Opened } from './open.ts';
import type { Plans } from './plans/plans.ts';
import type { Tasks } from './tasks.ts';

/** Everything that the screen and the admin API work with: what a command has, and what goes on in the background of the daemon. */
export interface Desk extends Opened {
  readonly tasks: Tasks;
  readonly plans: Plans;
  readonly live: Live;
}
