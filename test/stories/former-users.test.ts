import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import SqliteDatabase from 'better-sqlite3';
import { expect, onTestFinished, test } from 'vitest';
import { hashPassword } from '../../src/use/users.ts';
import { startDaemon } from '../support/daemon.ts';
import { openStage, until } from '../support/stage.ts';

test('a user who is removed from the configuration and added again later does not log in with the former password', async () => {
  const stage = await openStage();
  const text = readFileSync(stage.configFile, 'utf8');
  const name = (users: string) =>
    writeFileSync(
      stage.configFile,
      text.replace('admin: { listen: 127.0.0.1:0', `admin: { users: [${users}], listen: 127.0.0.1:0`),
    );
  const password = 'correct horse 12';
  const hash = await hashPassword(password);
  await stage.sync();
  for (const user of ['maria', 'ann']) await stage.store().facts.set('', `password of ${user}`, hash);
  await stage.stop();
  name('{ name: maria }, { name: ann }');
  const daemon = startDaemon(stage.configFile);
  await until('it listens', () => /"admin.listen":"http/.test(daemon.log()));
  const url = /"admin.listen":"(http[^"]+)"/.exec(daemon.log())?.[1];
  const isLetIn = async (user: string) => {
    const headers = { 'sec-fetch-site': 'same-origin', 'content-type': 'application/x-www-form-urlencoded' };
    const body = new URLSearchParams({ name: user, password }).toString();
    const answer = await fetch(`${url}/login`, { method: 'POST', headers, body, redirect: 'manual' });
    return answer.headers.has('set-cookie');
  };
  const named = async (users: string, times: number) => {
    name(users);
    daemon.process.kill('SIGHUP');
    await until('it is read', () => daemon.log().split('"changed":["admin.users').length > times);
  };
  expect([await isLetIn('maria'), await isLetIn('ann')]).toEqual([true, true]);

  await named('{ name: ann }', 1);
  const database = new SqliteDatabase(join(stage.dir, 'data', 'stockbridge.db'), { readonly: true });
  onTestFinished(() => void database.close());
  const kept = database.prepare("select name from facts where name like 'password of %'").pluck();
  await until('her password is forgotten', () => kept.all().join() === 'password of ann');
  await named('{ name: maria }, { name: ann }', 2);
  expect([await isLetIn('maria'), await isLetIn('ann')]).toEqual([false, true]);
});
