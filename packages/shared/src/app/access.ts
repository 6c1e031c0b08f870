/** Who may call an operation, as OpenAPI security requirements; the gateway enforces them. */
export const access = {
  /** Everybody. */
  open: [],
  /** A contributor or the administrator. */
  contributor: [{ session: ['contributor'] }],
  /** The administrator. */
  admin: [{ session: ['admin'] }],
  /** The administrator or the bearer of `MCP_TOKEN`. */
  adminOrMcp: [{ session: ['admin'] }, { mcp: [] as string[] }],
  /** A detection processor with its token. */
  processor: [{ processor: [] as string[] }],
} as const;
