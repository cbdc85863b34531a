import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { compileExpression, expressionProblem } from '../../src/expressions/expression.ts';
import { ExpressionError } from '../../src/expressions/expression-error.ts';
import { FORBIDDEN, FUNCTIONS } from '../../src/expressions/names.ts';
import { until } from '../support/stage.ts';

const COMMAS = { name: `${','.repeat(30)}x` };
const NEVER_ENDS = '$replace(name, /([ ,]*,[ ,]*)+$/, "")';

const evaluate = (text: string, input: unknown = COMMAS) => compileExpression(text).evaluate(input);

test.each<[string, string, string | RegExp]>([
  ['too long', NEVER_ENDS, 'it was ended after 2 seconds'],
  ['too much for a text', '$base64encode($pad("x", 300000000))', /128 MB|after 2 seconds/],
  ['too much in its parts', '$split($pad("x", 50000000), "")', /128 MB|after 2 seconds/],
])('an expression that takes %s is ended, and the program goes on meanwhile', async (_, text, problem) => {
  let turns = 0;
  const turning = setInterval(() => {
    turns += 1;
  }, 1);
  const ended = evaluate(text);
  await expect(ended).rejects.toBeInstanceOf(ExpressionError);
  await expect(ended).rejects.toThrow(problem);
  clearInterval(turning);
  expect(turns).toBeGreaterThan(5);
  expect(await evaluate('name')).toBe(COMMAS.name);
});

test('an expression that takes too long is ended, and no other one of the same moment', async () => {
  const texts = ['"before"', NEVER_ENDS, '"after"', '$pad("x", 500000000)', '"last"'];
  const settled = await Promise.allSettled(texts.map((text) => evaluate(text)));
  expect(settled.map((one) => (one.status === 'fulfilled' ? one.value : one.status))).toEqual([
    'before',
    'rejected',
    'after',
    'rejected',
    'last',
  ]);
});

test('an ended expression is not tried again over the same input: held products are reconciled every minute', async () => {
  const input = { name: `${COMMAS.name}y` };
  await expect(evaluate(NEVER_ENDS, input)).rejects.toThrow('after 2 seconds');
  const order: string[] = [];
  const again = Array.from({ length: 100 }, () => evaluate(NEVER_ENDS, input).catch(() => order.push('ended')));
  const other = evaluate('$uppercase(name)', input).then(() => order.push('evaluated'));
  await Promise.all([...again, other]);
  expect(order.slice(0, 100)).toEqual(Array.from({ length: 100 }, () => 'ended'));
});

