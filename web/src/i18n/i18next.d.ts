import type api from '../api/texts/en.json';
import type app from '../app/texts/en.json';
import type share from '../components/share/texts/en.json';
import type components from '../components/texts/en.json';
import type calendar from '../features/calendar/texts/en.json';
import type compare from '../features/compare/texts/en.json';
import type demo from '../features/demo/texts/en.json';
import type liveView from '../features/live-view/texts/en.json';
import type notifications from '../features/notifications/texts/en.json';
import type recording from '../features/recording/texts/en.json';
import type region from '../features/region/texts/en.json';
import type reports from '../features/reports/texts/en.json';
import type review from '../features/review/texts/en.json';
import type session from '../features/session/texts/en.json';
import type settings from '../features/settings/texts/en.json';
import type sightings from '../features/sightings/texts/en.json';
import type sources from '../features/sources/texts/en.json';
import type species from '../features/species/texts/en.json';
import type system from '../features/system/texts/en.json';
import type timeline from '../features/timeline/texts/en.json';
import type today from '../features/today/texts/en.json';
import type wall from '../features/wall/texts/en.json';
import type welcome from '../features/welcome/texts/en.json';

declare module 'i18next' {
  interface CustomTypeOptions {
    defaultNS: 'app';
    keySeparator: false;
    resources: {
      api: typeof api;
      app: typeof app;
      components: typeof components;
      calendar: typeof calendar;
      compare: typeof compare;
      demo: typeof demo;
      'live-view': typeof liveView;
      notifications: typeof notifications;
      recording: typeof recording;
      region: typeof region;
      reports: typeof reports;
      review: typeof review;
      session: typeof session;
      settings: typeof settings;
      share: typeof share;
      sightings: typeof sightings;
      sources: typeof sources;
      species: typeof species;
      system: typeof system;
      timeline: typeof timeline;
      today: typeof today;
      wall: typeof wall;
      welcome: typeof welcome;
    };
  }
}
