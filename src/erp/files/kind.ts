import { detailsNamedIn, type StatedCapabilities } from '../capabilities.ts';
import { commonSettings, connectorKind } from '../kind.ts';
import { accessOf } from './access.ts';
import { declaredFiles, type FilesSection, filesSection, formatOf } from './schema.ts';

/** Files in a folder, or over SFTP. */
export const filesErp = connectorKind({
  type: 'files',
  schema: filesSection,
  mends: {
    down: 'is the folder there, or the SFTP server up, and erp.dir or erp.sftp right?',
    credentials: 'check user, password or key, and host_key of erp.sftp',
  },
  offers: {
    files: {
      about: 'files in a folder of this machine',
      where: 'In which folder?',
      secret: null,
      settings: ['zone'],
      described: 'files',
      section: ({ url: dir, settings, description }) => ({ ...description, type: 'files', dir, ...settings }),
    },
    sftp: {
      about: 'files over SFTP',
      where: 'Where are they: sftp://USER@HOST:PORT/FOLDER?',
      secret: 'file:/run/secrets/sftp-key',
      settings: ['host_key', 'zone'],
      described: 'files',
      section({ url, secret, settings: { host_key: hostKey, ...others }, description }) {
        const place = sftpPlace(url, secret);
        if (place === null) return { problem: `"${url}" is no place: sftp://USER@HOST:PORT/FOLDER` };
        return { ...description, type: 'files', sftp: { ...place, host_key: hostKey }, ...others };
      },
    },
  },
  doubts: ({ lists }: FilesSection) =>
    Object.entries(lists).flatMap(([name, file]) => {
      const tells = file.trailer !== undefined || file.done;
      if (!name.endsWith('_changes') || tells || formatOf(file) !== 'csv') return [];
      const message =
        'is a delta without a trailer and without a .done file: a file that was cut at the end of a line looks whole, and the changes behind the cut are seen with the next snapshot';
      return [{ path: ['lists', name], message }];
    }),
  settings(section: FilesSection) {
    const common = commonSettings(section);
    const { password, key, passphrase } = section.sftp ?? {};
    const secrets = Object.entries({ password, key, passphrase }).flatMap(([name, secret]) =>
      secret === undefined ? [] : [[name, { scheme: 'fixed', secret }] as const],
    );
    return {
      ...common,
      capabilities: { ...statedOf(section), ...common.capabilities },
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

/** A private key is in a file, a password in the environment. */
function sftpPlace(written: string, secret: string | null): object | null {
  const url = URL.parse(written);
  const isSftp = url !== null && url.protocol === 'sftp:' && url.username !== '' && url.password === '';
  if (!isSftp || secret === null) return null;
  const user = decodeURIComponent(url.username);
  const dir = decodeURIComponent(url.pathname) || '.';
  const login = { [secret.startsWith('${file:') ? 'key' : 'password']: secret };
  return { host: url.hostname, ...(url.port === '' ? {} : { port: Number(url.port) }), user, ...login, dir };
}

async function exchangeOf(section: FilesSection, timeoutMs: number, secret: (name: string) => Promise<string>) {
  const { sftp, dir = '.' } = section;
  const access = accessOf(section);
  if (sftp === undefined) {
    const { openFolder } = await import('./folder.ts');
    return openFolder(dir, access);
  }
  const { openSftp } = await import('./sftp.ts');
  const { host, port, user, host_key: hostKey } = sftp;
  const named = (['password', 'key', 'passphrase'] as const).filter((name) => sftp[name] !== undefined);
  const login = async () =>
    Object.fromEntries(await Promise.all(named.map(async (name) => [name, await secret(name)] as const)));
  return openSftp({ host, port, user, login, hostKey, dir: sftp.dir }, timeoutMs, access.mode);
}

function statedOf(section: FilesSection): StatedCapabilities {
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
