import { answerJob } from '../run/answer-job.js';
import { runBareIngest } from './bare-ingest.js';

answerJob(runBareIngest);