test('every function of the engine is either allowed or excluded', () => {
  const engine = readFileSync(createRequire(import.meta.url).resolve('jsonata'), 'utf8');
  const there = [...engine.matchAll(/(?:staticFrame|environment)\.bind\('(\w+)', defineFunction/g)].map(([, name]) =>
    String(name),
  );
  expect(there.toSorted()).toEqual([...FUNCTIONS, ...FORBIDDEN].toSorted());
});

test.each(FORBIDDEN)('the excluded function $%s is not reachable through a variable of that name', async (name) => {
  for (const text of [`(($${name} := 1); $${name}("1"))`, `($f := function($${name}) { 1 }; $map(["1"], $${name}))`]) {
    expect(expressionProblem(text)).toBeNull();
    await expect(evaluate(text)).rejects.toThrow(`there is no $${name}`);
  }
});

test('no expression reads the clock by leaving out a part of a date', async () => {
  expect(await evaluate('$toMillis("13:45", "[H]:[m]")')).toBe((13 * 60 + 45) * 60_000);
  expect(await evaluate('$toMillis("5 March", "[D] [MNn]")')).toBe(Date.UTC(1970, 2, 5));
  expect(await evaluate('$toMillis("2026-11-23")')).toBe(Date.UTC(2026, 10, 23));
});

test('the message of a failed expression is bounded, although it may quote its input', async () => {
  for (const text of ['$assert(false, name)', '$error(name)', '$plus(name, 1)']) {
    const problem = await evaluate(text, { name: 'x'.repeat(100_000) }).catch(String);
    expect(String(problem).length).toBeLessThan(1_000);
  }
});

test('the size of the input of an expression is bounded', async () => {
  await expect(evaluate('$uppercase(name)', { name: 'x'.repeat(500_001) })).rejects.toThrow(
    'more than 500000 characters',
  );
});

test('the depth of the input of an expression is bounded', async () => {
  const deep = JSON.parse(`${'['.repeat(200_000)}${']'.repeat(200_000)}`) as unknown;
  await expect(evaluate('$', deep)).rejects.toThrow('its result is too large');
  await expect(evaluate('$count(**)', deep)).rejects.toBeInstanceOf(ExpressionError);
  expect(await evaluate('1', deep)).toBe(1);
});

test('one expression cannot pass another what it did to its input', async () => {
  const input = { list: [1, 2] };
  const [changed, same] = await Promise.all([evaluate('$ ~> |$|{"list": 3}|', input), evaluate('list', input)]);
  expect([changed, same, input]).toEqual([{ list: 3 }, [1, 2], { list: [1, 2] }]);
});

test('the process for rules sees nothing of the environment, and ends with the process that started it, also in the middle of a rule', async () => {
  const asking = startAsking();
  const { rules, environment } = await until('the rule runs', () => runningIn(asking));
  expect(environment).not.toContain('in the environment');
  asking.kill('SIGKILL');
  await once(asking, 'exit');
  await until('it is gone', () => !existsSync(`/proc/${rules}`));
});

test('the process for rules is not ended because a busy machine delayed it', async () => {
  await evaluate('$lowercase(name)');
  const ofRules = (pid: number) => readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('rules-process');
  const rules = Number(childrenOf(process).find(ofRules));
  process.kill(rules, 'SIGSTOP');
  const answer = evaluate('$uppercase(name)', { name: 'a' });
  // The process gets no turn for longer than an expression may take, counted in the same steps.
  for (let steps = 0; steps < 30; steps += 1) await new Promise((resolve) => setTimeout(resolve, 100));
  process.kill(rules, 'SIGCONT');
  expect(await answer).toBe('A');
  expect(childrenOf(process)).toContain(rules);
});

test('the expression process does not keep its parent process alive', async () => {
  const asking = startAsking('"done"');
  expect(await once(asking, 'exit')).toEqual([0, null]);
});

/** The process of the rule that runs now; null: none does, or it has just been ended. */
function runningIn(asking: ChildProcess) {
  const rules = childrenOf(asking).find(hasBegun);
  try {
    return rules === undefined ? null : { rules, environment: readFileSync(`/proc/${rules}/environ`, 'utf8') };
  } catch {
    return null;
  }
}

/** A process that evaluates one expression, again if it is ended, and has nothing else to do. */
function startAsking(text = NEVER_ENDS): ChildProcess {
  const dir = mkdtempSync(join(tmpdir(), 'rules-'));
  const module = new URL('../../src/expressions/expression.ts', import.meta.url).href;
  // Every turn has another input: an ended expression is not tried again with the same one.
  const ask = `compileExpression(${JSON.stringify(text)}).evaluate({ ...${JSON.stringify(COMMAS)}, turn })`;
  const again = `for (let turn = 0, done = false; !done; turn += 1) done = await ${ask}.then(() => true, () => false);`;
  writeFileSync(join(dir, 'ask.mjs'), `import { compileExpression } from '${module}';\n${again}`);
  const asking = fork(join(dir, 'ask.mjs'), { execArgv: [], env: { SECRET: 'in the environment' }, stdio: 'ignore' });
  onTestFinished(() => {
    asking.kill('SIGKILL');
    rmSync(dir, { recursive: true, force: true });
  });
  return asking;
}

function childrenOf({ pid }: Pick<ChildProcess, 'pid'>): number[] {
  return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number);
}

/** Has the process used half a second of processor time? Then it is in the middle of the rule. */
function hasBegun(pid: number): boolean {
  const [, used] = /\) (?:\S+ ){11}(\d+)/.exec(readFileSync(`/proc/${pid}/stat`, 'utf8')) ?? [];
  return Number(used) > 50;
}
