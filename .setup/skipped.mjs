// Names at the end of a run what was skipped because a part of the system is not here, and the command that would run it.

/** A reporter of the test runner. */
export function skippedReporter(write = (text) => process.stdout.write(text)) {
  return {
    onTestRunEnd(modules) {
      const lacking = new Map();
      for (const module of modules) {
        for (const test of module.children.allTests('skipped')) {
          for (const { what, packages, command } of test.meta().lacks ?? []) {
            const known = lacking.get(what) ?? { packages, command, files: new Set() };
            known.files.add(module.relativeModuleId);
            lacking.set(what, known);
          }
        }
      }
      if (lacking.size > 0) write(told(lacking));
    },
  };
}

function told(lacking) {
  const of = [...lacking.values()];
  const packages = [...new Set(of.flatMap((one) => one.packages))];
  const debian = packages.length === 0 ? [] : [`apt-get install --no-install-recommends ${packages.join(' ')}`];
  const commands = [...debian, ...new Set(of.flatMap((one) => one.command ?? []))];
  const files = [...new Set(of.flatMap((one) => [...one.files]))];
  const parts = [...lacking].map(([what, one]) => `  ${what}: ${[...one.files].join(' ')}\n`);
  const long = files.every((file) => file.endsWith('.long.test.ts')) ? ':long' : '';
  return `
Skipped, because a part of the system is not here:
${parts.join('')}What runs them:
${commands.map((command) => `  ${command}\n`).join('')}  npm run test${long} -- ${files.join(' ')}

`;
}
