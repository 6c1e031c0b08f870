import type app from '../app/texts/en.json';
import type calendar from '../calendar/texts/en.json';
import type notifications from '../notifications/texts/en.json';
import type recording from '../recording/texts/en.json';
import type region from '../region/texts/en.json';
import type reports from '../reports/texts/en.json';
import type review from '../review/texts/en.json';
import type session from '../session/texts/en.json';
import type settings from '../settings/texts/en.json';
import type shortcuts from '../shortcuts/texts/en.json';
import type species from '../species/texts/en.json';
import type speciesChoice from '../species-choice/texts/en.json';
import type states from '../states/texts/en.json';
import type system from '../system/texts/en.json';
import type timeline from '../timeline/texts/en.json';
import type today from '../today/texts/en.json';
import type visits from '../visits/texts/en.json';

declare module 'i18next' {
  interface CustomTypeOptions {
    defaultNS: 'app';
    keySeparator: false;
    resources: {
      app: typeof app;
      calendar: typeof calendar;
      notifications: typeof notifications;
      recording: typeof recording;
      region: typeof region;
      reports: typeof reports;
      review: typeof review;
      session: typeof session;
      settings: typeof settings;
      species: typeof species;
      shortcuts: typeof shortcuts;
      'species-choice': typeof speciesChoice;
      states: typeof states;
      system: typeof system;
      timeline: typeof timeline;
      today: typeof today;
      visits: typeof visits;
    };
  }
}
