export { type BrokerAddress, type BrokerSettings, toBrokerAddress } from './broker-address.js';
export {
  connectAdmittedBroker,
  connectBroker,
  describeBrokerError,
  originalSizeOf,
} from './broker-client.js';
