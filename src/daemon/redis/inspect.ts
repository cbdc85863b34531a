/** A fault of a Redis for this daemon, and the remedy. A `problem` loses work; a `warning` may. */
export interface RedisFinding {
  readonly about: 'version' | 'eviction' | 'persistence' | 'replica' | 'cluster';
  readonly level: 'problem' | 'warning';
  readonly message: string;
}

const OLDEST = { major: 6, minor: 2 };

/** Asks a Redis about itself. Nothing found is an empty list. Needs no right but INFO. */
export async function inspectRedis(client: { info(): Promise<string> }): Promise<RedisFinding[]> {
  return judgeRedis(await client.info());
}

/** Judges the text that INFO answers. A missing value is a warning: unknown is not well. */
export function judgeRedis(info: string): RedisFinding[] {
  const facts = new Map(info.split(/\r?\n/).map((line) => splitOnce(line, ':')));
  const found: RedisFinding[] = [];
  const expect = (about: RedisFinding['about'], name: string, well: (value: string) => boolean, mend: string): void => {
    const value = facts.get(name);
    if (value === undefined)
      found.push({ about, level: 'warning', message: `Redis does not tell its ${name}: ${mend}` });
    else if (!well(value)) found.push({ about, level: 'problem', message: `Redis has ${name} ${value}: ${mend}` });
  };
  expect('version', 'redis_version', isNewEnough, `it must be ${OLDEST.major}.${OLDEST.minor} or later`);
  expect(
    'eviction',
    'maxmemory_policy',
    is('noeviction'),
    'set maxmemory-policy to noeviction, or waiting work is thrown away',
  );
  expect(
    'persistence',
    'aof_enabled',
    is('1'),
    'set appendonly to yes, or the record of the quota is lost with a restart',
  );
  expect('replica', 'role', is('master'), 'it takes no writes: set state.redis to the primary');
  expect('cluster', 'cluster_enabled', is('0'), 'a cluster is not supported: set state.redis to a single server');
  return found;
}

function is(wanted: string): (value: string) => boolean {
  return (value) => value === wanted;
}

function isNewEnough(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return major > OLDEST.major || (major === OLDEST.major && minor >= OLDEST.minor);
}

function splitOnce(line: string, separator: string): [string, string] {
  const at = line.indexOf(separator);
  return at < 0 ? [line, ''] : [line.slice(0, at), line.slice(at + 1)];
}
