import { readFileSync } from 'node:fs';
import { Ajv } from 'ajv';
import type { Static, TObject, TSchema } from 'typebox';

/** A mistake in the environment, in words that name the variables. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

const ajv = new Ajv({ allErrors: true, coerceTypes: true, useDefaults: true, strict: false });

/** The environment variable of a configuration key: `dataDir` is `DATA_DIR`. */
export function variableName(key: string): string {
  return key.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase();
}

function readVariable(env: NodeJS.ProcessEnv, name: string, schema: TSchema): string | undefined {
  const file = 'secret' in schema && schema.secret === true ? env[`${name}_FILE`] : undefined;
  const value = file ? readFileSync(file, 'utf8').trim() : env[name];
  return value === '' ? undefined : value;
}

/**
 * Reads, checks and freezes the configuration of one process.
 * Secrets (`secret: true` in the schema) may stand in the file that `NAME_FILE` names.
 * @throws ConfigError naming every variable that is missing or wrong.
 */
export function readConfig<T extends TObject>(schema: T, env: NodeJS.ProcessEnv): Readonly<Static<T>> {
  const values: Record<string, unknown> = {};
  for (const [key, property] of Object.entries(schema.properties)) {
    const value = readVariable(env, variableName(key), property);
    if (value !== undefined) values[key] = value;
  }
  const validate = ajv.compile<Static<T>>(schema);
  if (validate(values)) return Object.freeze(values);
  const problems = (validate.errors ?? []).map((error) => {
    const key = error.params['missingProperty'] ?? error.instancePath.slice(1);
    return `${variableName(String(key))} ${error.params['missingProperty'] ? 'is missing' : error.message}`;
  });
  throw new ConfigError(`The environment is not right: ${problems.join('; ')}`);
}
