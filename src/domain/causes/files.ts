import { counted } from '../counted.ts';
import { entriesOn, erp, operator } from './entry.ts';

const AGAIN =
  'Let the ERP write the file again: the new file is read automatically. Until then, the last good file is used.';
const FILE = { file: 'stock-20261122.csv', list: 'stock' };

/** Faults of exchange files. A faulty file changes nothing. */
export const FILE_CODES = entriesOn('files', {
  'erp-file-none': erp(
    ({ list, files }) => `No file of ${list} has arrived yet: no file name matches ${files}`,
    'Let the ERP write the file, or correct "files" of this list.',
    { list: 'stock', files: 'stock-*.csv' },
  ),
  'erp-file-overdue': erp(
    ({ list, since, within }) => `No new file of ${list} has arrived since ${since}; one is expected every ${within}`,
    "Check the ERP's export. The last good file is used until a new one arrives.",
    { list: 'stock', since: '2026-11-22T02:00:00Z', within: '26h' },
  ),
  'erp-file-empty': erp(({ file, list }) => `The file ${file} of ${list} has no rows and is ignored`, AGAIN, FILE),
  'erp-file-short': erp(
    ({ file, list, rows, before }) =>
      `The file ${file} of ${list} has ${counted(rows, 'row')}. The previous one had ${before}, so this one is ignored`,
    ({ file }) => `${AGAIN} If the file is correct, put an empty file named ${file}.accept into the same folder.`,
    { ...FILE, rows: 400, before: 1_000 },
  ),
  'erp-file-count': erp(
    ({ file, list, rows, told }) =>
      `The file ${file} of ${list} has ${counted(rows, 'row')}, but its last line states ${told}. The file is ignored`,
    AGAIN,
    { ...FILE, rows: 400, told: '1000' },
  ),
  'erp-file-truncated': erp(
    ({ file, list }) => `The file ${file} of ${list} ends in the middle of a line and is ignored`,
    `${AGAIN} If the ERP never ends the last line with a line break, set open_end: true.`,
    FILE,
  ),
  'erp-file-doubled': erp(
    ({ file, list, rows }) =>
      `The file ${file} of ${list} contains ${counted(rows, 'row')} more than once and is ignored`,
    AGAIN,
    { ...FILE, rows: 1_000 },
  ),
  'erp-file-again': erp(
    ({ file, list, first }) => `The file ${file} of ${list} has the same content as ${first} and is ignored`,
    'Check the export of the ERP: it wrote the same file twice. If nothing had changed in the ERP, add the time to the file name or to a column, and set "time".',
    { ...FILE, first: 'stock-20261121.csv' },
  ),
  'erp-file-older': erp(
    ({ file, list, time, known }) =>
      `The file ${file} of ${list} has the time ${time}. A newer file of ${known} was already read, so this one is ignored`,
    'Remove the file. If its content is correct, let the ERP write it again with the current time.',
    { ...FILE, time: '2026-11-20T02:00:00Z', known: '2026-11-22T02:00:00Z' },
  ),
  'erp-file-timeless': operator(
    ({ file, list }) => `The file ${file} of ${list} is ignored, because its time cannot be read`,
    'Correct "time" of this list, or the file.',
    FILE,
  ),
  'erp-file-ahead': erp(
    ({ file, list, time }) =>
      `The file ${file} of ${list} has the time ${time}, which is in the future, and is ignored`,
    'Correct the clock of the ERP, or "zone" and "time" of this list. Then let the ERP write the file again.',
    { ...FILE, time: '2036-11-22T02:00:00Z' },
  ),
  'erp-file-encoding': operator(
    ({ file, list, encoding, problem }) =>
      `The file ${file} of ${list} is not encoded in ${encoding} (${problem}) and is ignored`,
    'Set "encoding" of this list to the encoding of the file, or change the export of the ERP.',
    { ...FILE, encoding: 'utf-8', problem: 'some bytes are no characters of it' },
  ),
  'erp-file-columns': operator(
    ({ file, list, missing, shown }) =>
      `The file ${file} of ${list} is ignored, because it has no column ${missing.join(', ')}. Its columns are ${shown.join(', ')}`,
    'Correct "separator", "header" or "row" of this list, or the file.',
    { ...FILE, missing: ['Bestand'], shown: ['Artikel', 'Menge'] },
  ),
  'erp-file-unreadable': erp(
    ({ file, list, problem }) => `The file ${file} of ${list} cannot be read and is ignored: ${problem}`,
    `${AGAIN} Also check "format", "separator" and "quote" of this list.`,
    { ...FILE, problem: 'line 17: a quotation mark is not closed' },
  ),
  'erp-file-invalid-rows': erp(
    ({ file, list, invalidRows, rows, first }) =>
      `The file ${file} of ${list} is ignored, because ${invalidRows} of its ${counted(rows, 'row')} cannot be read. The first is ${first}`,
    'Correct "row", "separator", "decimal" or "thousands" of this list, or the file.',
    { ...FILE, invalidRows: 900, rows: 1_000, first: 'line 2: on_hand: expected a decimal like "12.5000"' },
  ),
  'erp-file-large': operator(
    ({ file, list, problem }) => `The file ${file} of ${list} is too large and is ignored: ${problem}`,
    'Let the ERP write a smaller file, or increase max_size.',
    { ...FILE, problem: '80000000 bytes, and 64000000 are allowed' },
  ),
  'erp-file-odd': operator(
    ({ file, list, problem }) => `${JSON.stringify(file)} of ${list} is not opened: ${problem}`,
    'Remove it, or replace it with a regular file.',
    { ...FILE, problem: 'it is a link' },
  ),
  'erp-file-kept': operator(
    ({ file, list, problem }) => `The file ${file} of ${list} was read, but cannot be moved to the archive: ${problem}`,
    'Let this program move files there. The file is not taken twice.',
    { ...FILE, problem: 'permission denied' },
  ),
  'erp-order-refused': erp(
    ({ order, problem }) => `The ERP rejected the file of order ${order}: ${problem}`,
    'Fix what the ERP reports, and let it import the file again. Or cancel the order.',
    { order: '1001', problem: 'unknown customer' },
  ),
  'erp-orders-unacknowledged': erp(
    ({ count, first, within }) =>
      `The ERP has not acknowledged ${counted(count, 'order')} within ${within}, first ${first}`,
    "Check the ERP's import of orders. Until it acknowledges them, their stock is not offered to buyers.",
    { count: 2, first: '1001', within: '4h' },
  ),
});
