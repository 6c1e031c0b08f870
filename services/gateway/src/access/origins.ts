import { ConfigError } from '@birdhub/shared/config';

/**
 * Reads a comma separated list of origins such as `https://birds.example:8443`.
 * @throws ConfigError naming the entry that is none, or not written as browsers write it
 */
export function parseOrigins(list: string): ReadonlySet<string> {
  const entries = list.split(',').map((entry) => entry.trim());
  const origins = entries.filter((entry) => entry !== '');
  for (const origin of origins) {
    const isWeb = /^https?:\/\//.test(origin);
    if (!isWeb || !URL.canParse(origin) || new URL(origin).origin !== origin) {
      throw new ConfigError(`CORS_ORIGINS: ${origin} is no origin such as https://birds.example:8443`);
    }
  }
  return new Set(origins);
}
