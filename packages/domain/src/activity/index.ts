export { type HubActivityType, hubActivityTypes, isReservedActivity } from './activity-types.js';
