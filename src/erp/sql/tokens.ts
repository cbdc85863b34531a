/** MariaDB and MySQL are one dialect. */
export type Dialect = 'postgres' | 'mysql';

/** Only `code` has words of SQL. */
export interface Token {
  readonly kind: 'code' | 'text' | 'comment' | 'parameter' | 'filter';
  /** As written; a parameter without its colon. */
  readonly text: string;
}

const COMMON: readonly (readonly [Token['kind'], string])[] = [
  ['comment', String.raw`--[^\n]*`],
  ['comment', String.raw`\/\*[\s\S]*?(?:\*\/|$)`],
  ['filter', String.raw`\{filter\}`],
  // A cast, and an assignment.
  ['code', String.raw`::|:=`],
  ['parameter', String.raw`:[a-z_]\w*(?:\.[a-z_]\w*)*`],
];

const QUOTES: Record<Dialect, readonly (readonly [Token['kind'], string])[]> = {
  postgres: [
    ['text', String.raw`[eE]'(?:[^'\\]|''|\\[\s\S])*(?:'|$)`],
    ['text', String.raw`'(?:[^']|'')*(?:'|$)`],
    ['text', String.raw`"(?:[^"]|"")*(?:"|$)`],
    ['text', String.raw`\$([a-z_]\w*)?\$[\s\S]*?(?:\$\1\$|$)`],
  ],
  mysql: [
    ['text', String.raw`'(?:[^'\\]|''|\\[\s\S])*(?:'|$)`],
    ['text', String.raw`"(?:[^"\\]|""|\\[\s\S])*(?:"|$)`],
    ['text', '`(?:[^`]|``)*(?:`|$)'],
    ['comment', String.raw`#[^\n]*`],
  ],
};

/** Splits a statement, so that quoted text and comments yield no words or parameters. */
export function tokensOf(sql: string, dialect: Dialect): Token[] {
  const rules = [...QUOTES[dialect], ...COMMON].map(([kind, source]) => ({ kind, at: new RegExp(source, 'iy') }));
  const tokens: Token[] = [];
  let code = '';
  const endCode = (): void => {
    if (code !== '') tokens.push({ kind: 'code', text: code });
    code = '';
  };
  for (let place = 0; place < sql.length; ) {
    const found = rules.flatMap(({ kind, at }) => {
      at.lastIndex = place;
      const text = at.exec(sql)?.[0];
      return text === undefined ? [] : [{ kind, text }];
    })[0];
    const text = found?.text ?? sql.charAt(place);
    if (found === undefined || found.kind === 'code') {
      code += text;
    } else {
      endCode();
      tokens.push({ kind: found.kind, text: found.kind === 'parameter' ? text.slice(1) : text });
    }
    place += text.length;
  }
  endCode();
  return tokens;
}
