import { handleJob } from '../run/handle-job.js';
import { readFiles } from './read-files.js';

handleJob(readFiles);
