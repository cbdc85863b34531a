import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import type { OwnTls } from '../../support/databases.ts';
import { failureOf } from '../../support/erp-check.ts';
import { needing } from '../../support/needing.ts';
import { programOf } from '../../support/parts.ts';
import { openForeign, type Section, sectionOf, startForeign } from './foreign.ts';

function ownTls(): OwnTls {
  const dir = mkdtempSync(join(tmpdir(), 'tls-'));
  const [cert, key] = [join(dir, 'cert.pem'), join(dir, 'key.pem')];
  const made = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', '-subj', '/CN=localhost'];
  execFileSync(
    programOf('openssl'),
    [...made, '-addext', 'subjectAltName=DNS:localhost,IP:127.0.0.1', '-keyout', key, '-out', cert],
    {
      stdio: 'ignore',
    },
  );
  const files = { cert: readFileSync(cert, 'utf8'), key: readFileSync(key, 'utf8') };
  rmSync(dir, { recursive: true });
  return files;
}

for (const engine of ['postgres', 'mariadb'] as const) {
  needing(engine, 'openssl').test(
    `${engine} is called over TLS with the trusted certificate, and with no other`,
    { timeout: 120_000 },
    async () => {
      const tls = ownTls();
      const database = await startForeign(engine, 3, tls);
      onTestFinished(() => database.stop());
      const open = async (change: Partial<Section>) => {
        const erp = await openForeign(sectionOf(engine, database.port, (section) => Object.assign(section, change)));
        onTestFinished(() => erp.close());
        return erp;
      };
      const trusted = await open({ tls: 'on', tls_ca: tls.cert });
      const products = (await Array.fromAsync(trusted.listProducts(null))).flatMap(({ items }) => items);
      expect(products).toHaveLength(3);
      for (const change of [{ tls: 'on' }, { tls: 'on', tls_ca: ownTls().cert }]) {
        const failure = await failureOf((await open(change)).ping());
        expect(failure).toMatchObject({ outcome: 'not-applied' });
        expect(failure.message).toContain('erp.tls_ca');
      }
    },
  );
}
