/** By which events and log lines of an import are known. */
export const requestId = 'import-birdlense';
