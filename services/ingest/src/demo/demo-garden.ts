import type { HubLanguage } from '@birdhub/domain/language';
import { dayMs } from '@birdhub/shared/time';
import type { DemoFood, WeatherHour } from './demo.store.js';

/** Simulates hourly weather at a latitude: seasons, time of day and fronts. */
export function planWeather(from: number, until: number, stepMs: number, latitude: number): WeatherHour[] {
  const hours: WeatherHour[] = [];
  for (let at = Math.ceil(from / stepMs) * stepMs; at < until; at += stepMs)
    hours.push(weatherAt(at, latitude));
  return hours;
}

function weatherAt(at: number, latitude: number): WeatherHour {
  const day = at / dayMs;
  const north = latitude >= 0 ? 1 : -1;
  const summer = Math.sin((2 * Math.PI * (day - 106)) / 365.25) * north;
  const noon = Math.sin(2 * Math.PI * (day - 0.4));
  // Incommensurable periods look random but are deterministic.
  const front = (Math.sin(day / 1.9) + Math.sin(day / 3.3 + 1) + Math.sin(day / 7.1 + 2)) / 3;
  const clouds = Math.round(Math.min(100, Math.max(0, 52 + 70 * front)));
  const temp = 10.5 + 9.5 * summer + (4.2 - clouds / 40) * noon + 3 * Math.sin(day / 4.7);
  const isWet = clouds > 84;
  const [main, description] = isWet
    ? temp < 1
      ? (['Snow', 'light snow'] as const)
      : (['Rain', 'light rain'] as const)
    : clouds > 60
      ? (['Clouds', 'overcast'] as const)
      : clouds > 25
        ? (['Clouds', 'scattered clouds'] as const)
        : (['Clear', 'clear sky'] as const);
  return {
    at,
    main,
    description,
    temp: Math.round(temp * 10) / 10,
    humidity: Math.round(Math.min(98, Math.max(35, 68 + 22 * front - 12 * noon))),
    pressure: Math.round(1_016 - 11 * front),
    clouds,
    wind: Math.round((2.6 + 2.4 * Math.abs(front) + noon * 0.6) * 10) / 10,
  };
}

const foodNames = ['sunflower', 'peanuts', 'suet', 'mealworms'] as const;

type FoodTexts = Readonly<Record<(typeof foodNames)[number], readonly [string, string]>>;

/** Names and descriptions of foods. */
const foodTexts: Readonly<Record<HubLanguage, FoodTexts>> = {
  en: {
    sunflower: ['Shelled sunflower seeds', 'For tits, finches and sparrows, all year round'],
    peanuts: ['Peanuts', 'Unsalted, for woodpeckers, jays and nuthatches'],
    suet: ['Suet balls', 'Energy for cold days'],
    mealworms: ['Mealworms', 'For robins and wrens while they feed their young'],
  },
  de: {
    sunflower: ['Geschälte Sonnenblumenkerne', 'Für Meisen, Finken und Sperlinge, das ganze Jahr'],
    peanuts: ['Erdnüsse', 'Ungesalzen, für Spechte, Häher und Kleiber'],
    suet: ['Meisenknödel', 'Energie für kalte Tage'],
    mealworms: ['Mehlwürmer', 'Für Rotkehlchen und Zaunkönige, solange sie Junge füttern'],
  },
  es: {
    sunflower: ['Pipas de girasol peladas', 'Para carboneros, pinzones y gorriones, todo el año'],
    peanuts: ['Cacahuetes', 'Sin sal, para picos, arrendajos y trepadores'],
    suet: ['Bolas de sebo', 'Energía para los días fríos'],
    mealworms: ['Gusanos de la harina', 'Para petirrojos y chochines mientras alimentan a sus crías'],
  },
  fr: {
    sunflower: [
      'Graines de tournesol décortiquées',
      'Pour les mésanges, les pinsons et les moineaux, toute l’année',
    ],
    peanuts: ['Cacahuètes', 'Non salées, pour les pics, les geais et les sittelles'],
    suet: ['Boules de graisse', 'De l’énergie pour les jours froids'],
    mealworms: ['Vers de farine', 'Pour les rouges-gorges et les troglodytes qui nourrissent leurs petits'],
  },
  it: {
    sunflower: ['Semi di girasole decorticati', 'Per cince, fringuelli e passeri, tutto l’anno'],
    peanuts: ['Arachidi', 'Senza sale, per picchi, ghiandaie e picchi muratori'],
    suet: ['Palle di grasso', 'Energia per i giorni freddi'],
    mealworms: ['Tarme della farina', 'Per pettirossi e scriccioli mentre nutrono i piccoli'],
  },
  nl: {
    sunflower: ['Gepelde zonnepitten', 'Voor mezen, vinken en mussen, het hele jaar'],
    peanuts: ['Pinda’s', 'Ongezouten, voor spechten, gaaien en boomklevers'],
    suet: ['Vetbollen', 'Energie voor koude dagen'],
    mealworms: ['Meelwormen', 'Voor roodborsten en winterkoningen die jongen voeren'],
  },
  pl: {
    sunflower: ['Łuskany słonecznik', 'Dla sikor, zięb i wróbli, przez cały rok'],
    peanuts: ['Orzeszki ziemne', 'Niesolone, dla dzięciołów, sójek i kowalików'],
    suet: ['Kule tłuszczowe', 'Energia na chłodne dni'],
    mealworms: ['Mączniki', 'Dla rudzików i strzyżyków karmiących młode'],
  },
  ru: {
    sunflower: ['Очищенные семечки', 'Для синиц, вьюрков и воробьёв, круглый год'],
    peanuts: ['Арахис', 'Несолёный, для дятлов, соек и поползней'],
    suet: ['Жировые шарики', 'Энергия на холодные дни'],
    mealworms: ['Мучные черви', 'Для зарянок и крапивников, пока они кормят птенцов'],
  },
};

/** Returns foods in a language and when they were offered in the months before an instant. */
export function planFoods(now: number, language: HubLanguage = 'en'): DemoFood[] {
  const ago = (days: number) => now - days * dayMs;
  const periods: Readonly<Record<keyof FoodTexts, DemoFood['periods']>> = {
    sunflower: [{ from: ago(400) }],
    peanuts: [{ from: ago(390), to: ago(240) }, { from: ago(52) }],
    suet: [{ from: ago(380), to: ago(265) }, { from: ago(20) }],
    mealworms: [{ from: ago(225), to: ago(140) }],
  };
  return foodNames.map((food) => {
    const [name, description] = foodTexts[language][food];
    return { name, description, periods: periods[food] };
  });
}
