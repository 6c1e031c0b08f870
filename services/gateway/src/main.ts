import { runService } from '@birdhub/shared/app';
import { startGateway } from './start.js';

await runService(startGateway, process.env);
