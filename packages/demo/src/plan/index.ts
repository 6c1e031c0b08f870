export { type BirdList, birdLists, type GardenBird, type Region, regions } from './bird-lists.js';
export { addDays, type LocalTime, lastDates, localTimeIn } from './local-time.js';
export { lightAt, type PlanOptions, planDay, seasonOf } from './plan-day.js';
export { demoVersion, type PlannedRecording, recordingAt, withTracks } from './plan-recording.js';
export { planVisit, type VisitRecording, type VisitScene } from './plan-visit.js';
export { activityAt } from './rhythm.js';
export { type Place, placeFittingZone, sunOf } from './sun.js';
