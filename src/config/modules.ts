import { resolve } from 'node:path';
import { type Loose, section } from './contradictions.ts';

const IS_PATH = /^\.{0,2}\//;

/** Rewrites every ERP that is a module into its full form, with the absolute path of the module. */
export function withModules(value: unknown, folder: string): unknown {
  const accounts = section(section(value)['accounts']);
  const modules = Object.entries(accounts).flatMap(([name, account]): [string, unknown][] => {
    const erp = section(section(account)['erp']);
    const path = pathOf(erp);
    if (path === null) return [];
    return [[name, { ...section(account), erp: { ...erp, type: 'module', module: resolve(folder, path) } }]];
  });
  if (modules.length === 0) return value;
  return { ...section(value), accounts: { ...accounts, ...Object.fromEntries<unknown>(modules) } };
}

function pathOf({ type, module }: Loose): string | null {
  const path = typeof type === 'string' && IS_PATH.test(type) ? type : type === 'module' ? module : null;
  return typeof path === 'string' ? path : null;
}
