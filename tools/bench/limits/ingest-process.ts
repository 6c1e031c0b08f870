import { handleJob } from '../run/handle-job.js';
import { runBareIngest } from './bare-ingest.js';

handleJob(runBareIngest);
