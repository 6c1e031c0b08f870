import { writeFileSync } from 'node:fs';
import { hubDocuments } from './documents/hub-documents.js';

for (const { file, text } of hubDocuments()) writeFileSync(file, text);
