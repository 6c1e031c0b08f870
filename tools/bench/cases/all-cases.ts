import type { BenchCase } from './bench-case.js';
import { datasetCase } from './dataset.js';
import { exportCase, scienceExportCase } from './export.js';
import { faceCase } from './face.js';
import { gatewayHopCase } from './gateway-hop.js';
import { importCase } from './import.js';
import { ingestCase } from './ingest.js';
import { labelsCase } from './labels.js';
import { memoryCase } from './memory.js';
import { monitoringCase } from './monitoring.js';
import { partitionsCase } from './partitions.js';
import { picturesCase } from './pictures.js';
import { coldReadsCase, readsCase } from './reads.js';
import { reportCase } from './report.js';
import { sizesCase } from './sizes.js';
import { startUpCase } from './start-up.js';
import { storageCase } from './storage.js';
import { timelineCase } from './timeline.js';
import { videoDetailCase } from './video-detail.js';

/** All cases in the order in which they run; those that change the store are last. */
export const allCases: readonly BenchCase[] = [
  sizesCase,
  timelineCase,
  videoDetailCase,
  readsCase,
  exportCase,
  scienceExportCase,
  datasetCase,
  reportCase,
  gatewayHopCase,
  monitoringCase,
  ingestCase,
  coldReadsCase,
  labelsCase,
  importCase,
  startUpCase,
  memoryCase,
  picturesCase,
  faceCase,
  storageCase,
  partitionsCase,
];
