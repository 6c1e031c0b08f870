import { Problem } from '../../api/problem';
import type { components, paths } from '../../api/schema';
import { type SourceKind, sourceKinds } from './source-kinds';

/** A source as listed by the hub. */
export type Source = components['schemas']['Source'];

type Body<Route extends { requestBody: { content: { 'application/json': unknown } } }> =
  Route['requestBody']['content']['application/json'];

/** Request body to add a source. */
export type NewSource = Body<paths['/api/ui/sources']['post']>;

/** Request body to test a connection. */
export type SourceTest = Body<paths['/api/ui/sources/test']['post']>;

/** Request body to change a source. */
export type SourceChange = Body<paths['/api/ui/sources/{id}']['patch']>;

/** Fields of the form, in display order. */
const formFields = [
  'name',
  'url',
  'path',
  'username',
  'password',
  'timezone',
  'mqtt_url',
  'mqtt_topic_prefix',
  'labels',
  'min_confidence',
  'write_back',
  'cameras',
] as const;

/** One of the fields of the form. */
export type FormField = (typeof formFields)[number];

/** Values of the form of a source. */
export interface SourceDraft {
  readonly name: string;
  readonly url: string;
  readonly path: string;
  readonly username: string;
  /** Undefined keeps the stored one. */
  readonly password: string | undefined;
  readonly timezone: string;
  readonly mqtt_url: string;
  readonly mqtt_topic_prefix: string;
  readonly labels: readonly string[];
  /** In percent. */
  readonly min_confidence: number | undefined;
  readonly write_back: boolean;
  /** Names in the hub by camera or microphone upstream; an empty name keeps the one upstream. */
  readonly cameras: Readonly<Record<string, string>>;
}

/** The form of a new source; `zone` is the hub's. */
export const emptyDraft = (kind: SourceKind, name: string, zone: string): SourceDraft => ({
  name,
  url: '',
  path: '',
  username: '',
  password: '',
  timezone: zone,
  mqtt_url: '',
  mqtt_topic_prefix: '',
  labels: sourceKinds[kind].labels ?? [],
  min_confidence: undefined,
  write_back: false,
  cameras: {},
});

/** The form of a stored source. */
export function draftOf(source: Source, zone: string): SourceDraft {
  const { options } = source;
  const confidence = options.min_confidence;
  return {
    name: source.name,
    url: source.url ?? '',
    path: source.path ?? '',
    username: source.username ?? '',
    password: source.has_password ? undefined : '',
    timezone: options.timezone ?? zone,
    mqtt_url: options.mqtt_url ?? '',
    mqtt_topic_prefix: options.mqtt_topic_prefix ?? '',
    labels: options.labels ?? sourceKinds[source.kind].labels ?? [],
    min_confidence: confidence === null ? undefined : Math.round(confidence * 100),
    write_back: options.write_back,
    cameras: options.cameras,
  };
}

/** Whether the form of a kind has a field. */
export function hasField(kind: SourceKind, field: FormField): boolean {
  const { url, path, login, timezone, mqttTopic, labels, writeBack } = sourceKinds[kind];
  const present: Record<FormField, boolean> = {
    name: true,
    url: url !== undefined,
    path: path !== undefined,
    username: login !== undefined,
    password: login !== undefined,
    timezone: timezone === true,
    mqtt_url: mqttTopic !== undefined,
    mqtt_topic_prefix: mqttTopic !== undefined,
    labels: labels !== undefined,
    min_confidence: true,
    write_back: writeBack === true,
    cameras: true,
  };
  return present[field];
}

/** Returns the required fields that are empty. */
export function missingFields(kind: SourceKind, draft: SourceDraft): readonly FormField[] {
  const { url, path, timezone } = sourceKinds[kind];
  const needed: FormField[] = ['name'];
  if (url?.isRequired) needed.push('url');
  if (path) needed.push('path');
  if (timezone) needed.push('timezone');
  return needed.filter((field) => String(draft[field] ?? '').trim() === '');
}

/** Completes a typed address: `frigate.local:5000` becomes `http://frigate.local:5000`. */
export function toAddress(text: string, scheme = 'http'): string {
  const address = text.trim();
  return address === '' || /^[a-z][a-z0-9+.-]*:\/\//i.test(address) ? address : `${scheme}://${address}`;
}

