import { z } from 'zod';
import { patternProblem } from '../../expressions/date-pattern.ts';
import { expressionProblem } from '../../expressions/expression.ts';
import { ruleProblems } from '../../expressions/rule.ts';
import { doc, duration, flag, secret, text, wholeNumber } from '../../settings/scalars.ts';
import { ERP_LISTS } from '../connector.ts';
import { commonKeys } from '../kind.ts';
import { isZone } from '../rows/times.ts';
import { ENCODINGS } from './decode.ts';
import { globProblem } from './glob.ts';

const pattern = () => text(100).superRefine((value, context) => tell(context, patternProblem(value), value));

const zone = () => text(100).refine(isZone, 'expected a time zone, such as Europe/Berlin or UTC');

const files = () => text(200).superRefine((value, context) => tell(context, globProblem(value), value));

const rule = z.json().superRefine((value, context) => {
  for (const { path, message } of ruleProblems(value, [])) {
    context.addIssue({ code: 'custom', input: value, path: [...path], message });
  }
});

function tell(context: z.RefinementCtx, problem: string | null, input: unknown): void {
  if (problem !== null) context.addIssue({ code: 'custom', input, message: problem });
}

/** The text style, for files read and written. */
const style = {
  format: doc(
    z.enum(['csv', 'json', 'xlsx']),
    'The format of the files; by the ending of their name when left out.',
  ).optional(),
  encoding: doc(z.enum(ENCODINGS).prefault('utf-8'), 'The encoding. A byte order mark may stand in front.'),
  separator: doc(z.string().length(1).prefault(';'), 'Between the cells of a CSV file; "\\t" is a tab.'),
  quote: doc(z.union([z.string().length(1), z.null()]).prefault('"'), 'Around cells of a CSV file; null for none.'),
  decimal: doc(z.enum(['.', ',']).prefault('.'), 'The mark before the decimals of a number.'),
};

const timeKeys = z.strictObject({
  from: doc(
    z.enum(['mtime', 'name', 'column']).prefault('mtime'),
    'Where the time of a file is stated: when it was changed, in its name, or in a column of every row.',
  ),
  pattern: doc(pattern(), 'How a time is written in the name: yyyyMMdd-HHmm.').optional(),
  column: doc(text(100), 'The column that tells it.').optional(),
  export_takes: doc(
    duration('0s'),
    'How long the ERP takes to write such a file: its figures may be so much older. 10m with mtime, else 0s.',
  ).optional(),
});

const listSection = z
  .strictObject({
    files: doc(files(), 'Their names, with * and ?, below a folder of the exchange: "out/stock-*.csv".'),
    kind: doc(
      z.enum(['snapshot', 'delta']).prefault('snapshot'),
      'snapshot: a file has every row, so a row that it lacks is gone. delta: it has what changed.',
    ),
    ...style,
    thousands: doc(z.enum(['', '.', ',', ' ', "'"]).prefault(''), 'The mark between thousands.'),
    header: doc(
      z.array(text(200)).min(1).max(1_000),
      'The names of the columns, where the file has no line of names.',
    ).optional(),
    skip: doc(wholeNumber(0, 1_000).prefault(0), 'Lines in front of the line of names, such as a title.'),
    trailer: doc(
      z.strictObject({
        marks: doc(text(50), 'The first cell of the last line.'),
        column: doc(wholeNumber(1, 1_000).prefault(2), 'The cell that tells the number of rows, from 1.'),
      }),
      'The last line of a CSV file, which tells how many rows there are.',
    ).optional(),
    rows: doc(text(100).prefault('items'), 'The field of a JSON file that holds the rows; a list holds them itself.'),
    count: doc(text(100), 'The field of a JSON file that tells how many rows there are.').optional(),
    sheet: doc(text(100), 'The sheet of an XLSX file; the first one when left out.').optional(),
    open_end: doc(flag().prefault(false), 'The last line of a good file may lack its end.'),
    done: doc(
      flag().prefault(false),
      'A file is finished once a file of the same name with .done at its end is there.',
    ),
    every: doc(duration('1s'), 'The longest time from one file to the next. A longer wait is reported.').optional(),
    time: doc(timeKeys.prefault({}), 'The time as of which the rows of a file are so.'),
    zone: doc(zone(), 'The time zone of times that name none; that of the section when left out.').optional(),
    dates: doc(pattern(), 'How times are written in cells, beside ISO 8601: dd.MM.yyyy HH:mm.').optional(),
    numbers: doc(
      z.array(text(200)).max(200).prefault([]),
      'Columns with numbers that expressions use: they are made plain decimals before.',
    ),
    where: doc(
      z.string().superRefine((value, context) => tell(context, expressionProblem(value), value)),
      'A JSONata expression over the row: what it does not hold for is left out, such as a line of sums.',
    ).optional(),
    row: doc(
      z.record(z.string(), rule),
      'The fields of a row of the ERP HTTP contract. A text is the name of a column, or a JSONata expression over the row.',
    ),
  })
  .superRefine((value, context) => {
    const { from, pattern: written, column } = value.time;
    const lacks = (path: (string | number)[], message: string) =>
      context.addIssue({ code: 'custom', input: value, path, message });
    if (from === 'name' && written === undefined) lacks(['time', 'pattern'], 'is needed with from: name');
    if (from === 'column' && column === undefined) lacks(['time', 'column'], 'is needed with from: column');
    if (value.decimal === value.thousands) lacks(['thousands'], 'must not be the same as decimal');
    if (formatOf(value) === null) lacks(['format'], 'is needed: the name ends in none of .csv, .json and .xlsx');
  });

