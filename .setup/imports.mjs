// Checks which folder imports which (.dependency-cruiser.mjs), and that every source file was really read: a tool that reads
// nothing finds nothing wrong.
import { globSync } from 'node:fs';
import { cruise } from 'dependency-cruiser';
import rules from '../.dependency-cruiser.mjs';
import { impureDeciders } from './pure-deciders.mjs';

const wanted = globSync('src/**/*.ts').toSorted();
const { output } = await cruise(['src'], { ...rules.options, ruleSet: rules, validate: true });
const read = new Set(output.modules.map((module) => module.source));
const faults = [
  ...wanted.filter((file) => !read.has(file)).map((file) => `${file}: not-read: the tool did not read this file`),
  ...wanted
    .filter((file) => /(^|\/)index\.ts$/.test(file))
    .map((file) => `${file}: no-barrels: name it after what it holds`),
  ...output.summary.violations.map(describe),
  ...impureDeciders(output.modules),
];
for (const fault of faults) process.stdout.write(`${fault}\n`);
process.stdout.write(
  `${wanted.length} files, ${output.summary.totalDependenciesCruised} imports, ${faults.length} faults\n`,
);
if (wanted.length === 0 || faults.length > 0) process.exitCode = 1;

function describe({ from, to, rule, cycle }) {
  const way = cycle === undefined ? to : cycle.map((step) => step.name).join(' -> ');
  const { comment } = rules.forbidden.find(({ name }) => name === rule.name);
  return `${from} -> ${way}: ${rule.name}: ${comment}`;
}
