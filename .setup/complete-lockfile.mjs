// Run after `npm install` has changed the lockfile. Tools ship their programs as one optional package per platform; a registry
// mirror that holds only some of them makes npm leave the rest out of the lockfile, and then `npm ci` refuses it everywhere.
// This puts the missing ones back, at the version that their owner asks for.
import { readFileSync, writeFileSync } from 'node:fs';

const SYSTEMS = new Set(['darwin', 'linux', 'win32', 'freebsd', 'android', 'openharmony']);
const EXACT = /^\d+\.\d+\.\d+$/;

const file = new URL('../package-lock.json', import.meta.url);
const lock = JSON.parse(readFileSync(file, 'utf8'));
const added = [];
for (const [owner, entry] of Object.entries(lock.packages)) {
  for (const [name, version] of Object.entries(entry.optionalDependencies ?? {})) {
    if (owner === '' || found(owner, name)) continue;
    const platform = platformOf(name);
    if (platform === null || !EXACT.test(version)) {
      throw new Error(`${owner} wants ${name}@${version}, which is not in the lockfile and names no platform`);
    }
    const kept = { ...(entry.dev ? { dev: true } : {}), ...(entry.license ? { license: entry.license } : {}) };
    lock.packages[`node_modules/${name}`] = { version, ...platform, ...kept, optional: true };
    added.push(`${name}@${version}`);
  }
}
const sorted = Object.entries(lock.packages).sort(([a], [b]) => a.localeCompare(b, 'en'));
lock.packages = Object.fromEntries(sorted);
writeFileSync(file, `${JSON.stringify(lock, null, 2)}\n`);
process.stdout.write(`${added.length} added to package-lock.json\n${added.map((line) => `  ${line}\n`).join('')}`);

/** Looks where Node would look: beside the owner, then in every folder above. */
function found(owner, name) {
  for (let at = owner; ; at = at.slice(0, Math.max(0, at.lastIndexOf('node_modules/') - 1))) {
    if (lock.packages[`${at === '' ? '' : `${at}/`}node_modules/${name}`] !== undefined) return true;
    if (at === '') return false;
  }
}

/** `@owner/binding-linux-arm64-musl`: the fields by which npm decides whether to install it. */
function platformOf(name) {
  const words = name.split(/[/-]/);
  const os = words.findIndex((word) => SYSTEMS.has(word));
  if (os < 0 || words[os + 1] === undefined) return null;
  const libc = words.includes('musl') ? { libc: ['musl'] } : words.includes('gnu') ? { libc: ['glibc'] } : {};
  return { os: [words[os]], cpu: [words[os + 1]], ...libc };
}
