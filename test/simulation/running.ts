import type { Program } from './clock.ts';

/** One process of the program, from its start to its end or kill. */
export interface Running {
  readonly program: Program;
  readonly alive: () => boolean;
  /** Called at each effect that others see: a commit or a request. The process may be killed or paused right there. */
  readonly effect: (name: string) => void;
  /** Waits until the process reaches the database; null: it does now. @throws when that takes too long */
  readonly reached: () => Promise<void> | null;
}
