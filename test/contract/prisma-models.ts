/** The tables of a database or of a Prisma schema file, in the same notation. */
export interface TableShapes {
  /** `table.column type`, followed by `not null` and `default` if they apply; sorted. */
  readonly columns: string[];
  /** `table (column, column)`; sorted. */
  readonly primaryKeys: string[];
  /** `table index_name (column, column)`, with `unique` before the columns if it applies; sorted. */
  readonly indexes: string[];
}

interface Field {
  readonly name: string;
  readonly column: string;
  readonly shape: string;
  readonly attributes: string;
}

const types: Readonly<Record<string, string>> = {
  'BigInt ': 'bigint',
  'Boolean ': 'boolean',
  'Bytes ': 'bytea',
  'DateTime Date': 'date',
  'DateTime Timestamptz(3)': 'timestamp(3) with time zone',
  'Decimal Decimal(14, 3)': 'numeric(14,3)',
  'Float ': 'double precision',
  'Float Real': 'real',
  'Int ': 'integer',
  'Int SmallInt': 'smallint',
  'Json ': 'jsonb',
  'Json Json': 'json',
  'String ': 'text',
  'String Uuid': 'uuid',
};

const scalars = new Set(Object.keys(types).map((key) => key.split(' ')[0]));

function toField(line: string): Field[] {
  const [, name = '', type = '', kind = '', attributes = ''] =
    /^ {2}(\w+)\s+(\w+)(\?|\[\])?(?:\s+(.*))?$/.exec(line) ?? [];
  if (!scalars.has(type)) return [];
  const [, native = ''] = /@db\.(\w+(?:\([\d, ]+\))?)/.exec(attributes) ?? [];
  const sqlType = types[`${type} ${native}`];
  if (!sqlType) throw new Error(`no SQL type is known for ${type} @db.${native}`);
  const [, column = name] = /@map\("(\w+)"\)/.exec(attributes) ?? [];
  const list = kind === '[]' ? '[]' : '';
  const nullity = kind === '?' ? '' : ' not null';
  const byDefault = attributes.includes('@default(') ? ' default' : '';
  return [{ name, column, shape: `${sqlType}${list}${nullity}${byDefault}`, attributes }];
}

function indexesOf(table: string, lines: readonly string[], fields: readonly Field[]): string[] {
  const columnsOf = (names: string) =>
    names
      .split(', ')
      .map((name) => fields.find((field) => field.name === name)?.column ?? `no field ${name}`);
  const ofModel = lines.flatMap((line) => {
    const [, kind, names = '', index] =
      /@@(index|unique)\(\[([\w, ]+)\], map: "(\w+)"(?:, type: \w+)?\)/.exec(
        line.replace('(sort: Desc)', ''),
      ) ?? [];
    const unique = kind === 'unique' ? 'unique ' : '';
    return index ? [`${table} ${index} ${unique}(${columnsOf(names).join(', ')})`] : [];
  });
  const ofFields = fields.flatMap(({ column, attributes }) => {
    const [, index] = /@unique\(map: "(\w+)"\)/.exec(attributes) ?? [];
    return index ? [`${table} ${index} unique (${column})`] : [];
  });
  return [...ofModel, ...ofFields];
}

function primaryKeyOf(table: string, lines: readonly string[], fields: readonly Field[]): string {
  const [, names] = lines.map((line) => /@@id\(\[([\w, ]+)\]/.exec(line)).find(Boolean) ?? [];
  const keys = names
    ? names.split(', ').map((name) => fields.find((field) => field.name === name)?.column)
    : fields.filter(({ attributes }) => /@id\b/.test(attributes)).map(({ column }) => column);
  return `${table} (${keys.join(', ')})`;
}

/** Returns the tables that a Prisma schema file declares. */
export function prismaShape(schema: string): TableShapes {
  const models = [...schema.matchAll(/^model \w+ \{\n([\s\S]*?)^\}/gm)].map(([, body = '']) => {
    const lines = body.split('\n');
    const fields = lines.flatMap(toField);
    const [, table = ''] = /@@map\("(\w+)"\)/.exec(body) ?? [];
    return { table, lines, fields };
  });
  return {
    columns: models
      .flatMap(({ table, fields }) => fields.map(({ column, shape }) => `${table}.${column} ${shape}`))
      .sort(),
    primaryKeys: models.map(({ table, lines, fields }) => primaryKeyOf(table, lines, fields)).sort(),
    indexes: models.flatMap(({ table, lines, fields }) => indexesOf(table, lines, fields)).sort(),
  };
}
