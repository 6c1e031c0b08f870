import { runService } from '@birdhub/shared/app';
import { startQuery } from './start.js';

await runService(startQuery, process.env);
