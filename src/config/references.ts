import { closeSync, constants, openSync, readSync } from 'node:fs';
import { resolve } from 'node:path';

/** Where `${env:NAME}` and `${file:PATH}` are resolved. */
export interface Surroundings {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly folder: string;
}

export interface Reference {
  /** The reference as written: `${env:TOKEN}`. */
  readonly written: string;
  readonly index: number;
  readonly found: { readonly value: string } | { readonly error: string };
}

/**
 * `{ key: ${env:KEY} }` is not YAML, because a brace ends the value. So a reference's special characters are replaced
 * by private ones of the same length until YAML is parsed, which keeps every position.
 */
export function shieldReferences(source: string): string {
  return source.replaceAll(/\$\{[^{}\n]*\}/g, (written) =>
    written.replaceAll(/[{}[\],#& *!|>@`]/g, (char) => String.fromCharCode(SHIELD + char.charCodeAt(0))),
  );
}

export function unshieldReferences(text: string): string {
  return text.replaceAll(/[\uE000-\uE07F]/g, (char) => String.fromCharCode(char.charCodeAt(0) - SHIELD));
}

const SHIELD = 0xe000;

/** Is the value, or a part of an address, `$NAME` or `$(NAME)`? Shell variables mean nothing here. */
export function isShellVariable(text: string): boolean {
  return /^\$\(?[A-Z][A-Z0-9_]*\)?$/.test(text) || /^\w+:\/\/\S*\$\(?[A-Z]/.test(text);
}

const REFERENCE = /\$\{(?:(env|file):([^}]*)\}|[^}]*\}?)/g;
const ENV_NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;

/** Resolves every reference in the text. Errors name the variable or file, never a value. */
export function findReferences(text: string, around: Surroundings): Reference[] {
  return Array.from(text.matchAll(REFERENCE), ({ 0: written, 1: kind, 2: name = '', index }) => ({
    written,
    index,
    found: kind === 'env' ? fromEnv(name, around) : kind === 'file' ? fromFile(name, around) : UNKNOWN_FORM,
  }));
}

const UNKNOWN_FORM = { error: 'expected ${env:NAME} or ${file:PATH} after "${"' };

function fromEnv(name: string, { env }: Surroundings): Reference['found'] {
  if (!ENV_NAME.test(name)) return { error: 'expected the name of an environment variable: ${env:NAME}' };
  const value = Object.hasOwn(env, name) ? env[name] : undefined;
  return value === undefined ? { error: `the environment variable ${name} is not set` } : { value };
}

const SECRET_BYTES_MAX = 64 * 1024;

function fromFile(path: string, { folder }: Surroundings): Reference['found'] {
  if (path === '') return { error: 'expected the path of a file: ${file:PATH}' };
  const content = readText(resolve(folder, path), SECRET_BYTES_MAX);
  return 'error' in content
    ? { error: `the file ${path} ${content.error}` }
    : { value: content.text.replace(/[\r\n]+$/, '') };
}

const READ_ERRORS: Record<string, string> = {
  ENOENT: 'does not exist',
  ENOTDIR: 'does not exist',
  EACCES: 'may not be read by this user',
  EISDIR: 'is a folder',
  EAGAIN: 'is a pipe, and nothing comes out of it',
};

export const FILE_BYTES_MAX = 1024 * 1024;

/** A text file, or its problem. At most `bytesMax` are read. */
export function readText(path: string, bytesMax: number): { text: string } | { error: string } {
  try {
    const bytes = readAtMost(path, bytesMax + 1);
    if (bytes.length > bytesMax) return { error: `is larger than ${bytesMax / 1024} KiB` };
    return { text: new TextDecoder('utf-8', { fatal: true }).decode(bytes) };
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? '';
    if (code === 'ERR_ENCODING_INVALID_ENCODED_DATA') return { error: 'is not UTF-8 text' };
    return { error: READ_ERRORS[code] ?? `cannot be read (${code})` };
  }
}

/** The longest wait for a pipe, which blocks the whole program. */
const PIPE_LIMIT_MS = 2_000;
const PIPE_LOOK_MS = 20;

/**
 * Reads without asking for the size, which pipes and files in /proc do not have. Opens a pipe without waiting for a
 * writer.
 */
function readAtMost(path: string, bytesMax: number): Buffer {
  const file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const buffer = Buffer.alloc(bytesMax);
    const endMs = performance.now() + PIPE_LIMIT_MS;
    let length = 0;
    while (length < bytesMax) {
      const read = readNow(file, buffer, length);
      if (read === 0) break;
      if (read !== null) length += read;
      else if (performance.now() < endMs) Atomics.wait(PAUSE, 0, 0, PIPE_LOOK_MS);
      else throw Object.assign(new Error('nothing came'), { code: 'EAGAIN' });
    }
    return buffer.subarray(0, length);
  } finally {
    closeSync(file);
  }
}

const PAUSE = new Int32Array(new SharedArrayBuffer(4));

/** null: a pipe whose writer has not written yet. */
function readNow(file: number, buffer: Buffer, at: number): number | null {
  try {
    return readSync(file, buffer, at, buffer.length - at, null);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EAGAIN') return null;
    throw error;
  }
}
