import { writeFileSync } from 'node:fs';
import { filesOfVersion } from './hub-version.js';

const [, , version = ''] = process.argv;
if (/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version)) {
  for (const { file, text } of filesOfVersion(version)) writeFileSync(file, text);
} else {
  console.error('Usage: npm run version:set -- 1.2.3');
  process.exitCode = 1;
}
