import { parse } from 'yaml';
import { readText } from './repository-files.js';

/** The fields of a Compose service that the tests check. */
export interface ComposedService {
  readonly image: string;
  readonly pull_policy?: string;
  readonly user?: string;
  readonly tmpfs?: readonly string[];
  readonly stop_grace_period?: string;
  readonly build?: {
    readonly context: string;
    readonly dockerfile: string;
    readonly args: { SERVICE: string };
  };
  readonly environment?: Readonly<Record<string, string>>;
  readonly secrets?: readonly string[];
  readonly volumes?: readonly string[];
  readonly ports?: readonly string[];
  readonly profiles?: readonly string[];
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>;
  readonly restart?: string;
  readonly read_only?: boolean;
  readonly security_opt?: readonly string[];
  readonly logging?: { readonly options: Readonly<Record<string, string>> };
  readonly deploy?: { readonly replicas?: string; readonly resources: { readonly limits: object } };
  readonly healthcheck?: { readonly interval?: string };
}
/** A Docker Compose file. */
export interface Composition {
  readonly services: Readonly<Record<string, ComposedService>>;
  readonly volumes: object;
  readonly secrets: Readonly<Record<string, { readonly file: string }>>;
  readonly networks: object;
}

/** Reads a Compose file in `deploy/`. */
export const readComposition = (name: string) =>
  parse(readText(`deploy/${name}`), { merge: true }) as Composition;
/** The Compose file of the hub. */
export const composition = readComposition('compose.yaml');
/** Its services with their names. */
export const containers = Object.entries(composition.services).map(([name, service]) => ({
  name,
  ...service,
}));
