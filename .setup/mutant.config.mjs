import { join } from 'node:path';
import base from './vitest.config.mjs';

/* The tests of the short tier, with one change in the program: the variable MUTANT says which. */

export default (env) => {
  const config = base(env);
  const { file, start, end, to } = JSON.parse(process.env.MUTANT);
  const isIt = (id) => id === join(config.root, file);
  const mutant = {
    name: 'mutant',
    enforce: 'pre',
    transform: (code, id) => (isIt(id) ? code.slice(0, start) + to + code.slice(end) : null),
    // The changed file is kept apart from the file as it is: later runs read what was kept.
    configureVitest: ({ defineCacheKeyGenerator }) =>
      defineCacheKeyGenerator(({ id }) => (isIt(id) ? process.env.MUTANT : undefined)),
  };
  return { ...config, plugins: [mutant] };
};
