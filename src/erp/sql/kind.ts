import { detailsNamedIn, type StatedCapabilities } from '../capabilities.ts';
import { commonSettings, connectorKind } from '../kind.ts';
import { type Address, addressOf, isOwnMachine } from './address.ts';
import type { Server } from './database.ts';
import { type Section, section } from './section.ts';

/** PostgreSQL, MariaDB or MySQL. */
export const sqlErp = connectorKind({
  type: 'sql',
  schema: section,
  mends: { down: 'is it up, and erp.url right?', credentials: 'check erp.user and erp.password' },
  offers: {
    sql: {
      about: 'a PostgreSQL, MariaDB or MySQL database',
      where: 'Where is it: postgres://HOST:PORT/DATABASE, mariadb://... or mysql://...?',
      secret: 'env:ERP_PASSWORD',
      settings: ['user', 'zone'],
      described: 'sql',
      section: ({ url, secret: password, settings, description }) => ({
        ...description,
        type: 'sql',
        url,
        ...settings,
        password,
      }),
    },
  },
  settings(file: Section) {
    const common = commonSettings(file);
    return {
      ...common,
      capabilities: { ...capabilitiesOf(file), ...common.capabilities },
      credentials: { password: { scheme: 'fixed', secret: file.password } },
      addresses: { url: file.url },
    };
  },
  async open(file, parts) {
    const [{ createSqlErp }, { createPlaces }, { planOf }] = await Promise.all([
      import('./connector.ts'),
      import('../places.ts'),
      import('./plan.ts'),
    ]);
    const credential = parts.credential('password');
    let sent = '';
    const password = async (): Promise<string> => {
      sent = await credential.secret();
      return sent;
    };
    const server = serverOf(file, password);
    const { dialect } = addressIn(file);
    const database =
      dialect === 'postgres'
        ? (await import('./postgres.ts')).openPostgres(server)
        : (await import('./mysql.ts')).openMysql(server);
    const { timeoutMs, zone } = server;
    const refused = (text: string): void => credential.refused(text);
    const { onCall, onPace, wire } = parts;
    const places = createPlaces({ most: server.connections, timeoutMs, onPace });
    const lists = createPlaces({ most: server.connections - 1, timeoutMs });
    const refusedForNow = file.refused_for_now;
    const sessions = {
      database,
      places,
      lists,
      timeoutMs,
      zone,
      refusedForNow,
      password: () => sent,
      refused,
      onCall,
      wire,
    };
    return createSqlErp(sessions, planOf(file));
  },
});

/** The capabilities that follow from the configured statements. */
function capabilitiesOf({ lists, finds, writes }: Section): StatedCapabilities {
  const access = (list: unknown, find: unknown, create: unknown) => {
    if (list === undefined) return 'none';
    return find === undefined || create === undefined ? 'read' : 'write';
  };
  return {
    customers: access(lists.customers, finds['customers-by-marketplace-id'], writes['customer-create']),
    payments: access(lists.payments, finds['payments-by-marketplace-id'], writes['payment-create']),
    lots: lists.lots !== undefined,
    products: finds['products-by-sku'] !== undefined && writes['product-create'] !== undefined,
    transports: writes['order-update'].some(({ each, when }) => each === 'transports' || when === 'transports'),
    ...detailsNamedIn(writes['order-create'], writes['order-update']),
  };
}

function addressIn({ url }: Section): Address {
  const address = addressOf(url);
  if (address === null) throw new Error('an address of a database passed its check and cannot be read');
  return address;
}

function serverOf(file: Section, password: Server['password']): Server {
  const address = addressIn(file);
  const tls = file.tls ?? (isOwnMachine(address) ? 'off' : 'on');
  return {
    ...address,
    user: file.user,
    place: `${address.host}:${address.port}/${address.database}`,
    password,
    tls: tls === 'off' ? null : { ca: file.tls_ca ?? null },
    connections: file.connections,
    timeoutMs: commonSettings(file).timeoutMs,
    zone: file.zone,
  };
}
