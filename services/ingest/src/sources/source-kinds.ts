import { frigate } from './frigate/frigate.js';
import type { SourceKind, SourceKindName } from './source-kind.js';

/** Every kind of source, by its name. */
export const sourceKinds: Readonly<Partial<Record<SourceKindName, SourceKind>>> = { frigate };
