import { realpath, stat } from 'node:fs/promises';
import { isAbsolute, sep } from 'node:path';
import { type ErrorDetail, HubError, refuse } from '@birdhub/shared/errors';
import { RefusedAddressError } from '@birdhub/shared/outgoing';
import { isTimeZone } from '@birdhub/shared/time';
import { isName, isPlainText } from '../plain-text.js';
import type { SourceKindName } from './source-kind.js';
import type { OptionsBody, SourceBody, SourceChange } from './sources.schema.js';
import { type SourceFields, type StoredOptions, toSourceConfig } from './sources.store.js';
import type { UpstreamOpener } from './upstream-opener.js';

const emptyFields: SourceFields = {
  name: '',
  url: null,
  username: null,
  path: null,
  options: { cameras: {}, writeBack: false },
  enabled: true,
  secrets: {},
};

/**
 * Applies a change to the fields of a source. The stored password is kept when none is given, unless the host changes, as it
 * would be sent to another host.
 */
export function applyChange(change: SourceChange, before: SourceFields = emptyFields): SourceFields {
  const { name, url, username, password, path, options = {}, enabled } = change;
  const nextUrl = url === undefined ? before.url : normaliseUrl(url);
  const isSameHost = originOf(nextUrl) === originOf(before.url);
  const kept = isSameHost ? before.secrets.password : undefined;
  return {
    name: name === undefined ? before.name : name.trim(),
    url: nextUrl,
    username: username === undefined ? before.username : username || null,
    path: path === undefined ? before.path : path || null,
    options: applyOptions(options, before.options),
    enabled: enabled ?? before.enabled,
    secrets: {
      password: password === undefined ? kept : password || undefined,
      mqttUrl: applyMqttUrl(options.mqtt_url, before.secrets.mqttUrl),
    },
  };
}

/** A masked address means the stored one. */
function applyMqttUrl(given: string | null | undefined, before: string | undefined): string | undefined {
  if (given === undefined || (before !== undefined && given === maskUrl(before))) return before;
  return given?.trim() || undefined;
}

function applyOptions(given: OptionsBody, before: StoredOptions): StoredOptions {
  const choose = <T>(value: T | null | undefined, old: T | undefined): T | undefined =>
    value === undefined ? old : (value ?? undefined);
  return {
    mqttTopicPrefix: choose(given.mqtt_topic_prefix, before.mqttTopicPrefix),
    cameras: given.cameras ?? before.cameras,
    cameraPrefix: before.cameraPrefix,
    labels: choose(given.labels, before.labels as string[] | undefined),
    minConfidence: choose(given.min_confidence, before.minConfidence),
    timezone: choose(given.timezone, before.timezone),
    writeBack: given.write_back ?? before.writeBack,
  };
}

function normaliseUrl(url: string | null): string | null {
  let text = url?.trim() ?? '';
  while (text.endsWith('/')) text = text.slice(0, -1);
  return text || null;
}

function originOf(url: string | null): string | null {
  return url !== null && URL.canParse(url) ? new URL(url).origin : null;
}

/** Returns an address without its password. */
export function maskUrl(url: string): string {
  if (!URL.canParse(url)) return '***';
  const parsed = new URL(url);
  if (!parsed.password) return url;
  parsed.password = '***';
  return parsed.href;
}

/** The context of the validation. */
export interface FormChecks {
  readonly opener: UpstreamOpener;
  readonly hubZone: string;
  /** Folders that paths of sources must neither be in nor contain. */
  readonly ownFolders: readonly string[];
  /** An unchanged path is not checked again, as its file system may be unmounted. */
  readonly isSamePath?: boolean;
}

/** Validates the fields of a source. @throws HubError invalid_request naming each invalid field */
export async function requireValid(
  kind: SourceKindName,
  fields: SourceFields,
  { opener, hubZone, ownFolders, isSamePath = false }: FormChecks,
): Promise<void> {
  const details = [
    ...checkTexts(fields),
    ...checkUrl(fields.url),
    ...checkOptions(fields),
    ...(await checkBroker(fields.secrets.mqttUrl, opener)),
    ...(isSamePath ? [] : await checkPath(fields.path, ownFolders)),
  ];
  const own = details.length ? [] : opener.kindOf(kind).check(toSourceConfig(fields, hubZone));
  const all = [...details, ...own];
  const [first] = all;
  if (first)
    throw new HubError('invalid_request', { message: `${first.path}: ${first.message}`, details: all });
}

