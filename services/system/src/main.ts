import { runService } from '@birdhub/shared/app';
import { startSystem } from './start.js';

await runService(startSystem, process.env);
