import type { HubLanguage, Plural } from '@birdhub/domain/language';

/** The texts of a report; names in braces are placeholders, and in counts `#` stands for the number. */
export interface ReportTexts {
  readonly report: string;
  readonly subject: string;
  readonly timesOf: string;
  readonly unfinished: string;
  readonly noVisits: string;
  readonly noRecordings: string;
  readonly recordingsOf: Plural;
  /** Follows the number of recordings. */
  readonly ofThemGeneric: Plural;
  /** Label below the number of new species. */
  readonly newHere: string;
  /** Label below the number of birds. */
  readonly birds: Plural;
  readonly summary: Readonly<Record<SummaryKey, string>>;
  /** `{part}` days of `{whole}`. */
  readonly daysOf: string;
  readonly birdsNote: string;
  readonly genericNote: Plural;
  readonly headings: Readonly<Record<SectionKey, string>>;
  readonly columns: Readonly<Record<ColumnKey, string>>;
  readonly newMark: string;
  readonly speciesNotListed: Plural;
  readonly otherSpecies: Plural;
  readonly visitsInAnHour: string;
  readonly nothingNew: string;
  readonly moreNew: Plural;
  readonly noTemperatures: string;
  readonly temperatures: string;
  /** Descriptions of charts for screen readers, followed by their values. */
  readonly described: Readonly<Record<'days' | 'hours' | 'species' | 'temperatures', string>>;
  readonly units: Readonly<Record<'second' | 'minute' | 'hour', string>>;
}

type SummaryKey =
  | 'daysWithVisits'
  | 'recordings'
  | 'busiestDay'
  | 'detections'
  | 'busiestHour'
  | 'allVisits'
  | 'mostAtOnce'
  | 'meanVisit';

type SectionKey = 'top' | 'days' | 'temperature' | 'hours' | 'species' | 'isNew' | 'sightings';

type ColumnKey =
  | 'species'
  | 'visits'
  | 'share'
  | 'birds'
  | 'atOnce'
  | 'days'
  | 'scientificName'
  | 'first'
  | 'last';

const metricUnits = { second: 's', minute: 'min', hour: 'h' } as const;

