/** Words of weather services and the texts that say them. */
const words = {
  clear: 'weather_clear',
  sunny: 'weather_clear',
  clouds: 'weather_clouds',
  cloudy: 'weather_clouds',
  partlycloudy: 'weather_clouds',
  rain: 'weather_rain',
  rainy: 'weather_rain',
  pouring: 'weather_rain',
  drizzle: 'weather_drizzle',
  snow: 'weather_snow',
  snowy: 'weather_snow',
  thunderstorm: 'weather_thunderstorm',
  lightning: 'weather_thunderstorm',
  mist: 'weather_fog',
  fog: 'weather_fog',
  haze: 'weather_fog',
} as const;

const isKnown = (word: string): word is keyof typeof words => Object.hasOwn(words, word);

/** The text for what a weather service calls the weather; undefined for a word of its own. */
export function weatherWord(main: string | null | undefined): (typeof words)[keyof typeof words] | undefined {
  const word = main?.toLowerCase() ?? '';
  return isKnown(word) ? words[word] : undefined;
}
