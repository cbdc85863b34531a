import { detailsNamedIn, type Said } from '../capabilities.ts';
import { commonSettings, connectorKind } from '../kind.ts';
import { declaredFiles, type FilesSection, filesSection } from './schema.ts';

/** Files in a folder, or over SFTP. */
export const filesErp = connectorKind({
  type: 'files',
  schema: filesSection,
  mends: {
    down: 'is the folder there, or the SFTP server up, and erp.dir or erp.sftp right?',
    credentials: 'check user, password or key, and host_key of erp.sftp',
  },
  settings(section: FilesSection) {
    const common = commonSettings(section);
    const { password, key, passphrase } = section.sftp ?? {};
    const secrets = Object.entries({ password, key, passphrase }).flatMap(([name, secret]) =>
      secret === undefined ? [] : [[name, { scheme: 'fixed', secret }] as const],
    );
    return {
      ...common,
      capabilities: { ...saidOf(section), ...common.capabilities },
      credentials: Object.fromEntries(secrets),
      addresses: {},
    };
  },
  async open(section, { credential, onCall, wire, dir, now }) {
    const { createFilesErp } = await import('./connector.ts');
    const { filesSettings } = await import('./settings.ts');
    const { timeoutMs } = commonSettings(section);
    const exchange = await exchangeOf(section, timeoutMs, (name) => credential(name).secret());
    return createFilesErp({ settings: filesSettings(section), exchange, dir, now, onCall, wire });
  },
});

async function exchangeOf(section: FilesSection, timeoutMs: number, secret: (name: string) => Promise<string>) {
  const { sftp, dir = '.' } = section;
  if (sftp === undefined) {
    const { openFolder } = await import('./folder.ts');
    return openFolder(dir);
  }
  const { openSftp } = await import('./sftp.ts');
  const { host, port, user, host_key: hostKey } = sftp;
  const named = (['password', 'key', 'passphrase'] as const).filter((name) => sftp[name] !== undefined);
  const login = async () =>
    Object.fromEntries(await Promise.all(named.map(async (name) => [name, await secret(name)] as const)));
  return openSftp({ host, port, user, login, hostKey, dir: sftp.dir }, timeoutMs);
}

/** The abilities that follow from the declared files. */
function saidOf(section: FilesSection): Said {
  const declared = declaredFiles(section);
  const rowsOf = (...names: readonly string[]) =>
    declared.filter(({ list }) => names.includes(list)).map(({ file }) => file.row);
  const told = rowsOf('acknowledgements', 'orders');
  const { changes } = section.orders_out;
  return {
    totals: 'stored',
    editing: changes === 'no' ? 'no' : changes === 'until-taken' ? 'until-picked' : 'in-place',
    uniqueReference: true,
    longestTransactionMs: 0,
    deletions: 'by-list',
    partialShipments: told.some(
      ({ lines }) => typeof lines === 'string' || Object.hasOwn((lines ?? {}) as object, 'shipped'),
    ),
    payments: rowsOf('payments').length > 0 ? 'read' : 'none',
    customers: rowsOf('customers').length > 0 ? 'read' : 'none',
    lots: rowsOf('lots').length > 0,
    products: false,
    approvals: told.some((row) => Object.hasOwn(row, 'approval')),
    transports: false,
    ...detailsNamedIn(section.orders_out.row),
    tracking: false,
  };
}
