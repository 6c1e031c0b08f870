import { type HubLanguage, hubLanguages, type Plural } from '@birdhub/domain/language';
import type { RuleTrigger } from './alert-rule.js';

/** Triggers that are mentioned as the reason in messages. */
type ReasonTrigger = Exclude<
  RuleTrigger,
  | 'any_visit'
  | 'favourite_species'
  | 'other_animal'
  | 'detector_silent'
  | 'storage_short'
  | 'source_silent'
  | 'first_of_season'
  | 'returns_after'
>;

/** The texts of messages and digests; names in braces are placeholders. */
export interface MessageTexts {
  readonly hereSince: string;
  readonly seenAt: string;
  readonly reasons: Readonly<Record<ReasonTrigger, string>>;
  readonly firstAfterDays: Plural;
  readonly backAfterDays: Plural;
  readonly correction: string;
  readonly corrected: string;
  readonly storageShort: string;
  readonly storageShortBody: string;
  readonly sourceSilent: string;
  readonly sourceSilentMinutes: Plural;
  readonly sourceSilentHours: Plural;
  readonly detectorSilent: string;
  readonly detectorSilentMinutes: Plural;
  readonly detectorSilentHours: Plural;
  readonly test: string;
  readonly noBirds: string;
  readonly summary: string;
  readonly more: string;
  readonly fewer: string;
  readonly same: string;
  /** Comparison periods of a day, a week and other periods, which follow `more` and `fewer`. */
  readonly before: Readonly<Record<'day' | 'week' | 'time', string>>;
  readonly isNew: string;
  readonly best: string;
  readonly silentDay: string;
  readonly silentDays: Plural;
}

