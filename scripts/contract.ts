import { writeFileSync } from 'node:fs';
import { contractFile, generateContract, generateOperations, operationsFile } from './hub-contract.js';

const contract = await generateContract();
writeFileSync(contractFile, contract);
writeFileSync(operationsFile, generateOperations(contract));
