import { describe, type TestAPI, type TestOptions, test } from 'vitest';
import { installing, nameParts, type Part, type PartName } from './parts.ts';

declare module 'vitest' {
  interface TaskMeta {
    /** The test is skipped, because these parts of the system are not here. */
    lacks?: readonly { readonly what: string; readonly packages: readonly string[]; readonly command: string | null }[];
  }
}

type Body = () => void | Promise<void>;

interface NamedTest extends Pick<TestAPI, 'each'> {
  (title: string, body: Body, timeoutMs?: number): void;
  (title: string, options: TestOptions, body: Body): void;
}

interface Needing {
  readonly test: NamedTest;
  readonly describe: (title: string, body: Body) => void;
}

/**
 * `test` and `describe` for what needs these parts of the system. Where one is missing, it is skipped, and its name tells what
 * would run it. No test file can start a part that it has not named here.
 */
export function needing(...parts: readonly [PartName, ...PartName[]]): Needing {
  const lacking = nameParts(parts);
  if (lacking.length === 0) return { test, describe };
  const why = `needs ${lacking.map(({ what }) => what).join(' and ')}: ${installing(lacking)}`;
  const lacks = lacking.map(({ what, packages, command }: Part) => ({ what, packages, command: command ?? null }));
  const skip = (title: string): void => test.skip(title, { meta: { lacks } }, () => {});
  const skipNamed = (title: string): void => skip(`${title} (${why})`);
  return {
    test: Object.assign(skipNamed, { each: (() => skipNamed) as unknown as TestAPI['each'] }),
    describe: (title) => describe(title, () => skip(why)),
  };
}
