import { parse } from 'yaml';
import { readText } from './repository-files.js';

/** A container of the composition, as far as tests look at it. */
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
/** The parts of a file of Docker Compose. */
export interface Composition {
  readonly services: Readonly<Record<string, ComposedService>>;
  readonly volumes: object;
  readonly secrets: Readonly<Record<string, { readonly file: string }>>;
  readonly networks: object;
}

/** Reads a file of `deploy/`. */
export const readComposition = (name: string) =>
  parse(readText(`deploy/${name}`), { merge: true }) as Composition;
/** The delivered composition. */
export const composition = readComposition('compose.yaml');
/** Its containers with their names. */
export const containers = Object.entries(composition.services).map(([name, service]) => ({
  name,
  ...service,
}));
