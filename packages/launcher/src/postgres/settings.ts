/** How the hub's own PostgreSQL is set: a small machine, one application, data that must survive a power cut. */
const defaults: Readonly<Record<string, string>> = {
  // Nobody but the hub's own user gets at a Unix socket, and no other program can have its address.
  listen_addresses: '',
  max_connections: '80',
  shared_buffers: '96MB',
  effective_cache_size: '512MB',
  jit: 'off',
  random_page_cost: '1.1',
  timezone: 'UTC',
  log_timezone: 'UTC',
  wal_compression: 'on',
  max_wal_size: '2GB',
  checkpoint_timeout: '15min',
  fsync: 'on',
  synchronous_commit: 'on',
  log_line_prefix: '',
};

/** Command line arguments for these settings over the defaults. */
export function toArguments(settings: Readonly<Record<string, string>> = {}): string[] {
  return Object.entries({ ...defaults, ...settings }).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
}
