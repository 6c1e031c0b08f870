export { type HubActivityType, hubActivityTypes, isReservedActivity } from './hub-activity.js';
