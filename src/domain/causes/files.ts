import { counted } from '../counted.ts';
import { erp, on, operator } from './entry.ts';

const AGAIN = 'Let the ERP write the file again; it is looked at by itself. Until then, the last good file counts.';
const FILE = { file: 'stock-20261122.csv', list: 'stock' };

/** Faults of exchange files. A faulty file changes nothing. */
export const FILE_CODES = on('files', {
  'erp-file-none': erp(
    ({ list, files }) => `No file of ${list} has come yet: nothing is called ${files}`,
    'Let the ERP write it, or correct "files" of this list.',
    { list: 'stock', files: 'stock-*.csv' },
  ),
  'erp-file-overdue': erp(
    ({ list, since, within }) => `No new file of ${list} has come since ${since}; one is expected every ${within}`,
    "Look at the ERP's export. The last good file counts until a new one comes.",
    { list: 'stock', since: '2026-11-22T02:00:00Z', within: '26h' },
  ),
  'erp-file-empty': erp(
    ({ file, list }) => `The file ${file} of ${list} has no rows, so it changes nothing`,
    AGAIN,
    FILE,
  ),
  'erp-file-short': erp(
    ({ file, list, rows, before }) =>
      `The file ${file} of ${list} has ${counted(rows, 'row')}, and the one before had ${before}, so it changes nothing`,
    ({ file }) => `${AGAIN} If it is right, put an empty file named ${file}.accept beside it.`,
    { ...FILE, rows: 400, before: 1_000 },
  ),
  'erp-file-count': erp(
    ({ file, list, rows, told }) =>
      `The file ${file} of ${list} has ${counted(rows, 'row')}, and its last line tells of ${told}, so it changes nothing`,
    AGAIN,
    { ...FILE, rows: 400, told: '1000' },
  ),
  'erp-file-truncated': erp(
    ({ file, list }) => `The file ${file} of ${list} ends in the middle of a line, so it changes nothing`,
    `${AGAIN} Where the ERP never ends its last line, set open_end: true.`,
    FILE,
  ),
  'erp-file-doubled': erp(
    ({ file, list, rows }) =>
      `The file ${file} of ${list} has ${counted(rows, 'row')} more than once, so it changes nothing`,
    AGAIN,
    { ...FILE, rows: 1_000 },
  ),
  'erp-file-again': erp(
    ({ file, list, first }) => `The file ${file} of ${list} is ${first} once more, so it changes nothing`,
    'Look at the export: it sent the same file twice. Where nothing had changed, let the name or a column tell the time, and set "time".',
    { ...FILE, first: 'stock-20261121.csv' },
  ),
  'erp-file-older': erp(
    ({ file, list, time, known }) =>
      `The file ${file} of ${list} is of ${time}, and one of ${known} has been taken, so it changes nothing`,
    'Remove it. If it is the right one, let the ERP write it again with its present time.',
    { ...FILE, time: '2026-11-20T02:00:00Z', known: '2026-11-22T02:00:00Z' },
  ),
  'erp-file-timeless': operator(
    ({ file, list }) => `The time of the file ${file} of ${list} cannot be read, so it changes nothing`,
    'Correct "time" of this list, or the file.',
    FILE,
  ),
  'erp-file-ahead': erp(
    ({ file, list, time }) =>
      `The file ${file} of ${list} is of ${time}, which has not come yet, so it changes nothing`,
    "Correct the ERP's clock, or zone and time of this list; then let the ERP write it again.",
    { ...FILE, time: '2036-11-22T02:00:00Z' },
  ),
  'erp-file-encoding': operator(
    ({ file, list, encoding, problem }) =>
      `The file ${file} of ${list} is not in ${encoding} (${problem}), so it changes nothing`,
    'Set "encoding" of this list to that of the file, or let the ERP write it so.',
    { ...FILE, encoding: 'utf-8', problem: 'some bytes are none of its characters' },
  ),
  'erp-file-columns': operator(
    ({ file, list, missing, shown }) =>
      `The file ${file} of ${list} lacks ${missing.join(', ')}, so it changes nothing; it has ${shown.join(', ')}`,
    'Correct separator, header or row of this list, or the file.',
    { ...FILE, missing: ['Bestand'], shown: ['Artikel', 'Menge'] },
  ),
  'erp-file-unreadable': erp(
    ({ file, list, problem }) => `The file ${file} of ${list} cannot be read, so it changes nothing: ${problem}`,
    `${AGAIN} Check format, separator and quote of this list as well.`,
    { ...FILE, problem: 'line 17: a quotation mark is not closed' },
  ),
  'erp-file-invalid-rows': erp(
    ({ file, list, invalidRows, rows, first }) =>
      `${invalidRows} of ${counted(rows, 'row')} of the file ${file} of ${list} cannot be read, so it changes nothing; ${first}`,
    'Correct row, separator, decimal or thousands of this list, or the file.',
    { ...FILE, invalidRows: 900, rows: 1_000, first: 'line 2: on_hand: expected a decimal like "12.5000"' },
  ),
  'erp-file-large': operator(
    ({ file, list, problem }) => `The file ${file} of ${list} is too large, so it changes nothing: ${problem}`,
    'Let the ERP write a smaller file, or raise max_size.',
    { ...FILE, problem: '80000000 bytes, and 64000000 are taken' },
  ),
  'erp-file-odd': operator(
    ({ file, list, problem }) => `${JSON.stringify(file)} of ${list} is not opened: ${problem}`,
    'Remove it, or put a plain file in its place.',
    { ...FILE, problem: 'it is a link' },
  ),
  'erp-file-kept': operator(
    ({ file, list, problem }) => `The file ${file} of ${list} was taken and cannot be moved to the archive: ${problem}`,
    'Let this program move files there. The file is not taken twice.',
    { ...FILE, problem: 'permission denied' },
  ),
  'erp-order-refused': erp(
    ({ order, problem }) => `The ERP did not take the file of order ${order}: ${problem}`,
    'Mend what it complains of, and let the ERP take the file again, or cancel the order.',
    { order: '1001', problem: 'unknown customer' },
  ),
  'erp-orders-unacknowledged': erp(
    ({ count, first, within }) =>
      `The ERP has not acknowledged ${counted(count, 'order')} within ${within}, first ${first}`,
    "Look at the ERP's import of orders. Their stock is kept back here until it acknowledges them.",
    { count: 2, first: '1001', within: '4h' },
  ),
});
