export type { Attachment, Message, MessageKind } from './channel.js';
export { ChannelHub, type ChannelHubDeps, type ChannelResult, type ChannelSummary } from './channel-hub.js';
export { channelRoutes } from './channels.routes.js';
export { type EnqueuedNotification, enqueueDeliveries } from './deliveries.store.js';
