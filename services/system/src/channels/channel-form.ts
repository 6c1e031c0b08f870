import { type ErrorDetail, HubError, refuse } from '@birdhub/shared/errors';
import { compileSchema, toDetails } from '@birdhub/shared/validation';
import type { TSchema } from 'typebox';
import type { ChannelKind } from './channel.js';
import { type ChannelKindName, channelKindNames, channelOptions } from './channel-kinds.js';
import type { ChannelFields } from './channels.store.js';

/** A requested change of a channel; absent fields stay. */
export interface ChannelChange {
  readonly name?: string | undefined;
  readonly enabled?: boolean | undefined;
  readonly options?: Readonly<Record<string, unknown>> | undefined;
  /** Null or an empty text clears a secret. */
  readonly secrets?: Readonly<Record<string, string | null>> | undefined;
}

const validators = Object.fromEntries(
  channelKindNames.map((kind) => [kind, compileSchema(channelOptions[kind], 'all')]),
) as Record<ChannelKindName, ReturnType<typeof compileSchema>>;

const emptyFields: ChannelFields = { name: '', enabled: true, options: {}, secrets: {} };
// Rejected in input: line breaks could inject protocol lines, and lone surrogates cannot be stored.
const controlCharacters = /[\p{Cc}\p{Cs}]/u;
const maxSecretLength = 4_096;

/**
 * Applies a change to the fields of a channel. Stored secrets are dropped when the address changes, as they could
 * otherwise be redirected.
 * @throws HubError invalid_request naming each invalid field
 */
export function applyChange(
  kind: ChannelKindName,
  change: ChannelChange,
  { addressOf, check, secrets: secretNames }: ChannelKind,
  before: ChannelFields = emptyFields,
): ChannelFields {
  const name = change.name === undefined ? before.name : change.name.trim();
  const options = withDefaults(kind, { ...before.options, ...change.options });
  const secrets = applySecrets(change.secrets ?? {}, before.secrets);
  const fields = { name, enabled: change.enabled ?? before.enabled, options, secrets };
  const mistakes = [
    ...checkName(name),
    ...checkOptions(kind, options),
    ...checkSecrets(secrets, secretNames),
  ];
  if (mistakes.length) throw invalid(mistakes);
  const isRedirected = before !== emptyFields && addressOf(before.options) !== addressOf(options);
  const unconfirmed = isRedirected
    ? Object.keys(before.secrets).filter((secret) => isKept(secret, change))
    : [];
  const refusals = [
    ...unconfirmed.map((secret) => refuse(`/secrets/${secret}`, 'secret_again')),
    ...check(options, secrets),
  ];
  if (refusals.length) throw invalid(refusals);
  return fields;
}

function isKept(secret: string, { secrets = {} }: ChannelChange): boolean {
  return secrets[secret] === undefined;
}

/** Null resets an option. */
function withDefaults(
  kind: ChannelKindName,
  options: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const properties = Object.entries<TSchema & { readonly default?: unknown }>(
    channelOptions[kind].properties,
  );
  const present = Object.entries(options).filter(([, value]) => value !== null && value !== undefined);
  const defaults = properties.filter(([, property]) => property.default !== undefined);
  return Object.fromEntries([...defaults.map(([key, property]) => [key, property.default]), ...present]);
}

function applySecrets(
  changes: Readonly<Record<string, string | null>>,
  before: Readonly<Record<string, string>>,
): Record<string, string> {
  const merged = Object.entries({ ...before, ...changes });
  return Object.fromEntries(merged.filter((entry): entry is [string, string] => Boolean(entry[1])));
}

function checkName(name: string): ErrorDetail[] {
  if (name && !controlCharacters.test(name)) return [];
  return [refuse('/name', 'plain_name')];
}

function checkOptions(kind: ChannelKindName, options: Readonly<Record<string, unknown>>): ErrorDetail[] {
  const validate = validators[kind];
  if (!validate(options))
    return toDetails(validate.errors ?? [], 'body').map((detail) => ({
      ...detail,
      path: `/options${detail.path}`,
    }));
  return Object.entries(options)
    .filter(([, value]) =>
      [value].flat().some((text) => typeof text === 'string' && controlCharacters.test(text)),
    )
    .map(([key]) => refuse(`/options/${key}`, 'plain_text'));
}

function checkSecrets(secrets: Readonly<Record<string, string>>, known: readonly string[]): ErrorDetail[] {
  return Object.entries(secrets).flatMap(([name, value]) => {
    const path = `/secrets/${name}`;
    if (!known.includes(name)) return [refuse(path, 'unknown_field')];
    if (value.length > maxSecretLength) return [refuse(path, 'too_long', { limit: maxSecretLength })];
    // Addresses of services may be separated by line breaks.
    const text = name === 'urls' ? value.replaceAll(/[\r\n\t]/g, ' ') : value;
    return controlCharacters.test(text) ? [refuse(path, 'plain_text')] : [];
  });
}

function invalid(details: readonly ErrorDetail[]): HubError {
  const [first] = details;
  return new HubError('invalid_request', {
    message: `${first?.path}: ${first?.message}`,
    details: [...details],
  });
}
