import { createHash } from 'node:crypto';
import {
  closeSync,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readSync,
  renameSync,
  rmdirSync,
  type Stats,
  unlinkSync,
  utimesSync,
  writeSync,
} from 'node:fs';
import type { AddressInfo } from 'node:net';
import { join, normalize } from 'node:path';
import ssh2 from 'ssh2';

const { Server, utils } = ssh2;
const { STATUS_CODE, OPEN_MODE } = utils.sftp;

/** An SFTP server on loopback over a folder of this machine, with a host key of its own. */
export async function startSftp(root: string, login: { readonly user: string; readonly password: string }) {
  const keys = utils.generateKeyPairSync('ed25519');
  const parsed = utils.parseKey(keys.public);
  if (parsed instanceof Error || Array.isArray(parsed)) throw new Error('the host key cannot be read');
  const hostKey = `SHA256:${createHash('sha256').update(parsed.getPublicSSH()).digest('base64').replace(/=+$/, '')}`;
  const state = { cutOn: null as string | null, listed: null as Listed | null, opensNothing: false, isSilent: false };
  const clients = new Set<ssh2.Connection>();
  const server = new Server({ hostKeys: [keys.private] }, (client) => {
    clients.add(client);
    client.on('error', () => {});
    client.on('close', () => clients.delete(client));
    client.on('authentication', (context) => {
      if (context.method === 'password' && context.username === login.user && context.password === login.password)
        context.accept();
      else context.reject(['password']);
    });
    client.on('session', (accept) => {
      const session = accept();
      if (state.isSilent) return void session.on('subsystem', (begin) => void begin());
      session.on('sftp', (open) =>
        serve(
          open(),
          root,
          (call) => {
            if (state.cutOn !== call) return false;
            state.cutOn = null;
            client.end();
            return true;
          },
          state,
        ),
      );
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    port,
    hostKey,
    /** Ends the connection instead of the next answer to this call, which has its effect. */
    cutAfter(call: 'rename' | 'write'): void {
      state.cutOn = call;
    },
    /** Answers every request for a part of a list with these names, without an end; null: with what the folders hold. */
    listAlways(listed: Listed | null): void {
      state.listed = listed;
    },
    /** Says that files are opened, and gives no handles of them. */
    openNothing(): void {
      state.opensNothing = true;
    },
    /** Lets clients in, and never begins with SFTP. */
    beSilent(): void {
      state.isSilent = true;
    },
    close: () =>
      new Promise<void>((resolve) => {
        for (const client of clients) client.end();
        server.close(() => resolve());
      }),
  };
}

type Listed = Parameters<ssh2.SFTPWrapper['name']>[1];

function serve(
  sftp: ssh2.SFTPWrapper,
  root: string,
  cut: (call: string) => boolean,
  state: { readonly listed: Listed | null; readonly opensNothing: boolean },
): void {
  const handles = new Map<number, { readonly fd: number | null; readonly path: string; listed: boolean }>();
  let next = 0;
  const real = (path: string) => join(root, normalize(`/${path}`));
  const add = (fd: number | null, path: string): Buffer => {
    const handle = Buffer.alloc(4);
    handle.writeUInt32BE(next, 0);
    handles.set(next, { fd, path, listed: false });
    next += 1;
    return handle;
  };
  const of = (handle: Buffer) => handles.get(handle.readUInt32BE(0));
  const guarded = (id: number, work: () => void): void => {
    try {
      work();
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      sftp.status(
        id,
        code === 'ENOENT'
          ? STATUS_CODE.NO_SUCH_FILE
          : code === 'EACCES'
            ? STATUS_CODE.PERMISSION_DENIED
            : STATUS_CODE.FAILURE,
      );
    }
  };
  const ok = (id: number) => sftp.status(id, STATUS_CODE.OK);

  sftp.on('REALPATH', (id, path) =>
    sftp.name(id, [{ filename: normalize(`/${path}`), longname: path, attrs: {} as ssh2.Attributes }]),
  );
  sftp.on('OPENDIR', (id, path) =>
    guarded(id, () => {
      readdirSync(real(path));
      sftp.handle(id, add(null, real(path)));
    }),
  );
  sftp.on('READDIR', (id, handle) =>
    guarded(id, () => {
      if (state.listed !== null) return sftp.name(id, state.listed);
      const folder = of(handle);
      if (folder === undefined || folder.listed) return sftp.status(id, STATUS_CODE.EOF);
      folder.listed = true;
      const names = readdirSync(folder.path).map((filename) => {
        const stats = lstatSync(join(folder.path, filename));
        const type = stats.isDirectory() ? 'd' : stats.isSymbolicLink() ? 'l' : '-';
        return {
          filename,
          longname: `${type}rw-r--r-- 1 u g ${stats.size} Jan 1 00:00 ${filename}`,
          attrs: attrsOf(stats),
        };
      });
      sftp.name(id, names);
    }),
  );
  for (const call of ['STAT', 'LSTAT'] as const) {
    sftp.on(call, (id: number, path: string) => guarded(id, () => sftp.attrs(id, attrsOf(lstatSync(real(path))))));
  }
  sftp.on('FSTAT', (id, handle) => guarded(id, () => sftp.attrs(id, attrsOf(fstatSync(of(handle)?.fd ?? -1)))));
  sftp.on('SETSTAT', (id, path, { atime, mtime }) =>
    guarded(id, () => {
      utimesSync(real(path), atime, mtime);
      ok(id);
    }),
  );
  sftp.on('FSETSTAT', (id) => ok(id));
  sftp.on('OPEN', (id, path, flags) =>
    guarded(id, () => {
      if (state.opensNothing) return ok(id);
      const mode = (flags & OPEN_MODE.WRITE) === 0 ? 'r' : 'w';
      sftp.handle(id, add(openSync(real(path), mode), real(path)));
    }),
  );
  sftp.on('READ', (id, handle, offset, length) =>
    guarded(id, () => {
      const data = Buffer.alloc(length);
      const read = readSync(of(handle)?.fd ?? -1, data, 0, length, offset);
      if (read === 0) sftp.status(id, STATUS_CODE.EOF);
      else sftp.data(id, data.subarray(0, read));
    }),
  );
  sftp.on('WRITE', (id, handle, offset, data) =>
    guarded(id, () => {
      writeSync(of(handle)?.fd ?? -1, data, 0, data.length, offset);
      if (!cut('write')) ok(id);
    }),
  );
  sftp.on('CLOSE', (id, handle) =>
    guarded(id, () => {
      const open = of(handle);
      if (open?.fd != null) closeSync(open.fd);
      handles.delete(handle.readUInt32BE(0));
      ok(id);
    }),
  );
  sftp.on('RENAME', (id, from, to) =>
    guarded(id, () => {
      renameSync(real(from), real(to));
      if (!cut('rename')) ok(id);
    }),
  );
  sftp.on('EXTENDED', (id, name, data) =>
    guarded(id, () => {
      if (name !== 'posix-rename@openssh.com') return sftp.status(id, STATUS_CODE.OP_UNSUPPORTED);
      const length = data.readUInt32BE(0);
      const from = data.subarray(4, 4 + length).toString();
      const to = data.subarray(8 + length).toString();
      renameSync(real(from), real(to));
      if (!cut('rename')) ok(id);
    }),
  );
  sftp.on('REMOVE', (id, path) =>
    guarded(id, () => {
      unlinkSync(real(path));
      ok(id);
    }),
  );
  sftp.on('RMDIR', (id, path) =>
    guarded(id, () => {
      rmdirSync(real(path));
      ok(id);
    }),
  );
  sftp.on('MKDIR', (id, path) =>
    guarded(id, () => {
      mkdirSync(real(path));
      ok(id);
    }),
  );
}

function attrsOf(stats: Stats): ssh2.Attributes {
  const { mode, uid, gid, size, atimeMs, mtimeMs } = stats;
  return { mode, uid, gid, size, atime: Math.floor(atimeMs / 1000), mtime: Math.floor(mtimeMs / 1000) };
}
