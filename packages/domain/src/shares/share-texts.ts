import type { HubLanguage } from '../language/index.js';

/** The texts of shared pages and of day cards; in `more`, `#` stands for the number. */
export interface ShareTexts {
  readonly more: string;
  readonly heard: string;
  readonly unknownBird: string;
  readonly sharedFrom: string;
  readonly validUntil: string;
  readonly pending: string;
  readonly cleared: string;
  readonly goneTitle: string;
  readonly gone: string;
}

/** The texts in each language; `{hub}` and `{date}` are replaced. */
export const shareTexts: Readonly<Record<HubLanguage, ShareTexts>> = {
  en: {
    more: '+ # more',
    heard: 'heard',
    unknownBird: 'A visit at the feeder',
    sharedFrom: 'Shared from {hub}',
    validUntil: 'This link is valid until {date}.',
    pending: 'The video has not arrived yet. Try again in a few minutes.',
    cleared: 'The video was deleted to free space.',
    goneTitle: 'This link no longer works',
    gone: 'It has expired, was withdrawn, or what it showed was deleted. Ask whoever sent it to you for a new one.',
  },
  de: {
    more: '+ # weitere',
    heard: 'gehört',
    unknownBird: 'Besuch am Futterhaus',
    sharedFrom: 'Geteilt von {hub}',
    validUntil: 'Dieser Link gilt bis {date}.',
    pending: 'Das Video ist noch nicht da. Bitte in ein paar Minuten noch einmal versuchen.',
    cleared: 'Das Video wurde gelöscht, um Platz zu schaffen.',
    goneTitle: 'Dieser Link gilt nicht mehr',
    gone: 'Er ist abgelaufen, wurde zurückgezogen, oder das Gezeigte wurde gelöscht. Bitte um einen neuen Link.',
  },
  ru: {
    more: '+ ещё #',
    heard: 'слышно',
    unknownBird: 'Гость у кормушки',
    sharedFrom: 'Поделились из {hub}',
    validUntil: 'Ссылка действует до {date}.',
    pending: 'Видео ещё не поступило. Попробуйте через несколько минут.',
    cleared: 'Видео удалено, чтобы освободить место.',
    goneTitle: 'Ссылка больше не действует',
    gone: 'Срок истёк, ссылку отозвали или запись удалили. Попросите прислать новую.',
  },
  fr: {
    more: '+ # autres',
    heard: 'entendu',
    unknownBird: 'Une visite à la mangeoire',
    sharedFrom: 'Partagé depuis {hub}',
    validUntil: 'Ce lien est valable jusqu’au {date}.',
    pending: 'La vidéo n’est pas encore arrivée. Réessayez dans quelques minutes.',
    cleared: 'La vidéo a été supprimée pour libérer de l’espace.',
    goneTitle: 'Ce lien ne fonctionne plus',
    gone: 'Il a expiré, a été retiré, ou ce qu’il montrait a été supprimé. Demandez-en un nouveau.',
  },
  es: {
    more: '+ # más',
    heard: 'oído',
    unknownBird: 'Una visita al comedero',
    sharedFrom: 'Compartido desde {hub}',
    validUntil: 'Este enlace es válido hasta el {date}.',
    pending: 'El vídeo aún no ha llegado. Inténtalo dentro de unos minutos.',
    cleared: 'El vídeo se borró para liberar espacio.',
    goneTitle: 'Este enlace ya no funciona',
    gone: 'Ha caducado, se retiró o se borró lo que mostraba. Pide uno nuevo a quien te lo envió.',
  },
  it: {
    more: '+ altre #',
    heard: 'sentito',
    unknownBird: 'Una visita alla mangiatoia',
    sharedFrom: 'Condiviso da {hub}',
    validUntil: 'Questo link è valido fino al {date}.',
    pending: 'Il video non è ancora arrivato. Riprova tra qualche minuto.',
    cleared: 'Il video è stato eliminato per liberare spazio.',
    goneTitle: 'Questo link non funziona più',
    gone: 'È scaduto, è stato ritirato, o ciò che mostrava è stato eliminato. Chiedine uno nuovo.',
  },
  nl: {
    more: '+ nog #',
    heard: 'gehoord',
    unknownBird: 'Bezoek bij het voederhuis',
    sharedFrom: 'Gedeeld vanuit {hub}',
    validUntil: 'Deze link is geldig tot {date}.',
    pending: 'De video is er nog niet. Probeer het over een paar minuten opnieuw.',
    cleared: 'De video is verwijderd om ruimte vrij te maken.',
    goneTitle: 'Deze link werkt niet meer',
    gone: 'Hij is verlopen, ingetrokken, of wat hij liet zien is verwijderd. Vraag om een nieuwe.',
  },
  pl: {
    more: '+ jeszcze #',
    heard: 'słyszany',
    unknownBird: 'Gość w karmniku',
    sharedFrom: 'Udostępniono z {hub}',
    validUntil: 'Link jest ważny do {date}.',
    pending: 'Nagranie jeszcze nie dotarło. Spróbuj za kilka minut.',
    cleared: 'Nagranie usunięto, aby zwolnić miejsce.',
    goneTitle: 'Ten link już nie działa',
    gone: 'Wygasł, został wycofany albo usunięto to, co pokazywał. Poproś o nowy.',
  },
};
