export { type BrokerAddress, type BrokerSettings, toBrokerAddress } from './broker-address.js';
export { connectBroker, describeBrokerError, originalSizeOf } from './broker-client.js';
