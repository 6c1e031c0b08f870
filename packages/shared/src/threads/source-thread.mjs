import { register } from 'tsx/esm/api';

// A thread does not inherit the loader that tests and development run the source with.
register();
await import(process.argv[2]);
