export { type BrokerAddress, type BrokerSettings, toBrokerAddress } from './broker-address.js';
export { connectBroker, describeBrokerError } from './broker-client.js';