export type ListFile = z.output<typeof listSection>;

/** The contract's lists. Each may have a second kind of file with changes only. */
const KEYS = ERP_LISTS.flatMap((name) => [name, `${name}_changes`] as const);

const ordersOut = z.strictObject({
  files: doc(
    text(200)
      .prefault('orders/order-{reference}.json')
      .refine((name) => name.includes('{reference}'), 'needs {reference}: a file is one order')
      .refine((name) => globProblem(name.replace('{reference}', 'x')) === null, 'must lie below the folder'),
    'The name of the file of an order. {revision} is the count of its changes.',
  ),
  ...style,
  format: doc(z.enum(['csv', 'json']), 'The format; by the ending of the name when left out.').optional(),
  changes: doc(
    z.enum(['revision', 'replace', 'until-taken', 'no']).prefault('revision'),
    'revision: a change and a cancellation are a further file with {revision} in its name. replace: the same file again. until-taken: the same, as long as the ERP has not taken the file. no: an order is not changed, and not cancelled.',
  ),
  row: doc(
    z.record(z.string(), rule),
    'The cells of a line of a CSV file, or the fields of a JSON file, each an expression over the order; "line" is the line. Left out: the order as the contract has it.',
  ).optional(),
  formulas: doc(
    z.enum(['defused', 'kept']).prefault('defused'),
    "A text of a CSV cell that a spreadsheet would run (it begins with =, +, -, @, a tab or a line end): with ' in front, or kept as it is. Numbers stay numbers.",
  ),
  acknowledged_within: doc(
    duration('1s').prefault('4h'),
    'An order that is not acknowledged within this time is reported.',
  ),
});

export type OrdersOutFile = z.output<typeof ordersOut>;

const sftp = z
  .strictObject({
    host: doc(text(255), 'The name of the server.'),
    port: doc(wholeNumber(1, 65_535).prefault(22), 'Its port.'),
    user: doc(text(100), 'The user there.'),
    password: doc(secret(), 'The password. Either this or key is needed.').optional(),
    key: doc(secret(), 'The private key: ${file:...}.').optional(),
    passphrase: doc(secret(), 'The passphrase of the key.').optional(),
    host_key: doc(
      z
        .string()
        .regex(/^SHA256:[A-Za-z0-9+/]{43}=?$/, 'expected SHA256:... as "ssh-keyscan HOST | ssh-keygen -lf -" shows it'),
      'The fingerprint of the key of the server. No other server is talked to.',
    ),
    dir: doc(text(500).prefault('.'), 'The folder there.'),
  })
  .superRefine((value, context) => {
    if ((value.password === undefined) !== (value.key === undefined)) return;
    context.addIssue({ code: 'custom', input: value, path: ['password'], message: 'either password or key is needed' });
  });

