import { expect, test } from 'vitest';
import { type Finding, fail, ok } from '../../src/use/doctor/finding.ts';
import { createTriedSides } from '../../src/use/tried-sides.ts';
import { useShelf } from '../store/shelf.ts';

const shelf = useShelf();
const NEVER = new AbortController().signal;
const GOOD = ok('marketplace', 'it answers, and takes the credentials');
const REFUSED = fail('Orders: Read', 'The marketplace answered 401', null, 'credentials');
const secret = (path: string, from: string) => ({ path, from: [from], server: null, value: 'the value' });

function sides(found: () => readonly Finding[] | Error) {
  const clock = { nowMs: 1_000_000 };
  const done: string[] = [];
  const opened = createTriedSides({
    reread: () => done.push('read'),
    async *check(account) {
      done.push(`tried ${account}`);
      const all = found();
      if (all instanceof Error) throw all;
      yield* all;
    },
    secrets: () => [
      secret('marketplace.auth.key', `\${env:KEY}`),
      secret('marketplace.webhooks.secret', `\${file:hook}`),
      secret('erp.auth.token', `\${env:ERP}`),
    ],
    now: () => clock.nowMs,
  });
  const again = (account = 'main') => opened.again({ store: shelf().store, by: 'maria' }, account, NEVER);
  return { ...opened, again, clock, done };
}

test('the secrets are read before the sides are tried, and the try is in the audit log', async () => {
  const { again, last, done } = sides(() => [GOOD]);
  expect(last('main')).toBeNull();
  await again();
  expect(done).toEqual(['read', 'tried main']);
  expect(last('main')).toEqual({ by: 'maria', atMs: 1_000_000, findings: [GOOD] });
  expect(await shelf().store.audit.latest(5)).toMatchObject([
    { account: 'main', action: 'sides.try', target: 'both sides', after: '1 check, none failed', who: 'maria' },
  ]);
});

test('an account is tried once in ten seconds, whatever a clock that is set back says, and others meanwhile', async () => {
  const { again, clock, done } = sides(() => [GOOD]);
  await again();
  clock.nowMs += 9_001;
  await expect(again()).rejects.toThrow('both sides were tried a moment ago: try again in 1 s');
  await again('other');
  clock.nowMs -= 3_600_000;
  await again();
  expect(done.filter((one) => one !== 'read')).toEqual(['tried main', 'tried other', 'tried main']);
});

test('two simultaneous requests try the sides once', async () => {
  const { again, done } = sides(() => [GOOD]);
  const both = await Promise.allSettled([again(), again()]);
  expect(both.map(({ status }) => status)).toEqual(['fulfilled', 'rejected']);
  expect(done).toEqual(['read', 'tried main']);
});

test('a rejected key from the environment is reported with the needed restart, unlike the keys of the other side', async () => {
  const { again } = sides(() => [REFUSED]);
  const { findings } = await again();
  expect(findings).toEqual([
    REFUSED,
    expect.objectContaining({
      level: 'warn',
      text: `marketplace.auth.key comes from \${env:KEY}`,
      mend: expect.stringContaining('when the daemon is restarted'),
    }),
  ]);
});

test('an unreadable configuration is a finding of the try', async () => {
  const { again } = sides(() => new Error('the file stockbridge.yaml is gone'));
  expect((await again()).findings).toMatchObject([
    { about: 'both sides', level: 'fail', text: 'the file stockbridge.yaml is gone', account: 'main' },
  ]);
});
