import type { Program } from './clock.ts';

/** One process of the program, from its start to its end or its being killed. */
export interface Running {
  readonly program: Program;
  readonly alive: () => boolean;
  /** It comes to something that others see: a commit, a request. It may be killed or paused right there. */
  readonly effect: (name: string) => void;
  /** Waits until it reaches the database; null: it does. @throws when that takes too long */
  readonly reached: () => Promise<void> | null;
}
