/** How often one client address may call a route; the gateway enforces what the contract publishes. */
export interface RouteLimit {
  readonly max: number;
  readonly windowSeconds: number;
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Published as `x-hub-limit`. */
    limit?: RouteLimit;
  }
}

/** For routes that take much work, or that anybody may fill: `config: { limit: limits.export }`. */
export const limits = {
  render: { max: 60, windowSeconds: 60 },
  export: { max: 120, windowSeconds: 60 },
  dataset: { max: 30, windowSeconds: 60 },
  picture: { max: 1_200, windowSeconds: 60 },
  subscription: { max: 120, windowSeconds: 60 },
} as const satisfies Record<string, RouteLimit>;