/** Refusals whose message has no placeholders. */
type PlainRefusal =
  | 'absolute_path'
  | 'address_query'
  | 'own_folder'
  | 'plain_name'
  | 'plain_text'
  | 'readable_path'
  | 'time_zone'
  | 'topic';

const refuseIf = (isWrong: boolean, path: string, code: PlainRefusal): ErrorDetail[] =>
  isWrong ? [refuse(path, code)] : [];

function checkTexts({ name, username, secrets }: SourceFields): ErrorDetail[] {
  return [
    ...refuseIf(!isName(name), '/name', 'plain_name'),
    ...refuseIf(username !== null && !isPlainText(username), '/username', 'plain_text'),
    ...refuseIf(secrets.password !== undefined && !isPlainText(secrets.password), '/password', 'plain_text'),
  ];
}

function checkUrl(url: string | null): ErrorDetail[] {
  if (url === null) return [];
  const parsed = URL.canParse(url) && isPlainText(url) ? new URL(url) : undefined;
  if (!parsed || !['http:', 'https:'].includes(parsed.protocol)) return [refuse('/url', 'web_address')];
  if (parsed.username || parsed.password) return [refuse('/url', 'address_login')];
  return refuseIf(Boolean(parsed.search || parsed.hash), '/url', 'address_query');
}

function checkOptions({ options }: SourceFields): ErrorDetail[] {
  const { cameras, labels = [], timezone, mqttTopicPrefix } = options;
  const wrong = Object.entries(cameras).find(([upstream, here]) => !isPlainText(upstream) || !isName(here));
  return [
    ...refuseIf(timezone !== undefined && !isTimeZone(timezone), '/options/timezone', 'time_zone'),
    ...refuseIf(
      wrong !== undefined,
      `/options/cameras/${wrong?.[0].replaceAll('~', '~0').replaceAll('/', '~1')}`,
      'plain_name',
    ),
    ...refuseIf(!labels.every(isName), '/options/labels', 'plain_name'),
    ...refuseIf(
      mqttTopicPrefix !== undefined && (!isName(mqttTopicPrefix) || /[+#]/.test(mqttTopicPrefix)),
      '/options/mqtt_topic_prefix',
      'topic',
    ),
  ];
}

async function checkBroker(mqttUrl: string | undefined, opener: UpstreamOpener): Promise<ErrorDetail[]> {
  if (mqttUrl === undefined) return [];
  const path = '/options/mqtt_url';
  const isUrl = URL.canParse(mqttUrl) && /^(mqtts?|tcp|ssl|wss?):\/\/[^/]/.test(mqttUrl);
  if (!isUrl || mqttUrl.includes(':***@') || !isPlainText(mqttUrl)) return [refuse(path, 'broker_address')];
  return opener.checkBroker(mqttUrl).then(
    () => [],
    // A name that cannot be resolved now may be resolvable later.
    (error: unknown) =>
      error instanceof RefusedAddressError
        ? [{ ...refuse(path, error.isOwn ? 'address_own' : 'address_outside'), message: error.message }]
        : [],
  );
}

const systemFolders = ['/proc', '/sys', '/dev', '/run/secrets', '/etc'];
const isWithin = (path: string, folder: string) => path === folder || path.startsWith(folder + sep);

/** A path must exist and be readable, and must not expose folders of the hub. */
async function checkPath(path: string | null, ownFolders: readonly string[]): Promise<ErrorDetail[]> {
  if (path === null) return [];
  const wrong = (code: PlainRefusal) => [refuse('/path', code)];
  if (!isPlainText(path) || !isAbsolute(path)) return wrong('absolute_path');
  const real = await realpath(path).catch(() => undefined);
  const stats = real === undefined ? undefined : await stat(real).catch(() => undefined);
  if (real === undefined || !(stats?.isFile() || stats?.isDirectory())) return wrong('readable_path');
  const own = await Promise.all(ownFolders.map((folder) => realpath(folder).catch(() => folder)));
  const isOwn = own.some((folder) => isWithin(real, folder) || isWithin(folder, real));
  return refuseIf(
    isOwn || real === sep || systemFolders.some((folder) => isWithin(real, folder)),
    '/path',
    'own_folder',
  );
}

/** Converts the body of a test or of a new source to a change. */
export function toChange({ kind: _kind, ...change }: Partial<SourceBody>): SourceChange {
  return change;
}