const texts: Readonly<Record<HubLanguage, MessageTexts>> = {
  en: {
    hereSince: 'Here since {time}',
    seenAt: 'Seen at {time}',
    reasons: {
      first_ever: 'First visit ever',
      first_of_year: 'First of the year',
      first_of_day: 'First today',
      rare_here: 'Rare here',
      rare_in_region: 'Rare in the region',
    },
    firstAfterDays: { one: 'First after # day or more', other: 'First after # days or more' },
    backAfterDays: { one: 'Back after # day or more', other: 'Back after # days or more' },
    correction: 'Correction: {species}',
    corrected: 'The bird reported at {time} as {reported} is: {species}',
    storageShort: 'Storage is running low',
    storageShortBody: 'The disk is nearly full, and nothing is left that may be deleted.',
    sourceSilent: '{source} is silent',
    sourceSilentMinutes: {
      one: 'The source has not been reached for # minute.',
      other: 'The source has not been reached for # minutes.',
    },
    sourceSilentHours: {
      one: 'The source has not been reached for # hour.',
      other: 'The source has not been reached for # hours.',
    },
    detectorSilent: 'The detector is silent',
    detectorSilentMinutes: {
      one: 'No detector has reported for # minute.',
      other: 'No detector has reported for # minutes.',
    },
    detectorSilentHours: {
      one: 'No detector has reported for # hour.',
      other: 'No detector has reported for # hours.',
    },
    test: 'Test message, {time}',
    noBirds: 'No birds came.',
    summary: '{visits} by {species}',
    more: '{percent}% more than {before}',
    fewer: '{percent}% fewer than {before}',
    same: 'as many as {before}',
    before: { day: 'the day before', week: 'the week before', time: 'the same time before' },
    isNew: 'New: {species}',
    best: 'Best picture: {species}',
    silentDay: 'The detector did not report all day.',
    silentDays: { one: '# day without the detector.', other: '# days without the detector.' },
  },
  de: {
    hereSince: 'Hier seit {time} Uhr',
    seenAt: 'Gesehen um {time} Uhr',
    reasons: {
      first_ever: 'Allererster Besuch',
      first_of_year: 'Zum ersten Mal in diesem Jahr',
      first_of_day: 'Zum ersten Mal heute',
      rare_here: 'Hier selten',
      rare_in_region: 'In der Region selten',
    },
    firstAfterDays: {
      one: 'Zum ersten Mal nach mindestens # Tag',
      other: 'Zum ersten Mal nach mindestens # Tagen',
    },
    backAfterDays: { one: 'Zurück nach mindestens # Tag', other: 'Zurück nach mindestens # Tagen' },
    correction: 'Korrektur: {species}',
    corrected: 'Was um {time} Uhr als {reported} gemeldet wurde, ist {species}',
    storageShort: 'Der Speicher wird knapp',
    storageShortBody: 'Es fehlt Platz, und es ist nichts mehr da, was gelöscht werden darf.',
    sourceSilent: '{source} schweigt',
    sourceSilentMinutes: {
      one: 'Die Quelle wurde seit # Minute nicht erreicht.',
      other: 'Die Quelle wurde seit # Minuten nicht erreicht.',
    },
    sourceSilentHours: {
      one: 'Die Quelle wurde seit # Stunde nicht erreicht.',
      other: 'Die Quelle wurde seit # Stunden nicht erreicht.',
    },
    detectorSilent: 'Der Detektor schweigt',
    detectorSilentMinutes: {
      one: 'Seit # Minute hat sich kein Detektor gemeldet.',
      other: 'Seit # Minuten hat sich kein Detektor gemeldet.',
    },
    detectorSilentHours: {
      one: 'Seit # Stunde hat sich kein Detektor gemeldet.',
      other: 'Seit # Stunden hat sich kein Detektor gemeldet.',
    },
    test: 'Testnachricht von {time} Uhr',
    noBirds: 'Es kamen keine Vögel.',
    summary: '{visits} von {species}',
    more: '{percent} % mehr als {before}',
    fewer: '{percent} % weniger als {before}',
    same: 'so viele wie {before}',
    before: { day: 'am Vortag', week: 'in der Woche davor', time: 'in der gleichen Zeit davor' },
    isNew: 'Neu: {species}',
    best: 'Bestes Bild: {species}',
    silentDay: 'Der Detektor hat sich den ganzen Tag nicht gemeldet.',
    silentDays: { one: '# Tag ohne Detektor.', other: '# Tage ohne Detektor.' },
  },
  ru: {
    hereSince: 'Здесь с {time}',
    seenAt: 'Наблюдение в {time}',
    reasons: {
      first_ever: 'Впервые за всё время',
      first_of_year: 'Впервые в этом году',
      first_of_day: 'Впервые сегодня',
      rare_here: 'Редкость здесь',
      rare_in_region: 'Редкость в регионе',
    },
    firstAfterDays: {
      one: 'Впервые за # день или дольше',
      few: 'Впервые за # дня или дольше',
      many: 'Впервые за # дней или дольше',
      other: 'Впервые за # дня или дольше',
    },
    backAfterDays: {
      one: 'Снова здесь через # день или позже',
      few: 'Снова здесь через # дня или позже',
      many: 'Снова здесь через # дней или позже',
      other: 'Снова здесь через # дня или позже',
    },
    correction: 'Исправление: {species}',
    corrected: 'Сообщение в {time} о виде «{reported}»: на самом деле это «{species}»',
    storageShort: 'Заканчивается место',
    storageShortBody: 'Места не хватает, и больше нечего удалить.',
    sourceSilent: '{source}: нет связи',
    sourceSilentMinutes: {
      one: 'Источник недоступен уже # минуту.',
      few: 'Источник недоступен уже # минуты.',
      many: 'Источник недоступен уже # минут.',
      other: 'Источник недоступен уже # минуты.',
    },
    sourceSilentHours: {
      one: 'Источник недоступен уже # час.',
      few: 'Источник недоступен уже # часа.',
      many: 'Источник недоступен уже # часов.',
      other: 'Источник недоступен уже # часа.',
    },
    detectorSilent: 'Детектор молчит',
    detectorSilentMinutes: {
      one: 'От детекторов нет вестей уже # минуту.',
      few: 'От детекторов нет вестей уже # минуты.',
      many: 'От детекторов нет вестей уже # минут.',
      other: 'От детекторов нет вестей уже # минуты.',
    },
    detectorSilentHours: {
      one: 'От детекторов нет вестей уже # час.',
      few: 'От детекторов нет вестей уже # часа.',
      many: 'От детекторов нет вестей уже # часов.',
      other: 'От детекторов нет вестей уже # часа.',
    },
    test: 'Проверочное сообщение, {time}',
    noBirds: 'Птиц не было.',
    summary: '{visits}, {species}',
    more: 'на {percent} % больше, чем {before}',
    fewer: 'на {percent} % меньше, чем {before}',
    same: 'столько же, сколько {before}',
    before: { day: 'накануне', week: 'неделей раньше', time: 'за такой же срок до этого' },
    isNew: 'Новые: {species}',
    best: 'Лучший снимок: {species}',
    silentDay: 'Весь день от детектора не было вестей.',
    silentDays: {
      one: '# день без детектора.',
      few: '# дня без детектора.',
      many: '# дней без детектора.',
      other: '# дня без детектора.',
    },
  },
  fr: {
    hereSince: 'Ici depuis {time}',
    seenAt: 'Vu à {time}',
    reasons: {
      first_ever: 'Toute première visite',
      first_of_year: 'Première fois de l’année',
      first_of_day: 'Première fois aujourd’hui',
      rare_here: 'Rare ici',
      rare_in_region: 'Rare dans la région',
    },
    firstAfterDays: {
      one: 'Première fois après # jour d’absence ou plus',
      many: 'Première fois après # jours d’absence ou plus',
      other: 'Première fois après # jours d’absence ou plus',
    },
    backAfterDays: {
      one: 'De retour après # jour ou plus',
      many: 'De retour après # jours ou plus',
      other: 'De retour après # jours ou plus',
    },
    correction: 'Correction : {species}',
    corrected: 'L’oiseau annoncé à {time} comme {reported} est en fait : {species}',
    storageShort: 'L’espace de stockage vient à manquer',
    storageShortBody: 'La place manque et il ne reste rien qui puisse être supprimé.',
    sourceSilent: '{source} ne répond plus',
    sourceSilentMinutes: {
      one: 'La source est injoignable depuis # minute.',
      many: 'La source est injoignable depuis # minutes.',
      other: 'La source est injoignable depuis # minutes.',
    },
    sourceSilentHours: {
      one: 'La source est injoignable depuis # heure.',
      many: 'La source est injoignable depuis # heures.',
      other: 'La source est injoignable depuis # heures.',
    },
    detectorSilent: 'Le détecteur est silencieux',
    detectorSilentMinutes: {
      one: 'Aucun détecteur ne s’est manifesté depuis # minute.',
      many: 'Aucun détecteur ne s’est manifesté depuis # minutes.',
      other: 'Aucun détecteur ne s’est manifesté depuis # minutes.',
    },
    detectorSilentHours: {
      one: 'Aucun détecteur ne s’est manifesté depuis # heure.',
      many: 'Aucun détecteur ne s’est manifesté depuis # heures.',
      other: 'Aucun détecteur ne s’est manifesté depuis # heures.',
    },
    test: 'Message de test de {time}',
    noBirds: 'Aucun oiseau n’est venu.',
    summary: '{visits} de {species}',
    more: '{percent} % de plus que {before}',
    fewer: '{percent} % de moins que {before}',
    same: 'autant que {before}',
    before: { day: 'la veille', week: 'la semaine précédente', time: 'la période précédente' },
    isNew: 'Nouveau : {species}',
    best: 'Meilleure image : {species}',
    silentDay: 'Le détecteur est resté silencieux toute la journée.',
    silentDays: {
      one: '# jour sans détecteur.',
      many: '# jours sans détecteur.',
      other: '# jours sans détecteur.',
    },
  },
  es: {
    hereSince: 'Aquí desde las {time}',
    seenAt: 'Vista a las {time}',
    reasons: {
      first_ever: 'Primera visita de todas',
      first_of_year: 'Primera del año',
      first_of_day: 'Primera de hoy',
      rare_here: 'Rara aquí',
      rare_in_region: 'Rara en la región',
    },
    firstAfterDays: {
      one: 'Primera vez tras # día o más',
      many: 'Primera vez tras # días o más',
      other: 'Primera vez tras # días o más',
    },
    backAfterDays: {
      one: 'De vuelta tras # día o más',
      many: 'De vuelta tras # días o más',
      other: 'De vuelta tras # días o más',
    },
    correction: 'Corrección: {species}',
    corrected: 'Lo que se anunció a las {time} como {reported} es {species}',
    storageShort: 'Queda poco espacio',
    storageShortBody: 'Falta espacio y no queda nada que se pueda eliminar.',
    sourceSilent: '{source} no responde',
    sourceSilentMinutes: {
      one: 'No hay conexión con la fuente desde hace # minuto.',
      many: 'No hay conexión con la fuente desde hace # minutos.',
      other: 'No hay conexión con la fuente desde hace # minutos.',
    },
    sourceSilentHours: {
      one: 'No hay conexión con la fuente desde hace # hora.',
      many: 'No hay conexión con la fuente desde hace # horas.',
      other: 'No hay conexión con la fuente desde hace # horas.',
    },
    detectorSilent: 'El detector está en silencio',
    detectorSilentMinutes: {
      one: 'Ningún detector da señales desde hace # minuto.',
      many: 'Ningún detector da señales desde hace # minutos.',
      other: 'Ningún detector da señales desde hace # minutos.',
    },
    detectorSilentHours: {
      one: 'Ningún detector da señales desde hace # hora.',
      many: 'Ningún detector da señales desde hace # horas.',
      other: 'Ningún detector da señales desde hace # horas.',
    },
    test: 'Mensaje de prueba de las {time}',
    noBirds: 'No vino ningún ave.',
    summary: '{visits} de {species}',
    more: 'un {percent} % más que {before}',
    fewer: 'un {percent} % menos que {before}',
    same: 'tantas como {before}',
    before: { day: 'el día anterior', week: 'la semana anterior', time: 'el período anterior' },
    isNew: 'Nuevas: {species}',
    best: 'Mejor imagen: {species}',
    silentDay: 'El detector no dio señales en todo el día.',
    silentDays: {
      one: '# día sin el detector.',
      many: '# días sin el detector.',
      other: '# días sin el detector.',
    },
  },
  it: {
    hereSince: 'Qui dalle {time}',
    seenAt: 'Visto alle {time}',
    reasons: {
      first_ever: 'Prima visita in assoluto',
      first_of_year: 'Prima dell’anno',
      first_of_day: 'Prima di oggi',
      rare_here: 'Rara qui',
      rare_in_region: 'Rara nella regione',
    },
    firstAfterDays: {
      one: 'Prima volta dopo almeno # giorno',
      many: 'Prima volta dopo almeno # giorni',
      other: 'Prima volta dopo almeno # giorni',
    },
    backAfterDays: {
      one: 'Di ritorno dopo almeno # giorno',
      many: 'Di ritorno dopo almeno # giorni',
      other: 'Di ritorno dopo almeno # giorni',
    },
    correction: 'Correzione: {species}',
    corrected: 'Quello segnalato alle {time} come {reported} è {species}',
    storageShort: 'Lo spazio sta finendo',
    storageShortBody: 'Manca spazio e non resta nulla che si possa eliminare.',
    sourceSilent: '{source} non risponde',
    sourceSilentMinutes: {
      one: 'La fonte non è raggiungibile da # minuto.',
      many: 'La fonte non è raggiungibile da # minuti.',
      other: 'La fonte non è raggiungibile da # minuti.',
    },
    sourceSilentHours: {
      one: 'La fonte non è raggiungibile da # ora.',
      many: 'La fonte non è raggiungibile da # ore.',
      other: 'La fonte non è raggiungibile da # ore.',
    },
    detectorSilent: 'Il rilevatore tace',
    detectorSilentMinutes: {
      one: 'Nessun rilevatore si fa sentire da # minuto.',
      many: 'Nessun rilevatore si fa sentire da # minuti.',
      other: 'Nessun rilevatore si fa sentire da # minuti.',
    },
    detectorSilentHours: {
      one: 'Nessun rilevatore si fa sentire da # ora.',
      many: 'Nessun rilevatore si fa sentire da # ore.',
      other: 'Nessun rilevatore si fa sentire da # ore.',
    },
    test: 'Messaggio di prova delle {time}',
    noBirds: 'Non è venuto nessun uccello.',
    summary: '{visits} di {species}',
    more: 'il {percent}% in più rispetto {before}',
    fewer: 'il {percent}% in meno rispetto {before}',
    same: 'senza variazioni rispetto {before}',
    before: { day: 'al giorno prima', week: 'alla settimana prima', time: 'al periodo prima' },
    isNew: 'Nuove: {species}',
    best: 'Immagine migliore: {species}',
    silentDay: 'Il rilevatore non si è fatto sentire per tutto il giorno.',
    silentDays: {
      one: '# giorno senza rilevatore.',
      many: '# giorni senza rilevatore.',
      other: '# giorni senza rilevatore.',
    },
  },
  nl: {
    hereSince: 'Hier sinds {time}',
    seenAt: 'Gezien om {time}',
    reasons: {
      first_ever: 'Allereerste bezoek',
      first_of_year: 'Eerste van het jaar',
      first_of_day: 'Eerste van vandaag',
      rare_here: 'Hier zeldzaam',
      rare_in_region: 'Zeldzaam in de regio',
    },
    firstAfterDays: { one: 'Voor het eerst na # dag of meer', other: 'Voor het eerst na # dagen of meer' },
    backAfterDays: { one: 'Terug na # dag of meer', other: 'Terug na # dagen of meer' },
    correction: 'Correctie: {species}',
    corrected: 'Wat om {time} als {reported} werd gemeld, is {species}',
    storageShort: 'De opslag raakt vol',
    storageShortBody: 'Er is te weinig ruimte en niets meer dat verwijderd mag worden.',
    sourceSilent: '{source} is stil',
    sourceSilentMinutes: {
      one: 'De bron is al # minuut niet bereikt.',
      other: 'De bron is al # minuten niet bereikt.',
    },
    sourceSilentHours: {
      one: 'De bron is al # uur niet bereikt.',
      other: 'De bron is al # uur niet bereikt.',
    },
    detectorSilent: 'De detector is stil',
    detectorSilentMinutes: {
      one: 'Al # minuut geen teken van een detector.',
      other: 'Al # minuten geen teken van een detector.',
    },
    detectorSilentHours: {
      one: 'Al # uur geen teken van een detector.',
      other: 'Al # uur geen teken van een detector.',
    },
    test: 'Testbericht van {time}',
    noBirds: 'Er kwamen geen vogels.',
    summary: '{visits} van {species}',
    more: '{percent}% meer dan {before}',
    fewer: '{percent}% minder dan {before}',
    same: 'evenveel als {before}',
    before: { day: 'de dag ervoor', week: 'de week ervoor', time: 'de periode ervoor' },
    isNew: 'Nieuw: {species}',
    best: 'Beste foto: {species}',
    silentDay: 'De detector gaf de hele dag geen teken.',
    silentDays: { one: '# dag zonder detector.', other: '# dagen zonder detector.' },
  },
  pl: {
    hereSince: 'Tutaj od {time}',
    seenAt: 'Zauważono o {time}',
    reasons: {
      first_ever: 'Pierwsza wizyta w historii',
      first_of_year: 'Pierwszy raz w tym roku',
      first_of_day: 'Pierwszy raz dzisiaj',
      rare_here: 'Rzadki gość',
      rare_in_region: 'Rzadkość w regionie',
    },
    firstAfterDays: {
      one: 'Pierwszy raz po co najmniej # dniu',
      few: 'Pierwszy raz po co najmniej # dniach',
      many: 'Pierwszy raz po co najmniej # dniach',
      other: 'Pierwszy raz po co najmniej # dnia',
    },
    backAfterDays: {
      one: 'Powrót po co najmniej # dniu',
      few: 'Powrót po co najmniej # dniach',
      many: 'Powrót po co najmniej # dniach',
      other: 'Powrót po co najmniej # dnia',
    },
    correction: 'Poprawka: {species}',
    corrected: 'Zgłoszenie z {time} ({reported}) to w rzeczywistości: {species}',
    storageShort: 'Kończy się miejsce',
    storageShortBody: 'Brakuje miejsca i nie ma już niczego, co wolno usunąć.',
    sourceSilent: '{source}: brak połączenia',
    sourceSilentMinutes: {
      one: 'Brak połączenia ze źródłem od # minuty.',
      few: 'Brak połączenia ze źródłem od # minut.',
      many: 'Brak połączenia ze źródłem od # minut.',
      other: 'Brak połączenia ze źródłem od # minuty.',
    },
    sourceSilentHours: {
      one: 'Brak połączenia ze źródłem od # godziny.',
      few: 'Brak połączenia ze źródłem od # godzin.',
      many: 'Brak połączenia ze źródłem od # godzin.',
      other: 'Brak połączenia ze źródłem od # godziny.',
    },
    detectorSilent: 'Detektor milczy',
    detectorSilentMinutes: {
      one: 'Brak wiadomości od detektorów od # minuty.',
      few: 'Brak wiadomości od detektorów od # minut.',
      many: 'Brak wiadomości od detektorów od # minut.',
      other: 'Brak wiadomości od detektorów od # minuty.',
    },
    detectorSilentHours: {
      one: 'Brak wiadomości od detektorów od # godziny.',
      few: 'Brak wiadomości od detektorów od # godzin.',
      many: 'Brak wiadomości od detektorów od # godzin.',
      other: 'Brak wiadomości od detektorów od # godziny.',
    },
    test: 'Wiadomość testowa z {time}',
    noBirds: 'Nie było żadnych ptaków.',
    summary: '{visits}, {species}',
    more: 'o {percent}% więcej niż {before}',
    fewer: 'o {percent}% mniej niż {before}',
    same: 'tyle samo co {before}',
    before: { day: 'dzień wcześniej', week: 'tydzień wcześniej', time: 'w poprzednim okresie' },
    isNew: 'Nowe: {species}',
    best: 'Najlepsze zdjęcie: {species}',
    silentDay: 'Przez cały dzień nie było wiadomości od detektora.',
    silentDays: {
      one: '# dzień bez detektora.',
      few: '# dni bez detektora.',
      many: '# dni bez detektora.',
      other: '# dnia bez detektora.',
    },
  },
};

/** Returns the texts of messages in the language of the settings, by default English. */
export function messageTextsOf({ general }: { readonly general: { readonly language: string } }): {
  readonly language: HubLanguage;
  readonly texts: MessageTexts;
} {
  const language = hubLanguages.find((one) => one === general.language) ?? 'en';
  return { language, texts: texts[language] };
}
