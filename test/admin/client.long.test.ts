import { execFile, execFileSync, spawnSync } from 'node:child_process';
import { readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, test } from 'vitest';
import { openApi } from '../../src/admin/api/openapi.ts';
import { GROUPS } from '../../src/admin/api/routes.ts';
import { folderOf } from '../config/folder.ts';
import { needing } from '../support/needing.ts';
import { programOf } from '../support/parts.ts';
import { openStage } from '../support/stage.ts';

/* The admin API as a stranger's tools see it: a linter, a generator of clients, a compiler, and the client at the real server. */

const TOKEN = 'an-operator-token';
const CALLS = readFileSync(join(import.meta.dirname, 'client/calls.txt'), 'utf8');
const description = openApi(GROUPS, '');
const operations = Object.entries(description.paths).flatMap(([path, own]) =>
  Object.entries(own as Readonly<Record<string, { readonly operationId: string }>>).map(
    ([method, { operationId }]) => [operationId, path, method] as const,
  ),
);

/** The calls about things that are not there, or not any more. Every other call is answered with 200. */
const REFUSED: Readonly<Record<string, number>> = {
  approveHeldPlan: 409,
  dropHeldPlan: 409,
  resolveDoubt: 404,
  cancelTask: 404,
  decideArchived: 404,
  getEvent: 404,
  resendEvent: 404,
};

const COMPILER = {
  noEmit: true,
  strict: true,
  target: 'esnext',
  module: 'preserve',
  allowImportingTsExtensions: true,
  types: [],
};

needing('apiTools').describe('the description of the admin API', () => {
  test('the API description has no error and no warning in Redocly', () => {
    const path = folderOf({ 'openapi.json': JSON.stringify(description) });
    const args = ['lint', path('openapi.json'), '--extends', 'recommended-strict'];
    const env = { ...process.env, REDOCLY_TELEMETRY: 'off' };
    const { status, stdout, stderr } = spawnSync(programOf('apiTools', 'redocly'), args, { encoding: 'utf8', env });
    expect(status, stdout + stderr).toBe(0);
    expect(stderr).not.toMatch(/You have \d+ warning/);
  });

  test('has no fault and no warning, says Spectral', () => {
    const path = folderOf({
      'openapi.json': JSON.stringify(description),
      'rules.yaml': 'extends: ["spectral:oas"]\n',
    });
    const args = ['lint', path('openapi.json'), '--ruleset', path('rules.yaml'), '--fail-severity', 'hint'];
    const { status, stdout, stderr } = spawnSync(programOf('apiTools', 'spectral'), args, { encoding: 'utf8' });
    expect(status, stdout + stderr).toBe(0);
  });

  test('the API description makes a client that compiles, calls every operation, and gets the described answers', async () => {
    const stage = await openStage();
    const admin = `admin: { listen: 127.0.0.1:0, operator_token: ${TOKEN}, viewer_token: a-viewer-token-1 }`;
    const yaml = readFileSync(stage.configFile, 'utf8').replace('admin: { listen: 127.0.0.1:0 }', admin);
    writeFileSync(stage.configFile, yaml);
    stage.erp.control.seed(3);
    await stage.start();
    await stage.sync();
    const base = `${stage.app().adminUrl}/api/v1`;
    const served = await fetch(`${base}/openapi.json`, { headers: { authorization: `Bearer ${TOKEN}` } });
    const path = folderOf({
      'openapi.json': await served.text(),
      'calls.ts': CALLS,
      'package.json': '{"type":"module"}',
      'tsconfig.json': JSON.stringify({ compilerOptions: COMPILER, files: ['calls.ts'] }),
    });
    symlinkSync(join(programOf('apiTools', 'tsc'), '../..'), path('node_modules'));
    execFileSync(programOf('apiTools', 'openapi-typescript'), [
      path('openapi.json'),
      '--default-non-nullable',
      'false',
      '-o',
      path('api.ts'),
    ]);
    const compiled = spawnSync(programOf('apiTools', 'tsc'), ['--project', path('tsconfig.json')], {
      encoding: 'utf8',
    });
    expect(compiled.stdout).toBe('');
    const { stdout: printed } = await promisify(execFile)(process.execPath, [path('calls.ts'), base, TOKEN]);
    const told = JSON.parse(printed) as Readonly<Record<string, { readonly status: number; readonly body: unknown }>>;
    expect(Object.keys(told).toSorted()).toEqual(operations.map(([id]) => id).toSorted());
    const statuses = Object.entries(told).map(([id, { status }]) => [id, status]);
    expect(statuses).toEqual(statuses.map(([id = '']) => [id, REFUSED[id] ?? 200]));
    const ajv = new Ajv2020({ strict: false, validateFormats: false }).addSchema(description, 'api');
    for (const [id, of, method] of operations) {
      if (id === 'followJournal') continue;
      const { status, body } = told[id] ?? {};
      const type = status === 200 ? 'json' : 'problem+json';
      const place = ['paths', of, method, 'responses', status, 'content', `application/${type}`, 'schema'];
      const pointer = place.map((part) => encodeURIComponent(String(part).replaceAll('/', '~1'))).join('/');
      const isFitting = ajv.compile({ $ref: `api#/${pointer}` });
      expect([id, isFitting(body), isFitting.errors]).toEqual([id, true, null]);
    }
  });
});

test('the calls of the generated client are all the operations of the description', () => {
  expect([...CALLS.matchAll(/tell\('(\w+)'/g)].map(([, id = '']) => id).toSorted()).toEqual(
    operations.map(([id]) => id).toSorted(),
  );
});
