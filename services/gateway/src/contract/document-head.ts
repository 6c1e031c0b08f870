/** What the document says of itself and of its groups of operations. */
export const documentInfo = {
  title: 'Birdhub',
  summary: 'The HTTP contract of a hub that stores and serves what detectors see at bird feeders.',
  description:
    'Made from the code of the services. `docs/api-guide.md` shows the usual calls in order.\n\n' +
    '- Times in requests are unix seconds or RFC 3339; in responses they are RFC 3339. A date is a calendar day in ' +
    'the zone of the hub (`general.timezone`). Offsets within a recording are seconds from its start.\n' +
    '- An error has a status of 400 or more and the body `Error`; its `code` is stable.\n' +
    '- Lists carry an `ETag`. With `If-None-Match`, an unchanged list is a 304 without a body.\n' +
    '- A write responds after it is stored, and a read that follows sees it.',
  license: { name: 'MIT', identifier: 'MIT' },
} as const;

/** Where the operations are; the gateway puts its base path in place of the slash when it serves the document. */
export const documentServers = [{ url: '/', description: 'This hub' }] as const;

/** The groups of operations, in the order in which they are shown. */
const tagDescriptions: Readonly<Record<string, string>> = {
  processor: 'What detection processors send: recordings, notices, heartbeats, the species they look for',
  timeline: 'Visits of birds in a window of time',
  overview: 'Figures of a day or another window',
  videos: 'Recordings: their detections, media files and favourites',
  detections: 'Pictures of single detections',
  review: 'What people correct and confirm',
  species: 'The species, their statistics, sounds and calendar, and how they are edited',
  cameras: 'The cameras of the settings and of recordings',
  food: 'Foods that are offered, and the state of the feeder',
  feeder: 'Driving the feeder',
  weather: 'Weather and sun at the hub',
  live: 'Events as they happen',
  reports: 'Reports to print',
  dataset: 'Pictures of detections to train models with',
  access: 'Passwords, sessions and access tokens',
  settings: 'The settings of the hub',
  push: 'Notifications: Web Push subscriptions, deliveries, tests',
  storage: 'Space that recordings take, retention, and the scan of the recordings folder',
  system: 'The host, background jobs, the processor and its log',
  status: 'Whether the hub and its parts work',
  metrics: 'Figures for Prometheus',
  contract: 'This document',
  pages: 'Addresses of pages that clients of the BirdLense family know',
};

/** The descriptions of the tags in use. @throws when one has none */
export function documentTags(used: ReadonlySet<string>): { name: string; description: string }[] {
  const unknown = [...used].find((name) => !Object.hasOwn(tagDescriptions, name));
  if (unknown !== undefined) throw new Error(`The tag ${unknown} has no description`);
  const known = Object.entries(tagDescriptions).filter(([name]) => used.has(name));
  return known.map(([name, description]) => ({ name, description }));
}
