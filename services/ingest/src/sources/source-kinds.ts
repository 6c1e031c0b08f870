import { birdnetGo } from './birdnet-go/birdnet-go.js';
import { birdnetPi } from './birdnet-pi/birdnet-pi.js';
import { frigate } from './frigate/frigate.js';
import type { SourceKind, SourceKindName } from './source-kind.js';
import { whosAtMyFeeder } from './whosatmyfeeder/whosatmyfeeder.js';
import { yaWamf } from './ya-wamf/ya-wamf.js';

/** All kinds of sources by name. */
export const sourceKinds: Readonly<Record<SourceKindName, SourceKind>> = {
  frigate,
  'birdnet-go': birdnetGo,
  'birdnet-pi': birdnetPi,
  'ya-wamf': yaWamf,
  whosatmyfeeder: whosAtMyFeeder,
};
