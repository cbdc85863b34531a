import { createHash } from 'node:crypto';
import type { ShapeIssue } from '../http/issues.ts';
import { decimalText } from '../http/json.ts';
import { wireFile } from './operations/wire.ts';

export interface Payload {
  readonly contentType: string;
  readonly body: string | Uint8Array;
}

/** The most bytes of one request, because files are held in memory. The marketplace has its own limit. */
export const MAX_UPLOAD_BYTES = 32 * 1024 * 1024;

interface Part {
  /** The header lines, each with its line break. */
  readonly head: string;
  readonly content: Uint8Array;
}

/**
 * multipart/form-data (RFC 7578): a file as a part with name and type, an array as a part per entry, a decimal as its
 * digits, an object as JSON. Equal bodies give equal bytes.
 */
export function writeMultipart(fields: Readonly<Record<string, unknown>>): Payload | { readonly issue: ShapeIssue } {
  const parts: Part[] = [];
  for (const [name, value] of Object.entries(fields)) {
    const entries: unknown[] = Array.isArray(value) ? value : [value];
    for (const [index, entry] of entries.entries()) {
      if (entry === undefined) continue;
      const part = partOf(name, entry);
      const path = Array.isArray(value) ? `body.${name}[${index}]` : `body.${name}`;
      if (typeof part === 'string') return { issue: { path, message: part } };
      parts.push(part);
    }
  }
  const size = parts.reduce((sum, { content }) => sum + content.length, 0);
  if (size > MAX_UPLOAD_BYTES) {
    return {
      issue: { path: 'body', message: `${size} bytes are more than the ${MAX_UPLOAD_BYTES} that are sent at once` },
    };
  }
  const boundary = boundaryFor(parts);
  const chunks = parts.flatMap(({ head, content }) => [
    Buffer.from(`--${boundary}\r\n${head}\r\n`),
    content,
    Buffer.from('\r\n'),
  ]);
  const body = Buffer.concat([...chunks, Buffer.from(`--${boundary}--\r\n`)]);
  return { contentType: `multipart/form-data; boundary=${boundary}`, body };
}

/** Returns the part, or what is wrong with its value. */
function partOf(name: string, value: unknown): Part | string {
  const disposition = `Content-Disposition: form-data; name="${quoted(name)}"`;
  const file = wireFile.safeParse(value).data;
  if (file === undefined) {
    const text = value === null ? '' : (decimalText(value) ?? JSON.stringify(value));
    return { head: `${disposition}\r\n`, content: Buffer.from(text) };
  }
  const { contentType, bytes } = file;
  if (!/^[\w!#$&^.+-]+\/[\w!#$&^.+-]+$/.test(contentType))
    return `"${contentType}" is no content type such as image/png`;
  return {
    head: `${disposition}; filename="${quoted(file.name)}"\r\nContent-Type: ${contentType}\r\n`,
    content: bytes,
  };
}

/** Escapes the characters that would end the quoted text or its line, as browsers do. */
function quoted(name: string): string {
  return name.replaceAll('"', '%22').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

/** A hash of the parts: equal bodies have equal boundaries, and no part can contain its own. */
function boundaryFor(parts: readonly Part[]): string {
  const hash = createHash('sha256');
  for (const { head, content } of parts) hash.update(`${head}${content.length}\r\n`).update(content);
  return `stockbridge-${hash.digest('hex').slice(0, 40)}`;
}
