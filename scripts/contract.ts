import { writeFileSync } from 'node:fs';
import { contractFile, generateContract } from './hub-contract.js';

writeFileSync(contractFile, await generateContract());
