import { parseFileSync } from '@swc/core';

const DECIDER = /^src\/flows\/(.*\/)?(decide|policy)[^/]*\.ts$/;
const PURE_PACKAGE = /^node_modules\/decimal\.js\//;
const EFFECTS = /^src\/(?!domain\/|flows\/|marketplace\/operations\/|http\/json\.ts$)/;

/**
 * A decider, and every file that it imports directly or not, does no I/O: it uses no package but decimal.js, nothing of Node,
 * and no other part of src but the domain, lossless JSON and the table of operations. Types are not run, so they may come from
 * anywhere. Returns one line for each import chain that ends at something forbidden.
 */
export function impureDeciders(modules) {
  const bySource = new Map(modules.map((module) => [module.source, module]));
  return modules
    .filter(({ source }) => DECIDER.test(source))
    .flatMap(({ source }) => forbiddenWays(source, bySource).map(describe));
}

function forbiddenWays(start, bySource) {
  const ways = [];
  const seen = new Set([start]);
  const queue = [[start]];
  for (let way = queue.shift(); way !== undefined; way = queue.shift()) {
    for (const next of run(bySource.get(way.at(-1)))) {
      if (seen.has(next)) continue;
      seen.add(next);
      if (PURE_PACKAGE.test(next)) continue;
      if (!next.startsWith('src/') || EFFECTS.test(next)) ways.push([...way, next]);
      // The table of operations is data, so its imports, such as the schema package, are not followed.
      else if (!next.startsWith('src/marketplace/')) queue.push([...way, next]);
    }
  }
  return ways;
}

/** The files and packages that a module imports for more than their types. */
function run(module) {
  const { body } = parseFileSync(module.source, { syntax: 'typescript' });
  const values = new Set(body.filter(isRun).map((statement) => statement.source.value.replace(/^node:/, '')));
  return module.dependencies
    .filter(({ module: name, dynamic }) => dynamic || values.has(name))
    .map(({ resolved }) => resolved);
}

function isRun({ source, typeOnly, specifiers = [] }) {
  if (source === undefined || source === null || typeOnly) return false;
  return specifiers.length === 0 || specifiers.some((specifier) => !specifier.isTypeOnly);
}

function describe(way) {
  return `${way.join(' -> ')}: deciders-are-pure: a decider, and all that it runs, does no I/O`;
}
