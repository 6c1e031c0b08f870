/** Bodies are held to a rate; this is for those that keep it and never end. */
const requestTimeoutMs = 3_600_000;

/** How long clients may take, and how much they may say of their requests, as options of a server. */
export function connectionLimits(headersTimeoutMs = 15_000) {
  return {
    http: {
      headersTimeout: headersTimeoutMs,
      // Node looks for connections that take too long only so often.
      connectionsCheckingInterval: headersTimeoutMs / 3,
      maxHeaderSize: 16_384,
    },
    requestTimeout: requestTimeoutMs,
    keepAliveTimeout: 75_000,
  };
}
