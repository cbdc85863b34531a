import { createReadStream } from 'node:fs';
import { fault } from './fault.ts';

/** The supported encodings, by their WHATWG names. */
export const ENCODINGS = [
  'utf-8',
  'utf-16le',
  'utf-16be',
  'windows-1250',
  'windows-1251',
  'windows-1252',
  'latin1',
  'iso-8859-2',
  'iso-8859-15',
  'macintosh',
  'ibm866',
  'shift_jis',
  'gb18030',
  'big5',
  'euc-kr',
] as const;
export type Encoding = (typeof ENCODINGS)[number];

/**
 * Streams the text without its byte order mark.
 * @throws FileFault `erp-file-encoding` for another encoding, `erp-file-truncated` for an unfinished last line
 */
export async function* textOf(
  path: string,
  { encoding, openEnd }: { readonly encoding: Encoding; readonly openEnd: boolean },
): AsyncGenerator<string> {
  const decoder = new TextDecoder(encoding, { fatal: true });
  const other = encoding.startsWith('utf-') ? null : suspectUtf8();
  let last = '';
  for await (const bytes of createReadStream(path) as AsyncIterable<Buffer>) {
    other?.see(bytes);
    const text = decoded(decoder, bytes, encoding, true);
    last = text.at(-1) ?? last;
    yield text;
  }
  const rest = decoded(decoder, new Uint8Array(), encoding, false);
  if (other?.isUtf8() === true) throw fault('erp-file-encoding', { encoding, problem: 'it is in utf-8' });
  if (rest !== '') yield rest;
  if (!openEnd && !'\r\n'.includes(rest.at(-1) ?? last)) throw fault('erp-file-truncated', {});
}

function decoded(decoder: TextDecoder, bytes: Uint8Array, encoding: Encoding, stream: boolean): string {
  let text: string;
  try {
    text = decoder.decode(bytes, { stream });
  } catch {
    throw fault('erp-file-encoding', { encoding, problem: 'some bytes are no characters of it' });
  }
  if (text.includes('\0'))
    throw fault('erp-file-encoding', { encoding, problem: 'it holds characters that are no text' });
  return text;
}

/** Detects UTF-8 in a file declared otherwise: any bytes fit a single-byte encoding, few fit UTF-8 by chance. */
function suspectUtf8() {
  let decoder: TextDecoder | null = new TextDecoder('utf-8', { fatal: true });
  let beyondAscii = false;
  return {
    see(bytes: Uint8Array): void {
      try {
        decoder?.decode(bytes, { stream: true });
      } catch {
        decoder = null;
      }
      beyondAscii ||= bytes.some((byte) => byte > 127);
    },
    isUtf8(): boolean {
      return decoder !== null && beyondAscii;
    },
  };
}
