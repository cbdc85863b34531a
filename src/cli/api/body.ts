import { open, readFile } from 'node:fs/promises';
import { basename, extname } from 'node:path';
import { didYouMean } from '../../config/suggest.ts';
import { errorCode } from '../../domain/error-code.ts';
import { parseJson } from '../../http/json.ts';
import type { Operation } from '../../marketplace/operations/operation.ts';
import type { WireFile } from '../../marketplace/operations/wire.ts';
import { fileFields, MAX_BODY_BYTES } from '../../use/api/schema.ts';
import { UsageError } from '../../use/faults.ts';

/**
 * The JSON body from a file, or from standard input for "-", with exact numbers. Multipart files are given as
 * `field=path`. undefined: neither is given.
 * @throws UsageError for a file that is unreadable, too large or not part of the operation
 */
export async function readBody(
  operation: Operation,
  from: string | undefined,
  files: readonly string[],
): Promise<unknown> {
  const json = from === undefined ? undefined : await readJson(from);
  if (files.length === 0) return json;
  const fields = fileFields(operation);
  if (fields.size === 0) throw new UsageError(`${operation.id} takes no files: leave --file out`);
  if (json !== undefined && (typeof json !== 'object' || json === null || Array.isArray(json))) {
    throw new UsageError(`${from === '-' ? 'the body on standard input' : from}: with --file, expected a JSON object`);
  }
  return { ...json, ...(await readFiles(operation, fields, files)) };
}

async function readFiles(
  { id }: Operation,
  fields: ReturnType<typeof fileFields>,
  files: readonly string[],
): Promise<Record<string, WireFile | WireFile[]>> {
  const read: Record<string, WireFile | WireFile[]> = {};
  for (const file of files) {
    const at = file.indexOf('=');
    if (at < 0) throw new UsageError(`--file ${file}: expected field=path, such as ${[...fields.keys()][0]}=photo.png`);
    const [field, path] = [file.slice(0, at), file.slice(at + 1)];
    const takes = fields.get(field);
    if (takes === undefined) {
      const names = [...fields.keys()];
      const hint = didYouMean(field, names) || '.';
      throw new UsageError(`${id} has no file "${field}"${hint} Its files are ${names.join(', ')}.`);
    }
    const before = read[field];
    if (takes === 'one' && before !== undefined)
      throw new UsageError(`--file ${field} is given twice, and takes one file`);
    const opened = await readUpload(path);
    read[field] = takes === 'one' ? opened : [...(Array.isArray(before) ? before : []), opened];
  }
  return read;
}

const CONTENT_TYPES: Readonly<Record<string, string>> = {
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.jpeg': 'image/jpeg',
  '.gif': 'image/gif',
  '.webp': 'image/webp',
  '.pdf': 'application/pdf',
};

async function readUpload(path: string): Promise<WireFile> {
  const bytes = await readBounded(path, path);
  return {
    name: basename(path),
    contentType: CONTENT_TYPES[extname(path).toLowerCase()] ?? 'application/octet-stream',
    bytes,
  };
}

async function readJson(from: string): Promise<unknown> {
  const name = from === '-' ? 'the body on standard input' : from;
  const bytes = from === '-' ? await readStdin(name) : await readBounded(from, name);
  try {
    return parseJson(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch (cause) {
    throw new UsageError(`${name} is not JSON: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
  }
}

/** Checks the size before it reads. */
async function readBounded(path: string, name: string): Promise<Buffer> {
  try {
    const file = await open(path);
    try {
      const { size } = await file.stat();
      if (size > MAX_BODY_BYTES) throw new UsageError(tooLarge(name));
      return await readFile(file);
    } finally {
      await file.close();
    }
  } catch (cause) {
    if (cause instanceof UsageError) throw cause;
    throw new UsageError(`${name} cannot be read: ${reasonOf(cause)}`, { cause });
  }
}

async function readStdin(name: string): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of process.stdin as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > MAX_BODY_BYTES) throw new UsageError(tooLarge(name));
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

const tooLarge = (name: string) =>
  `${name} is larger than the ${MAX_BODY_BYTES / 1024 / 1024} MB that are sent at once`;

function reasonOf(cause: unknown): string {
  const code = errorCode(cause);
  if (code === 'ENOENT') return 'there is no such file';
  if (code === 'EISDIR') return 'it is a folder';
  if (code === 'EACCES') return 'this user may not read it';
  return cause instanceof Error ? cause.message : String(cause);
}
