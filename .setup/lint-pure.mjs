// The lint rule for code that must decide the same from the same input. It lists the globals that such code may not use.
const GLOBALS = new Set([
  'performance',
  'process',
  'crypto',
  'fetch',
  'console',
  'setTimeout',
  'setInterval',
  'setImmediate',
  'queueMicrotask',
  'globalThis',
]);
const MEMBERS = new Set(['Date.now', 'Math.random']);

const noClockNoChance = {
  meta: { type: 'problem', docs: { description: 'pure code gets the time, and chance, handed in as input' } },
  create(context) {
    const report = (node, what) =>
      context.report({ node, message: `${what} in pure code: have it handed in as input` });
    const isGlobal = (node) => node.type === 'Identifier' && !shadowed(context, node);
    return {
      NewExpression(node) {
        if (node.callee.name === 'Date' && node.arguments.length === 0) report(node, 'The clock (new Date())');
      },
      CallExpression(node) {
        if (node.callee.name === 'Date' && isGlobal(node.callee)) report(node, 'The clock (Date())');
      },
      MemberExpression(node) {
        const name = node.computed ? node.property.value : node.property.name;
        if (MEMBERS.has(`${node.object.name}.${name}`)) report(node, `${node.object.name}.${name}`);
      },
      Identifier(node) {
        if (GLOBALS.has(node.name) && isReference(node) && isGlobal(node)) report(node, `The global ${node.name}`);
      },
      ImportDeclaration(node) {
        if (node.source.value.startsWith('node:')) report(node, `Node's ${node.source.value}`);
      },
      ImportExpression(node) {
        report(node, 'A dynamic import');
      },
    };
  },
};

/** Is this name used, rather than the name of a property or a key? */
function isReference({ parent, ...node }) {
  if (parent.type === 'MemberExpression') return parent.computed || parent.object.start === node.start;
  if (parent.type === 'Property') return parent.computed || parent.value.start === node.start;
  return !parent.type.startsWith('TS');
}

function shadowed(context, node) {
  for (let scope = context.sourceCode.getScope(node); scope !== null; scope = scope.upper) {
    const variable = scope.set.get(node.name);
    if (variable !== undefined && variable.defs.length > 0) return true;
  }
  return false;
}

export default { meta: { name: 'pure' }, rules: { 'no-clock-no-chance': noClockNoChance } };
