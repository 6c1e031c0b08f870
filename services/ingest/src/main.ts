import { runService } from '@birdhub/shared/app';
import { startIngest } from './start.js';

await runService(startIngest, process.env);