/** Returns the value of a field on the wire: null if it is empty, undefined to keep the stored value. */
function wireValue(field: FormField, draft: SourceDraft): unknown {
  const { min_confidence: confidence, labels, write_back, cameras, password } = draft;
  if (field === 'cameras') return mappedCameras(cameras);
  if (field === 'write_back') return write_back;
  if (field === 'labels') return labels.length === 0 ? null : labels;
  if (field === 'min_confidence') return confidence === undefined ? null : confidence / 100;
  if (field === 'password') return password === undefined ? undefined : password || null;
  const text = draft[field].trim();
  if (text === '') return null;
  if (field === 'url') return toAddress(text);
  return field === 'mqtt_url' ? toAddress(text, 'mqtt') : text;
}

/** Returns the cameras that have a name in the hub. */
function mappedCameras(cameras: SourceDraft['cameras']): Readonly<Record<string, string>> {
  const mapped = Object.entries(cameras).map(([upstream, here]) => [upstream, here.trim()] as const);
  return Object.fromEntries(mapped.filter(([, here]) => here !== ''));
}

const optionFields: readonly FormField[] = formFields.slice(formFields.indexOf('timezone'));

/** Converts field values to a request body, with the options in a nested object. */
function toRequest(values: readonly (readonly [FormField, unknown])[]): Record<string, unknown> {
  const isOption = ([field]: readonly [FormField, unknown]) => optionFields.includes(field);
  const options = Object.fromEntries(values.filter(isOption));
  return {
    ...Object.fromEntries(values.filter((value) => !isOption(value))),
    ...(Object.keys(options).length > 0 && { options }),
  };
}

/** Converts the form of a new source to a request body, without fields that are empty or unknown to the kind. */
export function toNewSource(kind: SourceKind, draft: SourceDraft): NewSource {
  const values = formFields
    .filter((field) => hasField(kind, field))
    .map((field) => [field, wireValue(field, draft)] as const);
  return {
    kind,
    ...toRequest(values.filter(([, value]) => value !== null && value !== undefined)),
  } as NewSource;
}

/** Returns the changed fields as a request body; null resets a value. */
export function toChange(source: Source, draft: SourceDraft, zone: string): SourceChange {
  const before = draftOf(source, zone);
  const changed = formFields.filter((field) => {
    if (!hasField(source.kind, field) || (field === 'password' && draft.password === undefined)) return false;
    return JSON.stringify(wireValue(field, draft)) !== JSON.stringify(wireValue(field, before));
  });
  return toRequest(changed.map((field) => [field, wireValue(field, draft)] as const)) as SourceChange;
}

/** Masked broker password in responses of the hub. */
const masked = ':***@';

/** Converts the form to a test request; for a stored source, the hub adds the stored password. */
export function toTest(
  kind: SourceKind,
  draft: SourceDraft,
  stored: Source | undefined,
  zone: string,
): SourceTest {
  const given = toNewSource(kind, draft);
  if (stored === undefined) return given;
  const { mqtt_url: broker, ...options } = given.options ?? {};
  const isMasked = broker?.includes(masked) && draft.mqtt_url === draftOf(stored, zone).mqtt_url;
  return {
    ...given,
    id: stored.id,
    ...(draft.password === '' && stored.has_password && { password: null }),
    options: isMasked || broker === undefined ? options : { ...options, mqtt_url: broker },
  };
}

/** Whether the stored password belongs to another host, so that it must be entered again. */
export function isPasswordLost(stored: Source, draft: SourceDraft): boolean {
  if (!stored.has_password || draft.password !== undefined || stored.url === null) return false;
  const hostOf = (url: string) => {
    const address = toAddress(url);
    return URL.canParse(address) ? new URL(address).host : address;
  };
  return hostOf(draft.url) !== hostOf(stored.url);
}

/** Returns error messages by field; `/options/timezone` maps to `timezone`. */
export function refusalsOf(error: Error | null): Readonly<Partial<Record<FormField, string>>> {
  if (!(error instanceof Problem)) return {};
  const found = error.details.flatMap(({ path, message }) => {
    const parts = path.split('/').filter((part) => part !== '' && part !== 'options');
    const field = formFields.find((one) => one === parts[0]);
    return field === undefined ? [] : [[field, message] as const];
  });
  return Object.fromEntries(found);
}
