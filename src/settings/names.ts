type CamelCase<Name> = Name extends `${infer Head}_${infer Rest}` ? `${Head}${Capitalize<CamelCase<Rest>>}` : Name;
export type Camelled<Fields> = { [Name in keyof Fields as CamelCase<Name>]: Fields[Name] };

const names = new Map<string, string>();

function camelCase(name: string): string {
  let camelName = names.get(name);
  if (camelName === undefined) {
    camelName = name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
    names.set(name, camelName);
  }
  return camelName;
}

/** `changed_at` becomes `changedAt`. Names inside of values stay. */
export function camelled<Fields extends object>(fields: Fields): Camelled<Fields> {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [camelCase(name), value]),
  ) as Camelled<Fields>;
}

export type Known<Fields> = {
  [Name in keyof Fields as undefined extends Fields[Name] ? never : Name]: Fields[Name];
} & { [Name in keyof Fields as undefined extends Fields[Name] ? Name : never]?: Exclude<Fields[Name], undefined> };

export function onlyKnown<Fields extends object>(fields: Fields): Known<Fields> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Known<Fields>;
}
