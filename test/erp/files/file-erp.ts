import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Decimal } from '../../../src/domain/decimal.ts';

/** The configuration of the exported files, for the bridge. */
export const FILE_ERP = {
  zone: 'Europe/Berlin',
  lists: {
    products: {
      files: 'products-*.csv',
      decimal: ',',
      time: { from: 'column', column: 'Zeit' },
      row: { sku: 'Artikel', name: 'Name', price: { amount: 'Preis', currency: '"USD"' }, changed_at: 'Seit' },
    },
    stock: {
      files: 'stock-*.csv',
      decimal: ',',
      time: { from: 'column', column: 'Zeit' },
      row: { sku: 'Artikel', on_hand: 'Bestand', reserved: 'Reserviert' },
    },
  },
  acknowledgements: {
    files: 'acks/ack-*.csv',
    decimal: ',',
    time: { from: 'column', column: 'Zeit' },
    row: {
      reference: 'Referenz',
      number: 'Auftrag',
      status:
        '$lookup({"offen": "reserved", "entwurf": "draft", "geliefert": "shipped", "storniert": "cancelled"}, Status)',
      revision: 'Stand',
      lines: { sku: 'Artikel', quantity: 'Menge', shipped: 'Geliefert', given_up: 'Entfallen' },
    },
  },
};

interface Line {
  readonly sku: string;
  readonly quantity: string;
  shipped: Decimal;
  givenUp: Decimal;
}

interface Order {
  readonly number: string;
  revision: number;
  status: 'offen' | 'entwurf' | 'geliefert' | 'storniert';
  lines: readonly Line[];
}

interface Sent {
  readonly reference: string;
  readonly revision: number;
  readonly status: string;
  readonly lines: readonly { readonly sku: string; readonly quantity: string }[];
}

const OF_STATUS: Readonly<Record<string, Order['status']>> = {
  draft: 'entwurf',
  reserved: 'offen',
  cancelled: 'storniert',
};
const german = (figure: Decimal): string => figure.toFixed().replace('.', ',');

/** An ERP that takes the files of orders, acknowledges them, and exports its stock after each change. */
export function startFileErp(dir: string, products: number) {
  const onHand = new Map(
    Array.from({ length: products }, (_, at) => [`F-${String(at + 1).padStart(4, '0')}`, new Decimal(1_000)]),
  );
  const orders = new Map<string, Order>();
  let files = 0;
  let lastMs = 0;

  /** The time of the next file, which is later than every file before. */
  function write(name: string, head: string, rows: (at: string) => readonly string[]): void {
    lastMs = Math.max(Date.now(), lastMs + 1);
    files += 1;
    const path = join(dir, `${name}-${String(files).padStart(6, '0')}.csv`);
    writeFileSync(`${path}.part`, [head, ...rows(new Date(lastMs).toISOString()), ''].join('\r\n'));
    renameSync(`${path}.part`, path);
  }
  const reserved = (sku: string): Decimal =>
    [...orders.values()]
      .filter(({ status }) => status === 'offen')
      .flatMap(({ lines }) => lines)
      .filter((line) => line.sku === sku)
      .reduce(
        (sum, { quantity, shipped, givenUp }) => sum.plus(quantity).minus(shipped).minus(givenUp),
        new Decimal(0),
      );
  const exportStock = (): void =>
    write('stock', 'Artikel;Bestand;Reserviert;Zeit', (at) =>
      [...onHand].map(([sku, units]) => `${sku};${german(units)};${german(reserved(sku))};${at}`),
    );
  function acknowledge(reference: string): void {
    const order = orders.get(reference);
    if (order === undefined) return;
    const { number, status, revision, lines } = order;
    write('acks/ack', 'Referenz;Auftrag;Status;Stand;Artikel;Menge;Geliefert;Entfallen;Zeit', (at) =>
      lines.map(({ sku, quantity, shipped, givenUp }) =>
        [
          reference,
          number,
          status,
          revision,
          sku,
          german(new Decimal(quantity)),
          german(shipped),
          german(givenUp),
          at,
        ].join(';'),
      ),
    );
  }

  function take(file: string): string {
    const { reference, revision, status, lines } = JSON.parse(readFileSync(file, 'utf8')) as Sent;
    const before = orders.get(reference);
    rmSync(file);
    // A file that comes too late does not take shipped goods back.
    if (before !== undefined && (before.status === 'geliefert' || revision <= before.revision)) return reference;
    const taken = lines.map(({ sku, quantity }) => ({
      sku,
      quantity,
      shipped: new Decimal(0),
      givenUp: new Decimal(0),
    }));
    const number = before?.number ?? `A${orders.size + 1}`;
    orders.set(reference, { number, revision, status: OF_STATUS[status] ?? 'entwurf', lines: taken });
    return reference;
  }
  const came = (): string[] =>
    readdirSync(join(dir, 'orders'))
      .filter((name) => name.endsWith('.json') && !name.startsWith('.'))
      .toSorted((a, b) => a.localeCompare(b, 'en', { numeric: true }));
  function work(): void {
    const taken = new Set(came().map((name) => take(join(dir, 'orders', name))));
    for (const reference of taken) acknowledge(reference);
    if (taken.size > 0) exportStock();
  }
  /** The deeds of a person with an order that was taken. */
  function deed(reference: string, change: (order: Order) => void): void {
    work();
    const order = orders.get(reference);
    if (order === undefined) throw new Error(`there is no order ${reference}`);
    change(order);
    acknowledge(reference);
    exportStock();
  }
  /** The quantity of the line that has left so far. */
  function leave(line: Line, shipped: Decimal): void {
    onHand.set(line.sku, (onHand.get(line.sku) ?? new Decimal(0)).minus(shipped.minus(line.shipped)));
    line.shipped = shipped;
  }
  function leaveWhole(order: Order): void {
    for (const line of order.lines) leave(line, new Decimal(line.quantity).minus(line.givenUp));
    order.status = 'geliefert';
  }

  for (const folder of ['orders', 'acks']) mkdirSync(join(dir, folder), { recursive: true });
  const since = new Date(Date.now() - 3 * 86_400_000).toISOString();
  write('products', 'Artikel;Name;Preis;Seit;Zeit', (at) =>
    [...onHand.keys()].map((sku) => `${sku};Ware ${sku};1,50;${since};${at}`),
  );
  exportStock();
  const timer = setInterval(work, 20);
  return {
    orders,
    available: (sku: string): Decimal => (onHand.get(sku) ?? new Decimal(0)).minus(reserved(sku)),
    skus: [...onHand.keys()],
    ship: (reference: string): void => deed(reference, leaveWhole),
    /** One unit of each line. */
    shipPart: (reference: string): void =>
      deed(reference, ({ lines }) => {
        for (const line of lines) leave(line, line.shipped.plus(1));
      }),
    /** Ships this quantity of the lines with this SKU, and gives the rest up. */
    shipShort: (reference: string, sku: string, quantity: string): void =>
      deed(reference, (order) => {
        for (const line of order.lines.filter((one) => one.sku === sku))
          line.givenUp = new Decimal(line.quantity).minus(quantity);
        leaveWhole(order);
      }),
    cancel: (reference: string): void =>
      deed(reference, (order) => {
        order.status = 'storniert';
      }),
    close: (): void => clearInterval(timer),
  };
}
