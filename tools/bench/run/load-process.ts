import { answerJob } from './answer-job.js';
import { runLoad } from './run-load.js';

answerJob(runLoad);
