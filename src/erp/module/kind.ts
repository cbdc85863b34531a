import { existsSync } from 'node:fs';
import { z } from 'zod';
import { doc, freely, secret, text } from '../../settings/scalars.ts';
import { commonKeys, commonSettings, connectorKind } from '../kind.ts';

const PATH_CHARACTERS_MAX = 4_096;

const schema = z.strictObject({
  type: doc(
    z.literal('module'),
    'The ERP is connected by a module of your own. A path, such as ./my-erp.ts, is the same as module with that path.',
  ),
  module: doc(
    text(PATH_CHARACTERS_MAX).refine((path) => existsSync(path), {
      error: ({ input }) => `there is no file or folder ${String(input)}`,
    }),
    'The file of the module, or a folder with an index.ts or index.js, relative to this configuration file.',
  ),
  settings: doc(z.record(text(100), freely()).prefault({}), 'Passed to the module as it stands.'),
  secret: doc(secret(), 'A secret for the module. It comes with each call.').optional(),
  ...commonKeys,
});

/** A module outside the repository that answers the ERP HTTP contract in this process. */
export const moduleErp = connectorKind({
  type: 'module',
  schema,
  mends: { down: 'does the module reach it?', credentials: 'check erp.secret and what the module does with it' },
  offers: {},
  settings(section: z.output<typeof schema>) {
    const { secret: given } = section;
    return {
      ...commonSettings(section),
      credentials: given === undefined ? {} : { secret: { scheme: 'fixed', secret: given } },
      addresses: {},
    };
  },
  async open(section, { credential, onCall, onPace, wire }) {
    const { createModuleErp } = await import('./connector.ts');
    const { module: path, settings } = section;
    const own = section.secret === undefined ? null : credential('secret');
    const { timeoutMs } = commonSettings(section);
    return createModuleErp({ path, settings, credential: own, timeoutMs, onCall, onPace, wire });
  },
});
