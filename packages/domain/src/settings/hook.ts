import { literals } from '@birdhub/shared/config';
import { type ErrorDetail, errorMessage, refuse } from '@birdhub/shared/errors';
import { type Static, Type } from 'typebox';

/** Fields of a sighting that a hook reads from a posted body by JSON Pointer. */
export const hookFields = [
  'species_name',
  'scientific_name',
  'time',
  'end_time',
  'confidence',
  'camera',
  'image',
  'note',
  'count',
  'id',
] as const;

/** One of {@link hookFields}. */
export type HookField = (typeof hookFields)[number];

const fieldDescriptions: Readonly<Record<HookField, string>> = {
  species_name: 'the name of the species',
  scientific_name: 'the scientific name, alone or in addition to `species_name`',
  time: 'the time: RFC 3339, Unix seconds or milliseconds; in the time zone of the hub without an offset',
  end_time: 'the end time, in the formats of `time`',
  confidence: 'the confidence, such as 0.93, 93 or "93%"',
  camera: 'the id of the camera',
  image: 'a picture: an http(s) URL, base64 or a data URL',
  note: 'a free-text note',
  count: 'the number of birds',
  id: 'an id assigned by the sender, used to detect repeated posts',
};

const pointer = (description: string) =>
  Type.String({
    maxLength: 500,
    pattern: '^(?:/(?:[^~/]|~[01])*)*$',
    description:
      `JSON Pointer (RFC 6901) to ${description}. The pointer may continue inside a ` +
      'string that contains JSON',
  });

const pointers = Object.fromEntries(
  hookFields.map((field) => [field, Type.Optional(pointer(fieldDescriptions[field]))]),
) as Record<HookField, ReturnType<typeof Type.Optional<ReturnType<typeof pointer>>>>;

/** The mapping from a posted body to a sighting. */
export const HookMappingSchema = Type.Object(
  {
    ...pointers,
    camera_id: Type.Optional(
      Type.String({
        maxLength: 64,
        description: 'Id of the camera for sightings in which `camera` finds none',
      }),
    ),
    source: Type.Optional(
      literals(['video', 'audio'], {
        description: 'Whether the birds were seen (`video`) or only heard (`audio`); defaults to `video`',
      }),
    ),
    min_confidence: Type.Optional(
      Type.Number({
        minimum: 0,
        maximum: 1,
        description: 'Minimum confidence; sightings below it are not stored',
      }),
    ),
    text: Type.Optional(pointer('the text to which `pattern` is applied')),
    pattern: Type.Optional(
      Type.String({
        maxLength: 500,
        description:
          'Regular expression in RE2 syntax. Groups named like the fields, such as ' +
          '`(?<species_name>[^(]+)`, provide the fields that no pointer finds',
      }),
    ),
  },
  { additionalProperties: false },
);

/** The shape of {@link HookMappingSchema}. */
export type HookMapping = Static<typeof HookMappingSchema>;

/** A hook of the settings. */
export const HookSchema = Type.Object(
  {
    name: Type.String({
      pattern: '^[a-z0-9](?:[a-z0-9_-]{0,62}[a-z0-9])?$',
      description:
        'Name of the hook, which is the last part of its URL: lower-case letters, ' +
        'digits, hyphens and underscores',
    }),
    ...HookMappingSchema.properties,
  },
  { additionalProperties: false },
);

/** The shape of {@link HookSchema}. */
export type Hook = Static<typeof HookSchema>;

/** Returns the errors of mappings that their schema cannot express; paths begin with the given pointer. */
export async function checkHookMappings(
  mappings: readonly { readonly path: string; readonly mapping: HookMapping }[],
): Promise<ErrorDetail[]> {
  const found: ErrorDetail[] = [];
  for (const { path, mapping } of mappings) {
    const { pattern, text, species_name, scientific_name } = mapping;
    const groups = pattern ? await readGroups(pattern, `${path}/pattern`) : [];
    if (!Array.isArray(groups)) found.push(groups);
    if (pattern && text === undefined) found.push(refuse(`${path}/text`, 'pattern_text'));
    const names = [species_name, scientific_name].filter((given) => given !== undefined);
    const isNamed = names.length > 0 || !Array.isArray(groups) || groups.some(isNameField);
    if (!isNamed) found.push({ path: `${path}/species_name`, message: 'is required', code: 'required' });
  }
  return found;
}

/** Whether a field of a hook names the species. */
export const isNameField = (field: string) => field === 'species_name' || field === 'scientific_name';

/** Applies the pattern of a mapping; returns the values of the matched named groups. */
export type MatchText = (text: string) => Readonly<Record<string, string>> | undefined;

/**
 * Compiles a pattern. RE2 runs in linear time for every pattern; the package is loaded on demand, because few hubs use
 * patterns.
 * @throws Error for an invalid pattern
 */
export async function compileHookPattern(pattern: string): Promise<MatchText> {
  const { RE2JS } = await import('re2js');
  const compiled = RE2JS.compile(pattern);
  return (text) => {
    const matcher = compiled.matcher(text);
    if (!matcher.find()) return undefined;
    const groups: Record<string, string | null> = matcher.getNamedGroups();
    return Object.fromEntries(
      Object.entries(groups).filter((entry): entry is [string, string] => Boolean(entry[1])),
    );
  };
}

/** Returns the names of a pattern's groups, or the error in the pattern. */
async function readGroups(pattern: string, path: string): Promise<string[] | ErrorDetail> {
  const { RE2JS } = await import('re2js');
  let names: string[];
  try {
    names = Object.keys(RE2JS.compile(pattern).namedGroups());
  } catch (error) {
    const reason = errorMessage(error);
    return refuse(path, 'pattern', { reason: reason.slice(0, 200) });
  }
  const known: readonly string[] = hookFields;
  const unknown = names.find((name) => !known.includes(name));
  if (unknown !== undefined)
    return refuse(path, 'group_unknown', { group: unknown, fields: hookFields.join(', ') });
  return names.length ? names : refuse(path, 'group_needed');
}
