import { expect, test } from 'vitest';
import { folderOf, LEAST } from '../config/folder.ts';
import { run } from './capture.ts';

test('a pass does not wait for a Redis that does not exist', async () => {
  const path = folderOf({});
  const state = `state: { dir: ${path('data')}, redis: "redis://somebody:a-password@127.0.0.1:1/0" }\n`;
  const file = folderOf({ 'c.yaml': state + LEAST })('c.yaml');
  const { exitCode, stdout, stderr } = await run(['sync', '--config', file]);
  expect(stderr).toBe(
    'stockbridge: Redis (redis://127.0.0.1:1) does not answer: check the server, or state.redis. Nothing was done.\n',
  );
  expect([exitCode, stdout]).toEqual([69, '']);
});
