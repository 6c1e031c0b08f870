import { describeRunningService } from '@birdhub/testing/running-service';
import { startReports } from './start.js';

describeRunningService('reports', startReports);
