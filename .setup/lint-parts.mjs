// The lint rule for tests that start a program of the system. A machine may lack it, so test/support/needing.ts names it.
import { basename } from 'node:path';

/** The programs that every machine has on which the tests run: POSIX's, and what `npm test` needs itself. */
const EVERYWHERE = new Set(['sh', 'bash', 'env', 'id', 'chown', 'mount', 'umount', 'node', 'npm', 'redis-server']);
const SKIPPING = new Set(['skipIf', 'runIf', 'skip']);

const startsNamedParts = {
  meta: { type: 'problem', docs: { description: 'a program that a machine may lack is named before it is started' } },
  create(context) {
    /** The functions of this file that start a program. */
    const starters = new Set(['startServer']);
    return {
      ImportDeclaration({ source, specifiers }) {
        if (source.value !== 'node:child_process') return;
        // `fork` starts a module on this Node.
        for (const { local } of specifiers) if (local.name !== 'fork') starters.add(local.name);
      },
      VariableDeclarator({ id, init }) {
        if (init?.callee?.name === 'promisify' && starters.has(init.arguments[0]?.name)) starters.add(id.name);
      },
      CallExpression({ callee, arguments: [first] }) {
        if (!starters.has(callee.name) || first === undefined) return;
        const program = programIn(context, first);
        if (program === null || EVERYWHERE.has(program)) return;
        context.report({ node: first, message: `${program} may be missing: needing() names it, programOf() finds it` });
      },
      Property({ key, value }) {
        if (key.name !== 'executablePath' || programIn(context, value) === null) return;
        context.report({ node: value, message: 'a browser may be missing: needing() names it, programOf() finds it' });
      },
      MemberExpression({ object, property }) {
        if (!['test', 'it', 'describe'].includes(object.name) || !SKIPPING.has(property.name)) return;
        context.report({ node: property, message: 'only needing() skips a test, and tells what would run it' });
      },
    };
  },
};

/** The name of the program that an expression writes down, also by a path, a join of one, or a constant; else null. */
function programIn(context, node) {
  if (node.type === 'Literal') return typeof node.value === 'string' ? basename(node.value.split(' ')[0]) : null;
  if (node.type === 'TemplateLiteral') return basename(node.quasis.at(-1).value.cooked) || null;
  if (node.type === 'CallExpression' && node.callee.name === 'join') return programIn(context, node.arguments.at(-1));
  if (node.type !== 'Identifier') return null;
  for (let scope = context.sourceCode.getScope(node); scope !== null; scope = scope.upper) {
    const [definition] = scope.set.get(node.name)?.defs ?? [];
    if (definition === undefined) continue;
    return definition.node.init?.type === 'Literal' ? programIn(context, definition.node.init) : null;
  }
  return null;
}

export default { meta: { name: 'parts' }, rules: { 'starts-named-parts': startsNamedParts } };
