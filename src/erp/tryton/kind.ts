import { z } from 'zod';
import { camelled } from '../../settings/names.ts';
import { doc, httpUrl, secret, text } from '../../settings/scalars.ts';
import { ADDRESS_QUESTION, commonKeys, commonSettings, connectorKind } from '../kind.ts';
import { settings } from './settings.ts';

const schema = z.strictObject({
  type: doc(z.literal('tryton'), 'The ERP is Tryton 6.0; the bridge speaks its JSON-RPC as one user.'),
  url: doc(httpUrl(), 'Where Tryton is; its database is at {url}/{database}/.'),
  database: doc(text(200), 'The name of the database.'),
  user: doc(
    text(200),
    'The login of a user of its own for the bridge: the sales that this user makes are those of the marketplace.',
  ),
  password: doc(secret(), 'The password of that user.'),
  settings: doc(
    settings.prefault({}),
    'The records in Tryton that the bridge uses, by the codes and names that people see there.',
  ),
  ...commonKeys,
});

/** Tryton computes totals and keeps 4 decimals of a price. A product's unit decides a quantity's decimals. */
const OF_TRYTON = {
  totals: 'computed',
  editing: 'until-picked',
  partialShipments: true,
  products: false,
  orderDetails: true,
} as const;
const PRICE_DECIMALS = 4;

export const tryton = connectorKind({
  type: 'tryton',
  schema,
  mends: { down: 'is it up, and erp.url right?', credentials: 'check erp.user and erp.password' },
  offers: {
    tryton: {
      about: 'Tryton 6.0',
      where: ADDRESS_QUESTION,
      secret: 'env:TRYTON_PASSWORD',
      settings: ['database', 'user'],
      described: null,
      section: ({ url, secret: password, settings: asked }) => ({ type: 'tryton', url, ...asked, password }),
    },
  },
  settings(section: z.output<typeof schema>) {
    const common = commonSettings(section);
    const decimals = { price: PRICE_DECIMALS, quantity: null };
    return {
      ...common,
      capabilities: { ...OF_TRYTON, decimals, ...common.capabilities },
      credentials: { password: { scheme: 'fixed', secret: section.password } },
      addresses: { url: section.url },
    };
  },
  async open(section, { credential, onCall, onPace, wire }) {
    const { createTryton } = await import('./connector.ts');
    const { url, database, user } = section;
    return createTryton({
      url,
      database,
      user,
      onCall,
      onPace,
      wire,
      password: credential('password'),
      timeoutMs: commonSettings(section).timeoutMs,
      settings: camelled(section.settings),
    });
  },
});
