import { crc32, deflateRawSync } from 'node:zlib';

interface Part {
  readonly name: string;
  readonly data: Buffer;
  readonly size: number;
  readonly crc: number;
}

/** A zip file with these parts. @param packed a part that is packed already, with a false size in its header */
export function zipOf(
  parts: Readonly<Record<string, string>>,
  packed?: readonly [name: string, bytes: Buffer],
): Buffer {
  const entries = Object.entries(parts).map(([name, text]): Part => {
    const plain = Buffer.from(text);
    return { name, data: deflateRawSync(plain), size: plain.length, crc: crc32(plain) };
  });
  if (packed !== undefined) entries.push({ name: packed[0], data: packed[1], size: 100_000_000, crc: 0 });
  const chunks: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const { name, data, size, crc } of entries) {
    const fields = Buffer.alloc(26);
    fields.writeUInt16LE(20, 0);
    fields.writeUInt16LE(8, 4);
    fields.writeUInt32LE(crc, 10);
    fields.writeUInt32LE(data.length, 14);
    fields.writeUInt32LE(size, 18);
    fields.writeUInt16LE(name.length, 22);
    const local = Buffer.concat([Buffer.from('PK\x03\x04'), fields, Buffer.from(name), data]);
    const central = Buffer.alloc(14);
    central.writeUInt32LE(offset, 10);
    directory.push(Buffer.concat([Buffer.from('PK\x01\x02\x14\x00'), fields, central, Buffer.from(name)]));
    chunks.push(local);
    offset += local.length;
  }
  const index = Buffer.concat(directory);
  const end = Buffer.alloc(18);
  end.writeUInt16LE(entries.length, 4);
  end.writeUInt16LE(entries.length, 6);
  end.writeUInt32LE(index.length, 8);
  end.writeUInt32LE(offset, 12);
  return Buffer.concat([...chunks, index, Buffer.from('PK\x05\x06'), end]);
}
