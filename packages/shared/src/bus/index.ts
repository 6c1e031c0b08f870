export {
  type BusEvent,
  type BusStatus,
  BusUnavailableError,
  type ConsumeOptions,
  type DeadLetter,
  type EventHandler,
  type PublishOptions,
  type StreamExtent,
  type SubscribeOptions,
  type Subscription,
} from './bus.js';
export { deliveriesWithin } from './deliver.js';
export { Bus, type BusOptions } from './nats-bus.js';
export { streamName } from './nats-stream.js';
