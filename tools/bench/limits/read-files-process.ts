import { answerJob } from '../run/answer-job.js';
import { readFiles } from './read-files.js';

answerJob(readFiles);
