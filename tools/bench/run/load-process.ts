import { handleJob } from './handle-job.js';
import { runLoad } from './run-load.js';

handleJob(runLoad);
