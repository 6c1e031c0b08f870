export { type BirdList, birdListOf, type GardenBird, type Region, regions } from './bird-lists.js';
export { lastDays, lightAt, type PlanOptions, planDay, seasonOf } from './plan-day.js';
export { demoVersion, type PlannedRecording, recordingAt, withTracks } from './plan-recording.js';
export { planVisit, type VisitRecording, type VisitScene } from './plan-visit.js';
export { activityAt } from './rhythm.js';
export { type Place, placeFittingZone, regionPlaces, sunOf } from './sun.js';
