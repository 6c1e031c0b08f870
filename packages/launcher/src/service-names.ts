/** The services behind the gateway. */
export const innerServices = ['ingest', 'query', 'reports', 'system'] as const;

export type InnerService = (typeof innerServices)[number];

export const serviceNames = ['gateway', ...innerServices] as const;

export type ServiceName = (typeof serviceNames)[number];
