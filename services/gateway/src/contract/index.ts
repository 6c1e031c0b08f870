export type { ContractExamples, OperationExample } from './add-examples.js';
export type { ServiceRoutes } from './published-routes.js';
export {
  type Contract,
  contractMethods,
  type Operation,
  readContract,
  type Security,
} from './read-contract.js';
export { writeContract } from './write-contract.js';
