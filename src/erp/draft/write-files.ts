import type { SampleFile } from './folder.ts';
import { customerRow, orderRow, productRow, type RowStyle, stockRow } from './rows.ts';
import { isCents, ruleOf } from './rules.ts';
import { choiceReasons, type Reading, type Readings } from './score.ts';
import { timeStyle } from './values.ts';
import { Commented, decide } from './yaml.ts';

/** The section `erp` of `type: files`. Pure. */

export function filesSection(dir: string, readings: Readings<SampleFile>, currency: string): object {
  const { products, stock, orders, customers } = readings;
  // The list's zone and pattern apply to each cell.
  const time: RowStyle['time'] = (found) =>
    found?.field.type === 'time' ? ruleOf({ found }, 'found', undefined) : undefined;
  const style: RowStyle = { currency, time, asOf: undefined };
  return {
    type: 'files',
    dir: decide(dir, 'the folder of the exchange. Reading takes its files: they move into archive'),
    zone: decide('UTC', 'the zone on the clocks of those who write the files, such as Europe/Berlin'),
    lists: {
      products:
        products === null ? missing('products', { sku: 'sku' }) : fileOf(products, productRow(products.fields, style)),
      stock:
        stock === null
          ? missing('stock', { sku: 'sku', on_hand: 'on_hand' })
          : fileOf(stock, stockRow(stock.fields, style)),
      orders: orders === null ? undefined : fileOf(orders, orderRow(orders, style)),
      customers: customers === null ? undefined : fileOf(customers, customerRow(customers.fields, style)),
    },
    acknowledgements: decide(
      { files: 'acks/*.csv', row: { reference: 'reference', number: 'number', status: 'status' } },
      'in which files the ERP tells that it took an order. No sample of one was there.',
    ),
    orders_out: decide(
      { files: 'orders/order-{reference}-{revision}.json' },
      'how the ERP wants the file of an order; "stockbridge guide files" shows the rest',
    ),
  };
}

function missing(list: string, row: object): Commented {
  return decide({ files: `${list}-*.csv`, row }, `which file has the ${list}; none looks like it`);
}

function fileOf(reading: Reading<SampleFile>, row: object): Commented {
  const { collection, fields, lines } = reading;
  const { pattern, named, style, rows } = collection.place;
  const used = [...Object.values(fields), ...Object.values(lines?.fields ?? {})].flatMap((one) =>
    one === undefined ? [] : [one.field],
  );
  const written = used.filter(({ type }) => type === 'time').map(({ samples }) => timeStyle(samples));
  const dates = written.find((one) => one?.by === 'pattern');
  const cents = used.filter(isCents).map(({ path }) => path[0] ?? '');
  const section = {
    files: pattern,
    ...(style === null || style.encoding === 'utf-8'
      ? {}
      : { encoding: new Commented(style.encoding, 'some bytes are none of UTF-8') }),
    ...(style === null || style.separator === ';' ? {} : { separator: style.separator }),
    ...(style?.quote === null ? { quote: new Commented(null, 'a quotation mark stands inside a cell') } : {}),
    ...(style?.decimal === ',' ? { decimal: new Commented(',', 'as its numbers have it') } : {}),
    ...(style === null || style.thousands === '' ? {} : { thousands: style.thousands }),
    ...(style === null || style.skip === 0
      ? {}
      : { skip: new Commented(style.skip, 'lines in front of the names of the columns') }),
    ...(rows === null || rows === 'items'
      ? {}
      : { rows: rows.includes('.') ? decide(rows, 'rows have to stand in a field of the file itself') : rows }),
    ...(named === null ? {} : { time: { from: 'name', pattern: named } }),
    ...(dates?.by === 'pattern' ? { dates: decide(dates.pattern, 'whether the day or the month comes first') } : {}),
    ...(cents.length === 0 ? {} : { numbers: cents }),
    row,
  };
  return new Commented(section, ...choiceReasons(reading));
}
