import type { WireFile } from '../../marketplace/operations/wire.ts';

/** Name and value of each part of a multipart body, in the order they came. */
export type Form = readonly (readonly [name: string, value: string | WireFile])[];

export function isForm(contentType: string | undefined): boolean {
  return /^multipart\/form-data\b/i.test(contentType ?? '');
}

/** null when the bytes are no multipart body. The caller bounds their number. */
export async function readForm(contentType: string, bytes: Buffer): Promise<Form | null> {
  const body = new Response(Uint8Array.from(bytes), { headers: { 'content-type': contentType } });
  try {
    // oxlint-disable-next-line typescript/no-deprecated -- It is deprecated for unbounded bodies; these bytes are bounded.
    const form = await body.formData();
    return await Promise.all(
      [...form].map(async ([name, value]) => [name, typeof value === 'string' ? value : await fileOf(value)] as const),
    );
  } catch {
    return null;
  }
}

async function fileOf(file: File): Promise<WireFile> {
  return { name: file.name, contentType: file.type, bytes: new Uint8Array(await file.arrayBuffer()) };
}
