import { variableName } from '@birdhub/shared/config';
import { gatewayConfig } from '../../services/gateway/src/config.js';
import { ingestConfig } from '../../services/ingest/src/config.js';
import { queryConfig } from '../../services/query/src/config.js';
import { reportsConfig } from '../../services/reports/src/config.js';
import { systemConfig } from '../../services/system/src/config.js';

interface Property {
  readonly description?: string;
  readonly default?: unknown;
  readonly secret?: boolean;
  readonly enum?: readonly string[];
  readonly minimum?: number;
  readonly exclusiveMinimum?: number;
  readonly maximum?: number;
}

interface ConfigSchema {
  readonly properties: Readonly<Record<string, object>>;
  readonly required?: readonly string[];
}

/** A variable of services in the documentation. */
export interface ServiceVariable {
  readonly name: string;
  readonly services: readonly string[];
  /** The default as in an environment; undefined when there is none. */
  readonly default: string | undefined;
  readonly isRequired: boolean;
  readonly isSecret: boolean;
  readonly description: string;
  /** A description of the allowed values; empty when all are allowed. */
  readonly values: string;
}

const configs: Readonly<Record<string, ConfigSchema>> = {
  gateway: gatewayConfig,
  ingest: ingestConfig,
  query: queryConfig,
  reports: reportsConfig,
  system: systemConfig,
};

function valuesOf({ enum: names, minimum, exclusiveMinimum, maximum }: Property): string {
  if (names) return names.join(', ');
  if (maximum === undefined) return '';
  return exclusiveMinimum === undefined
    ? `${minimum} to ${maximum}`
    : `above ${exclusiveMinimum} to ${maximum}`;
}

function variablesOf(service: string, { properties, required = [] }: ConfigSchema): ServiceVariable[] {
  return Object.entries<Property>(properties).map(([key, property]) => ({
    name: variableName(key),
    services: [service],
    default: property.default === undefined ? undefined : String(property.default),
    isRequired: required.includes(key) && property.default === undefined,
    isSecret: property.secret === true,
    description: property.description ?? '',
    values: valuesOf(property),
  }));
}

/** Joins the rows of services with the same variable and description. */
function joinRows(rows: readonly ServiceVariable[]): ServiceVariable[] {
  const joined = new Map<string, ServiceVariable>();
  for (const row of rows) {
    const key = JSON.stringify({ ...row, services: undefined });
    const known = joined.get(key);
    joined.set(key, known ? { ...known, services: [...known.services, ...row.services] } : row);
  }
  return [...joined.values()];
}

/** Returns all variables of services, sorted by name. */
export function serviceVariables(): ServiceVariable[] {
  const rows = Object.entries(configs).flatMap(([service, schema]) => variablesOf(service, schema));
  return joinRows(rows).sort((a, b) => (a.name < b.name ? -1 : Number(a.name > b.name)));
}

/** The names of all services that read variables. */
export const serviceNames = Object.keys(configs);
