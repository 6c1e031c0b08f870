import type { Path } from './places.js';

/** What holds secrets by its name, in any spelling: `api_key`, `apiKey`, `API-Key`. */
const secretName = /password|token|apikey|privatekey|secret/;
/** The same, other than as the plural that counts and lists have (`max_tokens`). */
const singularName = /(?:password|token|apikey|privatekey|secret)(?!s)/;

const openPlaces = new Set(['secrets/latitude', 'secrets/longitude', 'secrets/zip']);

/** Whether what stands at a place is a secret, or holds secrets; all that is in such a thing is secret too. */
export function isSecretPlace(path: Path, value: unknown, isWithinSecret: boolean): boolean {
  if (openPlaces.has(path.join('/'))) return false;
  if (isWithinSecret) return true;
  const name = (path.at(-1) ?? '').toLowerCase().replaceAll(/[-_ ]/g, '');
  const isText = typeof value === 'string' || (typeof value === 'object' && value !== null);
  return (isText ? secretName : singularName).test(name);
}

/** Whether a value is plain data with keys. */
export function isGroup(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A copy in which each secret, a text or number at a secret place, is what `change` makes of it. */
export function mapSecrets(
  value: unknown,
  change: (secret: string | number, path: Path) => unknown,
  path: Path = [],
  isSecret = false,
): unknown {
  if (Array.isArray(value)) {
    return value.map((item, index) => mapSecrets(item, change, [...path, String(index)], isSecret));
  }
  if (isGroup(value)) {
    const entries = Object.entries(value).map(([key, item]) => {
      const place = [...path, key];
      return [key, mapSecrets(item, change, place, isSecretPlace(place, item, isSecret))];
    });
    return Object.fromEntries(entries);
  }
  return isSecret && (typeof value === 'string' || typeof value === 'number') ? change(value, path) : value;
}

/** What stands for a secret in answers, and in a change for the secret as it is. */
export const mask = '***';

/** A copy that shows of each secret only whether it is set. */
export function maskSecrets<T>(settings: T): T {
  return mapSecrets(settings, (secret) => (secret === '' ? '' : mask)) as T;
}
