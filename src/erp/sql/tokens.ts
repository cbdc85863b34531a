/** The two families of SQL. MariaDB and MySQL are one family. */
export type Dialect = 'postgres' | 'mysql';

/** A piece of a statement. Only `code` holds words of SQL, and only `parameter` is a parameter. */
export interface Token {
  readonly kind: 'code' | 'text' | 'comment' | 'parameter' | 'filter';
  /** The text as written; for a parameter, its name without the colon. */
  readonly text: string;
}

const COMMON: readonly (readonly [Token['kind'], string])[] = [
  ['comment', String.raw`--[^\n]*`],
  ['comment', String.raw`\/\*[\s\S]*?(?:\*\/|$)`],
  ['filter', String.raw`\{filter\}`],
  // Two colons are a cast, and a colon with an equals sign is an assignment.
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

/** A statement in pieces. Quoted text and comments hold neither words nor parameters. */
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
