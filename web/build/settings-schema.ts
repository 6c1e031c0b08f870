import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Plugin } from 'vite';
import { parse } from 'yaml';

const name = 'virtual:settings-schema';
const contract = fileURLToPath(new URL('../../openapi.yaml', import.meta.url));

/** Gives the page what the contract says of the settings, as the module `virtual:settings-schema`. */
export function settingsSchema(): Plugin {
  return {
    name: 'birdhub:settings-schema',
    resolveId: (id) => (id === name ? `\0${name}` : undefined),
    load(id) {
      if (id !== `\0${name}`) return undefined;
      this.addWatchFile(contract);
      const { components } = parse(readFileSync(contract, 'utf8')) as {
        components: { schemas: { Settings: unknown } };
      };
      return `export const settingsSchema = ${JSON.stringify(components.schemas.Settings)};`;
    },
  };
}
