import { bundlePrograms } from './dist/bundles.js';

await bundlePrograms();
