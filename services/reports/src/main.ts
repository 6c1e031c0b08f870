import { runService } from '@birdhub/shared/app';
import { startReports } from './start.js';

await runService(startReports, process.env);
