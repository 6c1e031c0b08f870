import { readFileSync } from 'node:fs';
import { Ajv } from 'ajv';
import type { Static, TObject, TSchema } from 'typebox';
import { errorCode } from '../errors/index.js';

/** Thrown for an invalid configuration; the message names the variables. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

const ajv = new Ajv({
  allErrors: true,
  coerceTypes: true,
  useDefaults: true,
  strict: false,
  // Each schema is used once, at the start.
  validateSchema: false,
  code: { optimize: false },
});

/** Returns the environment variable of a configuration key: `DATA_DIR` for `dataDir`. */
export function variableName(key: string): string {
  return key.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase();
}

function readSecretFile(file: string, name: string): string {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch (error) {
    throw new ConfigError(`${name}_FILE cannot be read (${errorCode(error)})`);
  }
}

function readVariable(env: NodeJS.ProcessEnv, name: string, schema: TSchema): string | undefined {
  const file = 'secret' in schema && schema.secret === true ? env[`${name}_FILE`] : undefined;
  const value = file ? readSecretFile(file, name) : env[name];
  return value === '' ? undefined : value;
}

/**
 * Reads, validates and freezes the configuration of a process. Secrets (`secret: true` in the schema) may be in the
 * file named by `NAME_FILE`.
 * @throws ConfigError naming every missing or invalid variable
 */
export function readConfig<T extends TObject>(schema: T, env: NodeJS.ProcessEnv): Readonly<Static<T>> {
  const values: Record<string, unknown> = {};
  const problems: string[] = [];
  const unreadable = new Set<string>();
  for (const [key, property] of Object.entries(schema.properties)) {
    try {
      const value = readVariable(env, variableName(key), property);
      if (value !== undefined) values[key] = value;
    } catch (error) {
      problems.push((error as ConfigError).message);
      unreadable.add(key);
    }
  }
  const validate = ajv.compile<Static<T>>(schema);
  if (validate(values) && !problems.length) return Object.freeze(values);
  for (const { params, instancePath, message } of validate.errors ?? []) {
    const missing = params['missingProperty'];
    const key = String(missing ?? instancePath.slice(1));
    if (!unreadable.has(key)) problems.push(`${variableName(key)} ${missing ? 'is missing' : message}`);
  }
  throw new ConfigError(`Invalid environment: ${problems.join('; ')}`);
}