/** The texts of reports in each language. */
export const reportTexts: Readonly<Record<HubLanguage, ReportTexts>> = {
  en: {
    report: 'Bird report',
    subject: 'Bird visits, {span}',
    timesOf: 'times in {zone}',
    unfinished: 'The period is not over yet: numbers up to {moment}.',
    noVisits: 'No visits in this period.',
    noRecordings: 'The hub has no recordings of {span}{generic}.',
    recordingsOf: {
      one: 'The hub has # recording of {span}{generic}.',
      other: 'The hub has # recordings of {span}{generic}.',
    },
    ofThemGeneric: {
      one: ', with # visit by birds that were not identified to species',
      other: ', with # visits by birds that were not identified to species',
    },
    newHere: 'new here',
    birds: { one: 'bird *', other: 'birds *' },
    summary: {
      daysWithVisits: 'Days with visits',
      recordings: 'Recordings',
      busiestDay: 'Busiest day',
      detections: 'Detections',
      busiestHour: 'Busiest hour',
      allVisits: 'Total time of visits',
      mostAtOnce: 'Most birds at once',
      meanVisit: 'Average visit',
    },
    daysOf: '{part} of {whole}',
    birdsNote: '* Each visit’s peak count, added up: a bird that comes twice counts twice.',
    genericNote: {
      one: '# more visit by birds that were not identified to species is left out of this report.',
      other: '# more visits by birds that were not identified to species are left out of this report.',
    },
    headings: {
      top: 'Most frequent species',
      days: 'Visits by day',
      temperature: 'Temperature in {unit}',
      hours: 'Hours of the day',
      species: 'Visits by species',
      isNew: 'Here for the first time',
      sightings: 'First and last sightings',
    },
    columns: {
      species: 'Species',
      visits: 'Visits',
      share: 'Share',
      birds: 'Birds *',
      atOnce: 'At once',
      days: 'Days',
      scientificName: 'Scientific name',
      first: 'First',
      last: 'Last',
    },
    newMark: 'new',
    speciesNotListed: {
      one: '# more species with fewer visits is not listed.',
      other: '# more species with fewer visits are not listed.',
    },
    otherSpecies: { one: '# other species', other: '# other species' },
    visitsInAnHour: 'Visits per hour',
    nothingNew: 'None: every species had been here before.',
    moreNew: {
      one: '{names} and # more, marked in the tables.',
      other: '{names} and # more, marked in the tables.',
    },
    noTemperatures: 'No temperatures were recorded.',
    temperatures:
      'Mean of the days {mean}; lowest {min} on {minDay}, highest {max} on {maxDay}. ' +
      'The line is the mean of each day, the band reaches from its lowest to its highest.',
    described: {
      days: 'Bar chart of visits by day.',
      hours: 'Heat map of visits by day and hour. Of all days together, by hour:',
      species: 'Bar chart of visits by species.',
      temperatures: 'Line chart of the lowest, mean and highest temperature by day.',
    },
    units: metricUnits,
  },
  de: {
    report: 'Vogelbericht',
    subject: 'Besuche von Vögeln, {span}',
    timesOf: 'Zeiten in {zone}',
    unfinished: 'Der Zeitraum ist noch nicht zu Ende: Zahlen bis {moment}.',
    noVisits: 'Keine Besuche in diesem Zeitraum.',
    noRecordings: 'Der Hub hat keine Aufnahmen vom Zeitraum {span}{generic}.',
    recordingsOf: {
      one: 'Der Hub hat # Aufnahme vom Zeitraum {span}{generic}.',
      other: 'Der Hub hat # Aufnahmen vom Zeitraum {span}{generic}.',
    },
    ofThemGeneric: {
      one: ', mit # Besuch von Vögeln, deren Art nicht bestimmt wurde',
      other: ', mit # Besuchen von Vögeln, deren Art nicht bestimmt wurde',
    },
    newHere: 'erstmals hier',
    birds: { one: 'Vogel *', other: 'Vögel *' },
    summary: {
      daysWithVisits: 'Tage mit Besuch',
      recordings: 'Aufnahmen',
      busiestDay: 'Stärkster Tag',
      detections: 'Erkennungen',
      busiestHour: 'Stärkste Stunde',
      allVisits: 'Gesamtdauer der Besuche',
      mostAtOnce: 'Die meisten zugleich',
      meanVisit: 'Mittlere Dauer eines Besuchs',
    },
    daysOf: '{part} von {whole}',
    birdsNote:
      '* Je Besuch die größte Zahl gleichzeitig anwesender Vögel, zusammengezählt: Wer zweimal kommt, zählt zweimal.',
    genericNote: {
      one: '# weiterer Besuch von Vögeln, deren Art nicht bestimmt wurde, fehlt in diesem Bericht.',
      other: '# weitere Besuche von Vögeln, deren Art nicht bestimmt wurde, fehlen in diesem Bericht.',
    },
    headings: {
      top: 'Häufigste Arten',
      days: 'Besuche nach Tag',
      temperature: 'Temperatur in {unit}',
      hours: 'Tageszeiten',
      species: 'Besuche nach Art',
      isNew: 'Zum ersten Mal hier',
      sightings: 'Erste und letzte Beobachtung',
    },
    columns: {
      species: 'Art',
      visits: 'Besuche',
      share: 'Anteil',
      birds: 'Vögel *',
      atOnce: 'Zugleich',
      days: 'Tage',
      scientificName: 'Wissenschaftlicher Name',
      first: 'Erste',
      last: 'Letzte',
    },
    newMark: 'neu',
    speciesNotListed: {
      one: '# weitere Art mit weniger Besuchen ist nicht aufgeführt.',
      other: '# weitere Arten mit weniger Besuchen sind nicht aufgeführt.',
    },
    otherSpecies: { one: '# weitere Art', other: '# weitere Arten' },
    visitsInAnHour: 'Besuche in einer Stunde',
    nothingNew: 'Keine: Alle Arten waren schon früher hier.',
    moreNew: {
      one: '{names} und # weitere, in den Tabellen gekennzeichnet.',
      other: '{names} und # weitere, in den Tabellen gekennzeichnet.',
    },
    noTemperatures: 'Es wurden keine Temperaturen aufgezeichnet.',
    temperatures:
      'Mittel der Tage {mean}; niedrigste {min} am {minDay}, höchste {max} am {maxDay}. ' +
      'Die Linie ist das Mittel jedes Tages, das Band reicht vom niedrigsten bis zum höchsten Wert.',
    described: {
      days: 'Balkendiagramm der Besuche nach Tag.',
      hours: 'Besuche nach Tag und Stunde als Farbfelder. Alle Tage zusammen, nach Stunde:',
      species: 'Balkendiagramm der Besuche nach Art.',
      temperatures: 'Liniendiagramm der niedrigsten, mittleren und höchsten Temperatur je Tag.',
    },
    units: metricUnits,
  },
  ru: {
    report: 'Отчёт о птицах',
    subject: 'Визиты птиц, {span}',
    timesOf: 'время: {zone}',
    unfinished: 'Период ещё не закончился: данные на {moment}.',
    noVisits: 'За этот период визитов не было.',
    noRecordings: 'Записей за период {span} нет{generic}.',
    recordingsOf: {
      one: 'За период {span} есть # запись{generic}.',
      few: 'За период {span} есть # записи{generic}.',
      many: 'За период {span} есть # записей{generic}.',
      other: 'За период {span} есть # записи{generic}.',
    },
    ofThemGeneric: {
      one: ', в них # визит птиц, вид которых не определён',
      few: ', в них # визита птиц, вид которых не определён',
      many: ', в них # визитов птиц, вид которых не определён',
      other: ', в них # визита птиц, вид которых не определён',
    },
    newHere: 'впервые здесь',
    birds: { one: 'птица *', few: 'птицы *', many: 'птиц *', other: 'птицы *' },
    summary: {
      daysWithVisits: 'Дни с визитами',
      recordings: 'Записи',
      busiestDay: 'Самый оживлённый день',
      detections: 'Обнаружения',
      busiestHour: 'Самый оживлённый час',
      allVisits: 'Общая длительность визитов',
      mostAtOnce: 'Максимум птиц одновременно',
      meanVisit: 'Средняя длительность визита',
    },
    daysOf: '{part} из {whole}',
    birdsNote:
      '* Сумма наибольших чисел птиц, замеченных одновременно в каждом визите: птица, прилетевшая дважды, считается дважды.',
    genericNote: {
      one: 'В отчёт не вошёл ещё # визит птиц, вид которых не определён.',
      few: 'В отчёт не вошли ещё # визита птиц, вид которых не определён.',
      many: 'В отчёт не вошли ещё # визитов птиц, вид которых не определён.',
      other: 'В отчёт не вошли ещё # визита птиц, вид которых не определён.',
    },
    headings: {
      top: 'Самые частые виды',
      days: 'Визиты по дням',
      temperature: 'Температура, {unit}',
      hours: 'Часы дня',
      species: 'Визиты по видам',
      isNew: 'Здесь впервые',
      sightings: 'Первые и последние наблюдения',
    },
    columns: {
      species: 'Вид',
      visits: 'Визиты',
      share: 'Доля',
      birds: 'Птицы *',
      atOnce: 'Вместе',
      days: 'Дни',
      scientificName: 'Научное название',
      first: 'Впервые',
      last: 'В последний раз',
    },
    newMark: 'новый',
    speciesNotListed: {
      one: 'Ещё # вид с меньшим числом визитов в таблице не указан.',
      few: 'Ещё # вида с меньшим числом визитов в таблице не указаны.',
      many: 'Ещё # видов с меньшим числом визитов в таблице не указаны.',
      other: 'Ещё # вида с меньшим числом визитов в таблице не указаны.',
    },
    otherSpecies: {
      one: 'ещё # вид',
      few: 'ещё # вида',
      many: 'ещё # видов',
      other: 'ещё # вида',
    },
    visitsInAnHour: 'Визитов за час',
    nothingNew: 'Новых нет: все виды бывали здесь и раньше.',
    moreNew: {
      one: '{names} и ещё # (отмечен в таблицах).',
      few: '{names} и ещё # (отмечены в таблицах).',
      many: '{names} и ещё # (отмечены в таблицах).',
      other: '{names} и ещё # (отмечены в таблицах).',
    },
    noTemperatures: 'Температура не записывалась.',
    temperatures:
      'Среднее по дням {mean}; самая низкая {min} ({minDay}), самая высокая {max} ({maxDay}). ' +
      'Линия — среднее за день, полоса — от самой низкой до самой высокой.',
    described: {
      days: 'Столбчатая диаграмма визитов по дням.',
      hours: 'Карта визитов по дням и часам. За все дни вместе, по часам:',
      species: 'Столбчатая диаграмма визитов по видам.',
      temperatures: 'График самой низкой, средней и самой высокой температуры по дням.',
    },
    units: { second: 'с', minute: 'мин', hour: 'ч' },
  },
  fr: {
    report: 'Rapport ornithologique',
    subject: 'Visites d’oiseaux, {span}',
    timesOf: 'heures de {zone}',
    unfinished: 'La période n’est pas terminée : chiffres arrêtés au {moment}.',
    noVisits: 'Aucune visite pendant cette période.',
    noRecordings: 'Le hub n’a aucun enregistrement pour la période {span}{generic}.',
    recordingsOf: {
      one: 'Le hub a # enregistrement pour la période {span}{generic}.',
      many: 'Le hub a # enregistrements pour la période {span}{generic}.',
      other: 'Le hub a # enregistrements pour la période {span}{generic}.',
    },
    ofThemGeneric: {
      one: ', avec # visite d’oiseaux dont l’espèce n’a pas été identifiée',
      many: ', avec # visites d’oiseaux dont l’espèce n’a pas été identifiée',
      other: ', avec # visites d’oiseaux dont l’espèce n’a pas été identifiée',
    },
    newHere: 'nouvelles ici',
    birds: { one: 'oiseau *', many: 'oiseaux *', other: 'oiseaux *' },
    summary: {
      daysWithVisits: 'Jours avec visites',
      recordings: 'Enregistrements',
      busiestDay: 'Jour le plus animé',
      detections: 'Détections',
      busiestHour: 'Heure la plus animée',
      allVisits: 'Durée totale des visites',
      mostAtOnce: 'Le plus d’oiseaux à la fois',
      meanVisit: 'Durée moyenne d’une visite',
    },
    daysOf: '{part} sur {whole}',
    birdsNote:
      '* Somme, visite par visite, du plus grand nombre d’oiseaux vus à la fois : un oiseau qui vient deux fois compte deux fois.',
    genericNote: {
      one: '# autre visite d’oiseaux dont l’espèce n’a pas été identifiée ne figure pas dans ce rapport.',
      many: '# autres visites d’oiseaux dont l’espèce n’a pas été identifiée ne figurent pas dans ce rapport.',
      other:
        '# autres visites d’oiseaux dont l’espèce n’a pas été identifiée ne figurent pas dans ce rapport.',
    },
    headings: {
      top: 'Espèces les plus fréquentes',
      days: 'Visites par jour',
      temperature: 'Température en {unit}',
      hours: 'Heures de la journée',
      species: 'Visites par espèce',
      isNew: 'Ici pour la première fois',
      sightings: 'Premières et dernières observations',
    },
    columns: {
      species: 'Espèce',
      visits: 'Visites',
      share: 'Part',
      birds: 'Oiseaux *',
      atOnce: 'À la fois',
      days: 'Jours',
      scientificName: 'Nom scientifique',
      first: 'Première',
      last: 'Dernière',
    },
    newMark: 'nouvelle',
    speciesNotListed: {
      one: '# autre espèce avec moins de visites n’est pas listée.',
      many: '# autres espèces avec moins de visites ne sont pas listées.',
      other: '# autres espèces avec moins de visites ne sont pas listées.',
    },
    otherSpecies: { one: '# autre espèce', many: '# autres espèces', other: '# autres espèces' },
    visitsInAnHour: 'Visites en une heure',
    nothingNew: 'Aucune : toutes les espèces étaient déjà venues.',
    moreNew: {
      one: '{names} et # autre, signalée dans les tableaux.',
      many: '{names} et # autres, signalées dans les tableaux.',
      other: '{names} et # autres, signalées dans les tableaux.',
    },
    noTemperatures: 'Aucune température n’a été enregistrée.',
    temperatures:
      'Moyenne des jours {mean} ; minimum {min} le {minDay}, maximum {max} le {maxDay}. ' +
      'La ligne est la moyenne de chaque jour, la bande va de son minimum à son maximum.',
    described: {
      days: 'Diagramme à barres des visites par jour.',
      hours: 'Carte des visites par jour et par heure. Tous les jours ensemble, par heure :',
      species: 'Diagramme à barres des visites par espèce.',
      temperatures: 'Courbe des températures minimale, moyenne et maximale par jour.',
    },
    units: metricUnits,
  },
  es: {
    report: 'Informe de aves',
    subject: 'Visitas de aves, {span}',
    timesOf: 'horas de {zone}',
    unfinished: 'El período aún no ha terminado: datos hasta el {moment}.',
    noVisits: 'No hubo visitas en este período.',
    noRecordings: 'El hub no tiene grabaciones del período {span}{generic}.',
    recordingsOf: {
      one: 'El hub tiene # grabación del período {span}{generic}.',
      many: 'El hub tiene # grabaciones del período {span}{generic}.',
      other: 'El hub tiene # grabaciones del período {span}{generic}.',
    },
    ofThemGeneric: {
      one: ', con # visita de aves cuya especie no se identificó',
      many: ', con # visitas de aves cuya especie no se identificó',
      other: ', con # visitas de aves cuya especie no se identificó',
    },
    newHere: 'nuevas aquí',
    birds: { one: 'ave *', many: 'aves *', other: 'aves *' },
    summary: {
      daysWithVisits: 'Días con visitas',
      recordings: 'Grabaciones',
      busiestDay: 'Día de más actividad',
      detections: 'Detecciones',
      busiestHour: 'Hora de más actividad',
      allVisits: 'Duración de todas las visitas',
      mostAtOnce: 'Más aves a la vez',
      meanVisit: 'Duración media de una visita',
    },
    daysOf: '{part} de {whole}',
    birdsNote:
      '* Suma, visita a visita, del mayor número de aves vistas a la vez: un ave que viene dos veces cuenta dos veces.',
    genericNote: {
      one: 'Este informe no incluye # visita más de aves cuya especie no se identificó.',
      many: 'Este informe no incluye # visitas más de aves cuya especie no se identificó.',
      other: 'Este informe no incluye # visitas más de aves cuya especie no se identificó.',
    },
    headings: {
      top: 'Especies más frecuentes',
      days: 'Visitas por día',
      temperature: 'Temperatura en {unit}',
      hours: 'Horas del día',
      species: 'Visitas por especie',
      isNew: 'Aquí por primera vez',
      sightings: 'Primeras y últimas observaciones',
    },
    columns: {
      species: 'Especie',
      visits: 'Visitas',
      share: 'Porcentaje',
      birds: 'Aves *',
      atOnce: 'A la vez',
      days: 'Días',
      scientificName: 'Nombre científico',
      first: 'Primera',
      last: 'Última',
    },
    newMark: 'nueva',
    speciesNotListed: {
      one: 'No aparece # especie más, con menos visitas.',
      many: 'No aparecen # especies más, con menos visitas.',
      other: 'No aparecen # especies más, con menos visitas.',
    },
    otherSpecies: { one: '# especie más', many: '# especies más', other: '# especies más' },
    visitsInAnHour: 'Visitas en una hora',
    nothingNew: 'Ninguna: todas las especies habían venido antes.',
    moreNew: {
      one: '{names} y # más, señalada en las tablas.',
      many: '{names} y # más, señaladas en las tablas.',
      other: '{names} y # más, señaladas en las tablas.',
    },
    noTemperatures: 'No se registraron temperaturas.',
    temperatures:
      'Media de los días {mean}; mínima {min} el {minDay}, máxima {max} el {maxDay}. ' +
      'La línea es la media de cada día y la banda va de su mínima a su máxima.',
    described: {
      days: 'Gráfico de barras de las visitas por día.',
      hours: 'Mapa de calor de las visitas por día y hora. Todos los días juntos, por hora:',
      species: 'Gráfico de barras de las visitas por especie.',
      temperatures: 'Gráfico de líneas de la temperatura mínima, media y máxima por día.',
    },
    units: metricUnits,
  },
  it: {
    report: 'Report sugli uccelli',
    subject: 'Visite di uccelli, {span}',
    timesOf: 'ore di {zone}',
    unfinished: 'Il periodo non è ancora finito: dati fino al {moment}.',
    noVisits: 'Nessuna visita in questo periodo.',
    noRecordings: 'L’hub non ha registrazioni del periodo {span}{generic}.',
    recordingsOf: {
      one: 'L’hub ha # registrazione del periodo {span}{generic}.',
      many: 'L’hub ha # registrazioni del periodo {span}{generic}.',
      other: 'L’hub ha # registrazioni del periodo {span}{generic}.',
    },
    ofThemGeneric: {
      one: ', con # visita di uccelli di specie non identificata',
      many: ', con # visite di uccelli di specie non identificata',
      other: ', con # visite di uccelli di specie non identificata',
    },
    newHere: 'nuove qui',
    birds: { one: 'uccello *', many: 'uccelli *', other: 'uccelli *' },
    summary: {
      daysWithVisits: 'Giorni con visite',
      recordings: 'Registrazioni',
      busiestDay: 'Giorno più movimentato',
      detections: 'Rilevamenti',
      busiestHour: 'Ora di punta',
      allVisits: 'Durata di tutte le visite',
      mostAtOnce: 'Più uccelli insieme',
      meanVisit: 'Durata media di una visita',
    },
    daysOf: '{part} su {whole}',
    birdsNote:
      '* Somma, visita per visita, del massimo di uccelli visti insieme: un uccello che viene due volte conta due volte.',
    genericNote: {
      one: 'Questo report non comprende # altra visita di uccelli di specie non identificata.',
      many: 'Questo report non comprende altre # visite di uccelli di specie non identificata.',
      other: 'Questo report non comprende altre # visite di uccelli di specie non identificata.',
    },
    headings: {
      top: 'Specie più frequenti',
      days: 'Visite per giorno',
      temperature: 'Temperatura in {unit}',
      hours: 'Ore del giorno',
      species: 'Visite per specie',
      isNew: 'Qui per la prima volta',
      sightings: 'Prime e ultime osservazioni',
    },
    columns: {
      species: 'Specie',
      visits: 'Visite',
      share: 'Quota',
      birds: 'Uccelli *',
      atOnce: 'Insieme',
      days: 'Giorni',
      scientificName: 'Nome scientifico',
      first: 'Prima',
      last: 'Ultima',
    },
    newMark: 'nuova',
    speciesNotListed: {
      one: '# altra specie con meno visite non è elencata.',
      many: 'Altre # specie con meno visite non sono elencate.',
      other: 'Altre # specie con meno visite non sono elencate.',
    },
    otherSpecies: { one: '# altra specie', many: 'altre # specie', other: 'altre # specie' },
    visitsInAnHour: 'Visite in un’ora',
    nothingNew: 'Nessuna: tutte le specie erano già state qui.',
    moreNew: {
      one: '{names} e un’altra, segnata nelle tabelle.',
      many: '{names} e altre #, segnate nelle tabelle.',
      other: '{names} e altre #, segnate nelle tabelle.',
    },
    noTemperatures: 'Non sono state registrate temperature.',
    temperatures:
      'Media dei giorni {mean}; minima {min} il {minDay}, massima {max} il {maxDay}. ' +
      'La linea è la media di ogni giorno, la fascia va dalla minima alla massima.',
    described: {
      days: 'Grafico a barre delle visite per giorno.',
      hours: 'Mappa di calore delle visite per giorno e ora. Tutti i giorni insieme, per ora:',
      species: 'Grafico a barre delle visite per specie.',
      temperatures: 'Grafico a linee della temperatura minima, media e massima per giorno.',
    },
    units: metricUnits,
  },
  nl: {
    report: 'Vogelrapport',
    subject: 'Bezoeken van vogels, {span}',
    timesOf: 'tijden in {zone}',
    unfinished: 'De periode is nog niet voorbij: cijfers tot en met {moment}.',
    noVisits: 'Geen bezoeken in deze periode.',
    noRecordings: 'De hub heeft geen opnames van {span}{generic}.',
    recordingsOf: {
      one: 'De hub heeft # opname van {span}{generic}.',
      other: 'De hub heeft # opnames van {span}{generic}.',
    },
    ofThemGeneric: {
      one: ', met # bezoek van vogels die niet op naam zijn gebracht',
      other: ', met # bezoeken van vogels die niet op naam zijn gebracht',
    },
    newHere: 'nieuw hier',
    birds: { one: 'vogel *', other: 'vogels *' },
    summary: {
      daysWithVisits: 'Dagen met bezoek',
      recordings: 'Opnames',
      busiestDay: 'Drukste dag',
      detections: 'Detecties',
      busiestHour: 'Drukste uur',
      allVisits: 'Totale bezoekduur',
      mostAtOnce: 'Meeste vogels tegelijk',
      meanVisit: 'Gemiddelde bezoekduur',
    },
    daysOf: '{part} van {whole}',
    birdsNote:
      '* Per bezoek het grootste aantal vogels tegelijk, bij elkaar opgeteld: een vogel die twee keer komt, telt twee keer.',
    genericNote: {
      one: 'Nog # bezoek van vogels die niet op naam zijn gebracht staat niet in dit rapport.',
      other: 'Nog # bezoeken van vogels die niet op naam zijn gebracht staan niet in dit rapport.',
    },
    headings: {
      top: 'Meest voorkomende soorten',
      days: 'Bezoeken per dag',
      temperature: 'Temperatuur in {unit}',
      hours: 'Uren van de dag',
      species: 'Bezoeken per soort',
      isNew: 'Voor het eerst hier',
      sightings: 'Eerste en laatste waarnemingen',
    },
    columns: {
      species: 'Soort',
      visits: 'Bezoeken',
      share: 'Aandeel',
      birds: 'Vogels *',
      atOnce: 'Tegelijk',
      days: 'Dagen',
      scientificName: 'Wetenschappelijke naam',
      first: 'Eerste',
      last: 'Laatste',
    },
    newMark: 'nieuw',
    speciesNotListed: {
      one: 'Nog # soort met minder bezoeken staat niet in de lijst.',
      other: 'Nog # soorten met minder bezoeken staan niet in de lijst.',
    },
    otherSpecies: { one: '# andere soort', other: '# andere soorten' },
    visitsInAnHour: 'Bezoeken in een uur',
    nothingNew: 'Geen: alle soorten waren hier al eerder.',
    moreNew: {
      one: '{names} en nog #, gemarkeerd in de tabellen.',
      other: '{names} en nog #, gemarkeerd in de tabellen.',
    },
    noTemperatures: 'Er zijn geen temperaturen vastgelegd.',
    temperatures:
      'Gemiddelde van de dagen {mean}; laagste {min} op {minDay}, hoogste {max} op {maxDay}. ' +
      'De lijn is het gemiddelde van elke dag, de band loopt van de laagste tot de hoogste waarde.',
    described: {
      days: 'Staafdiagram van bezoeken per dag.',
      hours: 'Kleurenkaart van bezoeken per dag en uur. Alle dagen samen, per uur:',
      species: 'Staafdiagram van bezoeken per soort.',
      temperatures: 'Lijndiagram van de laagste, gemiddelde en hoogste temperatuur per dag.',
    },
    units: { ...metricUnits, hour: 'u' },
  },
  pl: {
    report: 'Raport o ptakach',
    subject: 'Wizyty ptaków, {span}',
    timesOf: 'godziny: {zone}',
    unfinished: 'Okres jeszcze się nie skończył: dane do {moment}.',
    noVisits: 'W tym okresie nie było wizyt.',
    noRecordings: 'Brak nagrań z okresu {span}{generic}.',
    recordingsOf: {
      one: 'Z okresu {span} jest # nagranie{generic}.',
      few: 'Z okresu {span} są # nagrania{generic}.',
      many: 'Z okresu {span} jest # nagrań{generic}.',
      other: 'Z okresu {span} jest # nagrania{generic}.',
    },
    ofThemGeneric: {
      one: ', w tym # wizyta ptaków nieoznaczonych co do gatunku',
      few: ', w tym # wizyty ptaków nieoznaczonych co do gatunku',
      many: ', w tym # wizyt ptaków nieoznaczonych co do gatunku',
      other: ', w tym # wizyty ptaków nieoznaczonych co do gatunku',
    },
    newHere: 'po raz pierwszy',
    birds: { one: 'ptak *', few: 'ptaki *', many: 'ptaków *', other: 'ptaka *' },
    summary: {
      daysWithVisits: 'Dni z wizytami',
      recordings: 'Nagrania',
      busiestDay: 'Dzień o największym ruchu',
      detections: 'Wykrycia',
      busiestHour: 'Godzina o największym ruchu',
      allVisits: 'Łączny czas wizyt',
      mostAtOnce: 'Najwięcej ptaków naraz',
      meanVisit: 'Średni czas wizyty',
    },
    daysOf: '{part} z {whole}',
    birdsNote:
      '* Suma największych liczb ptaków widzianych naraz podczas każdej wizyty: ptak, który przyleciał dwa razy, liczy się dwa razy.',
    genericNote: {
      one: 'Raport pomija jeszcze # wizytę ptaków nieoznaczonych co do gatunku.',
      few: 'Raport pomija jeszcze # wizyty ptaków nieoznaczonych co do gatunku.',
      many: 'Raport pomija jeszcze # wizyt ptaków nieoznaczonych co do gatunku.',
      other: 'Raport pomija jeszcze # wizyty ptaków nieoznaczonych co do gatunku.',
    },
    headings: {
      top: 'Najczęstsze gatunki',
      days: 'Wizyty według dni',
      temperature: 'Temperatura w {unit}',
      hours: 'Pory dnia',
      species: 'Wizyty według gatunków',
      isNew: 'Tutaj po raz pierwszy',
      sightings: 'Pierwsze i ostatnie obserwacje',
    },
    columns: {
      species: 'Gatunek',
      visits: 'Wizyty',
      share: 'Udział',
      birds: 'Ptaki *',
      atOnce: 'Naraz',
      days: 'Dni',
      scientificName: 'Nazwa naukowa',
      first: 'Pierwsza',
      last: 'Ostatnia',
    },
    newMark: 'nowy',
    speciesNotListed: {
      one: 'Pominięto # gatunek o mniejszej liczbie wizyt.',
      few: 'Pominięto # gatunki o mniejszej liczbie wizyt.',
      many: 'Pominięto # gatunków o mniejszej liczbie wizyt.',
      other: 'Pominięto # gatunku o mniejszej liczbie wizyt.',
    },
    otherSpecies: {
      one: '# inny gatunek',
      few: '# inne gatunki',
      many: '# innych gatunków',
      other: '# innego gatunku',
    },
    visitsInAnHour: 'Wizyty w ciągu godziny',
    nothingNew: 'Brak: wszystkie gatunki były tu już wcześniej.',
    moreNew: {
      one: '{names} i jeszcze #, oznaczony w tabelach.',
      few: '{names} i jeszcze #, oznaczone w tabelach.',
      many: '{names} i jeszcze #, oznaczonych w tabelach.',
      other: '{names} i jeszcze #, oznaczone w tabelach.',
    },
    noTemperatures: 'Nie zapisano temperatur.',
    temperatures:
      'Średnia z dni {mean}; najniższa {min} ({minDay}), najwyższa {max} ({maxDay}). ' +
      'Linia to średnia każdego dnia, pas sięga od najniższej do najwyższej wartości.',
    described: {
      days: 'Wykres słupkowy wizyt według dni.',
      hours: 'Mapa wizyt według dni i godzin. Wszystkie dni razem, według godzin:',
      species: 'Wykres słupkowy wizyt według gatunków.',
      temperatures: 'Wykres liniowy najniższej, średniej i najwyższej temperatury według dni.',
    },
    units: { ...metricUnits, hour: 'godz.' },
  },
};
