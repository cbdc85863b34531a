/**
 * `npm run world -- [--thing T --happening H --side S --time T] [--share K/N] [--tell]`: plays cells of the table of the world and prints
 * each one that is not as the table says.
 */
import { parseArgs } from 'node:util';
import { type Case, casesOf } from './cases.ts';
import { play } from './play.ts';

const { values } = parseArgs({
  options: {
    thing: { type: 'string' },
    happening: { type: 'string' },
    side: { type: 'string' },
    time: { type: 'string' },
    share: { type: 'string', default: '1/1' },
    plain: { type: 'boolean', default: false },
    tell: { type: 'boolean', default: false },
  },
});
const [part = 1, of = 1] = values.share.split('/').map(Number);
const isMeant = (one: Case) =>
  (['thing', 'happening', 'side', 'time'] as const).every(
    (name) => values[name] === undefined || one[name] === values[name],
  ) && !(values.plain && one.isBusy);
const cases = casesOf()
  .filter(isMeant)
  .filter((_, index) => index % of === part - 1);
let wrong = 0;
let impossible = 0;
for (const one of cases) {
  const lines: string[] = [];
  const found = await play(one, (line) => lines.push(line));
  if (found === 'cannot happen') {
    impossible += 1;
    process.stdout.write(`cannot happen: ${one.name}: ${lines.at(-1) ?? ''}\n`);
  } else if (found.length > 0) {
    wrong += 1;
    process.stdout.write(`${one.name}\n${found.map((line) => `    ${line.slice(0, 700)}\n`).join('')}`);
  }
  if (values.tell) process.stdout.write(`${lines.join('\n')}\n`);
}
process.stdout.write(`${cases.length} played, ${impossible} that cannot happen, ${wrong} not as the table says\n`);
process.exitCode = wrong === 0 ? 0 : 1;
