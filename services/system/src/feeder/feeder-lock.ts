/** What a process of the hub does alone under this name: opening feeders, and closing those that were left open. */
export const feederLock = 'feeder';