export const filesSection = z
  .strictObject({
    type: doc(z.literal('files'), 'The ERP writes files, and reads files.'),
    dir: doc(
      text(500),
      'The folder of this machine in which files are exchanged. Either this or sftp is needed.',
    ).optional(),
    sftp: doc(sftp, 'A folder behind SFTP.').optional(),
    mode: doc(
      text(5).regex(/^0?[0-7]{3}$/, 'expected rights such as "0640", in quotes'),
      'The rights of the files that are written for the ERP, whatever the umask of the daemon: "0640". Whoever may read them may enter their folders.',
    ).optional(),
    group: doc(
      text(60).regex(/^[a-z0-9_][a-z0-9_.-]*$/i, 'expected the name of a group, or its number'),
      'The group of these files, by its name or number. Only with dir; the user of the daemon has to be in it.',
    ).optional(),
    archive: doc(
      text(200).prefault('archive'),
      'The folder of the exchange into which files are moved once they are taken. The lists that were read from the ERP can be rebuilt from it.',
    ),
    zone: doc(zone().prefault('UTC'), 'The time zone of times that name none.'),
    stable_for: doc(
      duration('10ms').prefault('10s'),
      'A file is taken when it stays as it is for so long, where no .done file tells it.',
    ),
    max_size: doc(wholeNumber(1_000, 2_000_000_000).prefault(64_000_000), 'The most bytes of a file.'),
    lists: doc(
      z.partialRecord(z.enum(KEYS), listSection),
      'The files that the ERP writes, by what they list: products and stock, and orders, customers, payments and lots where they come. A second kind of file with what changed since stands beside it: stock_changes, which is always a delta.',
    ),
    orders_out: doc(ordersOut.prefault({}), 'The files of orders that the ERP reads.'),
    acknowledgements: doc(
      listSection,
      'The files in which the ERP tells that it took orders: reference, and number, status, revision, message and lines where it tells them.',
    ).optional(),
    ...commonKeys,
  })
  .superRefine((value, context) => {
    const issue = (path: (string | number)[], message: string) =>
      context.addIssue({ code: 'custom', input: value, path, message });
    if ((value.dir === undefined) === (value.sftp === undefined)) issue(['dir'], 'either dir or sftp is needed');
    if (value.group !== undefined && value.sftp !== undefined)
      issue(['group'], 'goes with dir: the server gives the group of files over SFTP');
    for (const name of ['products', 'stock'] as const) {
      if (value.lists[name]?.kind === 'snapshot') continue;
      issue(['lists', name], 'a snapshot is needed: what changed says nothing of the rest');
    }
    if (value.acknowledgements === undefined && (value.lists.orders ?? value.lists.orders_changes) === undefined) {
      issue(['acknowledgements'], 'is needed, or lists.orders: otherwise nobody knows whether the ERP took an order');
    }
  });

/** All declared kinds of files, each with its list. */
export function declaredFiles({ lists, acknowledgements }: FilesSection) {
  const named = ERP_LISTS.flatMap((list) => [
    { list, file: lists[list] },
    { list, file: lists[`${list}_changes`] && { ...lists[`${list}_changes`], kind: 'delta' as const } },
  ]);
  const all = [{ list: 'acknowledgements' as const, file: acknowledgements }, ...named];
  return all.flatMap(({ list, file }) => (file === undefined ? [] : [{ list, file: file as ListFile }]));
}

export type FilesSection = z.output<typeof filesSection>;

/** The declared format, or that of the name's ending; null: unknown. */
export function formatOf({ format, files: name }: Pick<ListFile, 'format' | 'files'>): 'csv' | 'json' | 'xlsx' | null {
  if (format !== undefined) return format;
  const ending = /\.(csv|json|xlsx)$/i.exec(name)?.[1]?.toLowerCase();
  return (ending as 'csv' | 'json' | 'xlsx' | undefined) ?? null;
}
