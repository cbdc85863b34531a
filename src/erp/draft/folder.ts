import { open, readdir, readFile, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { parseJson, withTexts } from '../../http/json.ts';
import { xlsxRows } from '../files/xlsx.ts';
import { type Answer, rowsIn } from './answers.ts';
import { type CsvStyle, plainCell, readCsv } from './csv-style.ts';
import { likeliest, rankOf } from './score.ts';
import { BOUNDS, type Collection, type Contents, DraftFault, type Field } from './shape.ts';
import { boundedSamples, fieldsSeen, timeStyle } from './values.ts';

/** Reads the beginnings of the files in a folder. It moves and writes nothing. */

export interface SampleFile {
  /** The file names with `*` for the time: `out/stock-*.csv`. */
  readonly pattern: string;
  readonly format: 'csv' | 'json' | 'xlsx';
  /** The format of the time in the name. */
  readonly named: string | null;
  readonly style: CsvStyle | null;
  /** The JSON field that holds the rows; null: the file itself. */
  readonly rows: string | null;
}

const FOLDERS_MAX = 20;
const BEGINNING_BYTES = 262_144;
const WHOLE_BYTES = 16_000_000;

/** @throws DraftFault if no file can be read */
export async function readFolder(dir: string): Promise<Contents<SampleFile>> {
  const { names, cut } = await filesIn(dir);
  const newest = new Map<string, { name: string; at: number }>();
  for (const name of names) {
    const { pattern } = patternOf(name);
    const { mtimeMs: at } = await stat(join(dir, name));
    if (at >= (newest.get(pattern)?.at ?? 0)) newest.set(pattern, { name, at });
  }
  const { taken, cut: kinds } = likeliest([...newest], ([pattern]) => rankOf(listNamed(pattern)), 'kinds of files');
  const faults: string[] = [];
  const found: Collection<SampleFile>[] = [];
  for (const [pattern, { name }] of taken) {
    try {
      found.push(await readSample(join(dir, name), pattern, patternOf(name).named));
    } catch (error) {
      faults.push(`${name}: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  if (found.length === 0) throw new DraftFault(faults[0] ?? 'it has no file that ends in .csv, .xlsx or .json');
  return { collections: found, cut: [...cut, ...kinds] };
}

/** The JSON files of a folder as sample answers; null if other files are there too. */
export async function answersIn(dir: string): Promise<{ answers: Answer[]; cut: readonly string[] } | null> {
  const { names, cut } = await filesIn(dir);
  if (names.length === 0 || !names.every((name) => name.endsWith('.json'))) return null;
  const answers: Answer[] = [];
  const named = names.map((name) => ({ name: basename(name, '.json'), file: name }));
  const { taken, cut: kinds } = likeliest(named, ({ name }) => rankOf(name), 'files');
  for (const { name, file } of taken) answers.push({ name, body: await jsonIn(join(dir, file)) });
  return { answers, cut: [...cut, ...kinds] };
}

async function filesIn(dir: string): Promise<{ names: string[]; cut: string[] }> {
  const inside = await readdir(dir, { withFileTypes: true });
  const folders = inside.filter((entry) => entry.isDirectory());
  const below = await Promise.all(
    folders.slice(0, FOLDERS_MAX).map(async ({ name }) =>
      (await readdir(join(dir, name), { withFileTypes: true }).catch(() => [])).map((entry) => ({
        entry,
        name: join(name, entry.name),
      })),
    ),
  );
  const names = [...inside.map((entry) => ({ entry, name: entry.name })), ...below.flat()]
    .filter(({ entry, name }) => entry.isFile() && /\.(csv|xlsx|json)$/i.test(name) && !/\p{Cc}/u.test(name))
    .map(({ name }) => name)
    .sort();
  return {
    names,
    cut:
      folders.length > FOLDERS_MAX
        ? [`whether a list is missing: ${FOLDERS_MAX} of ${folders.length} folders were looked into`]
        : [],
  };
}

const TIMES: readonly (readonly [RegExp, string | null])[] = [
  [/\d{8}-\d{6}/, 'yyyyMMdd-HHmmss'],
  [/\d{8}-\d{4}/, 'yyyyMMdd-HHmm'],
  [/\d{8}_\d{6}/, 'yyyyMMdd_HHmmss'],
  [/\d{8}_\d{4}/, 'yyyyMMdd_HHmm'],
  [/\d{4}-\d\d-\d\d/, 'yyyy-MM-dd'],
  [/(?<!\d)20\d{6}(?!\d)/, 'yyyyMMdd'],
  [/\d{3,}/, null],
];

function patternOf(name: string): Pick<SampleFile, 'pattern' | 'named'> {
  const [regex, named] = TIMES.find(([one]) => one.test(basename(name))) ?? [];
  if (regex === undefined) return { pattern: name, named: null };
  const short = basename(name).replace(regex, '*');
  return { pattern: `${name.slice(0, name.length - basename(name).length)}${short}`, named: named ?? null };
}

function listNamed(pattern: string): string {
  return basename(pattern)
    .replace(/\.\w+$/, '')
    .replaceAll('*', ' ');
}

async function readSample(path: string, pattern: string, named: string | null): Promise<Collection<SampleFile>> {
  const format = (/\.(csv|json|xlsx)$/i.exec(path)?.[1]?.toLowerCase() ?? 'csv') as SampleFile['format'];
  const name = listNamed(pattern);
  const collection = (
    rows: readonly unknown[],
    more: Pick<SampleFile, 'style' | 'rows'>,
    fields = fieldsSeen(rows),
  ) => ({
    name,
    shown: basename(path),
    fields,
    rows: rows.length,
    place: { pattern, format, named, ...more },
  });
  switch (format) {
    case 'csv': {
      const { bytes, isWhole } = await beginning(path);
      const { style, header, rows } = readCsv(bytes, isWhole);
      const seen = rows.slice(0, BOUNDS.rows);
      const plain = seen.map((row) =>
        Object.fromEntries(header.map((column, at) => [column, plainCell(row[at] ?? '', style)])),
      );
      return collection(
        plain,
        { style, rows: null },
        fieldsSeen(plain).map((one) => asWritten(one, seen, header)),
      );
    }
    case 'xlsx':
      return collection(await firstRows(path), { style: null, rows: null });
    case 'json': {
      const found = rowsIn(await jsonIn(path));
      if (found === null) throw new DraftFault('no list of objects is in it');
      return collection(found.rows.slice(0, BOUNDS.rows), { style: null, rows: found.path });
    }
  }
}

function asWritten(one: Field, rows: readonly (readonly string[])[], header: readonly string[]): Field {
  const at = header.indexOf(one.path[0] ?? '');
  const texts = rows.map((row) => (row[at] ?? '').trim()).filter((text) => text !== '');
  return {
    ...one,
    samples: boundedSamples(texts),
    type: one.type === 'text' && timeStyle(texts) !== null ? 'time' : one.type,
  };
}

async function beginning(path: string): Promise<{ bytes: Uint8Array; isWhole: boolean }> {
  const file = await open(path);
  try {
    const { bytesRead, buffer } = await file.read(Buffer.alloc(BEGINNING_BYTES), 0, BEGINNING_BYTES, 0);
    if (bytesRead === 0) throw new DraftFault('it is empty');
    return { bytes: buffer.subarray(0, bytesRead), isWhole: bytesRead < BEGINNING_BYTES };
  } finally {
    await file.close();
  }
}

async function firstRows(path: string): Promise<unknown[]> {
  const rows: unknown[] = [];
  for await (const { row } of xlsxRows(path, { sheet: undefined, skip: 0 }, WHOLE_BYTES, [])) {
    rows.push(row);
    if (rows.length === BOUNDS.rows) break;
  }
  return rows;
}

async function jsonIn(path: string): Promise<unknown> {
  return parsedJson(await wholeText(path));
}

/** @throws DraftFault */
export function parsedJson(text: string): unknown {
  try {
    return withTexts(parseJson(text));
  } catch {
    throw new DraftFault('it is no whole JSON');
  }
}

/** @throws DraftFault */
export async function wholeText(path: string): Promise<string> {
  const { size } = await stat(path);
  if (size > WHOLE_BYTES) throw new DraftFault(`it has ${size} bytes, and at most ${WHOLE_BYTES} are read`);
  if (size === 0) throw new DraftFault('it is empty');
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(await readFile(path));
  } catch {
    throw new DraftFault('it is no text in UTF-8');
  }
}
