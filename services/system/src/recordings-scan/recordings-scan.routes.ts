import { access, type HubApp } from '@birdhub/shared/app';
import { answerLate } from '../answer-late.js';
import { ScanAnswerSchema } from './recordings-scan.schema.js';
import type { ScanDependencies } from './scan.js';
import { scanRecordings } from './scan-recordings.js';

const schema = {
  operationId: 'scanRecordings',
  summary: 'Set files and recordings right with each other',
  description:
    "Files without a recording become one: its time is told by the names of its folders and file in the hub's zone, " +
    'else by its container, else by the file system; its length by the container. Files that are still arriving are ' +
    'left alone. Recordings without a file are `missing`, those whose file is back `ready`. Imports nothing twice.',
  tags: ['storage'],
  security: access.admin,
  response: { 200: ScanAnswerSchema },
};

/** `POST /system/recordings/scan` */
export function recordingsScanRoutes(app: HubApp, dependencies: ScanDependencies): void {
  app.post('/api/ui/system/recordings/scan', { schema }, (_request, reply) =>
    answerLate(reply, scanRecordings(dependencies)),
  );
}
