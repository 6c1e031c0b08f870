export type { Attachment, Message, MessageKind } from './channel.js';
export { channelRoutes } from './channels.routes.js';
export { type EnqueuedNotification, enqueueDeliveries } from './deliveries.store.js';
export {
  type ChannelResult,
  type ChannelSummary,
  NotificationChannels,
  type NotificationChannelsDeps,
} from './notification-channels.js';
