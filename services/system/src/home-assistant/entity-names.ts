import type { HubLanguage } from '@birdhub/domain/language';

/** What Home Assistant shows of the hub's entities, in one language. */
interface EntityNames {
  readonly last_visit: string;
  readonly last_species: string;
  readonly last_bird: string;
  readonly bird_arrived: string;
  readonly visits_today: string;
  readonly species_today: string;
  readonly processor: string;
  readonly feed: string;
}

/** The names of entities by the language of the hub; the ids of the entities are the same in all languages. */
export const entityNames: Readonly<Record<HubLanguage, EntityNames>> = {
  en: {
    last_visit: 'Last visit',
    last_species: 'Last species',
    last_bird: 'Last bird',
    bird_arrived: 'Bird arrived',
    visits_today: 'Visits today',
    species_today: 'Species today',
    processor: 'Processor',
    feed: 'Feed',
  },
  de: {
    last_visit: 'Letzter Besuch',
    last_species: 'Letzte Art',
    last_bird: 'Letzter Vogel',
    bird_arrived: 'Vogel gekommen',
    visits_today: 'Besuche heute',
    species_today: 'Arten heute',
    processor: 'Detektor',
    feed: 'Füttern',
  },
  ru: {
    last_visit: 'Последний визит',
    last_species: 'Последний вид',
    last_bird: 'Последняя птица',
    bird_arrived: 'Прилетела птица',
    visits_today: 'Визиты сегодня',
    species_today: 'Виды сегодня',
    processor: 'Детектор',
    feed: 'Покормить',
  },
  fr: {
    last_visit: 'Dernière visite',
    last_species: 'Dernière espèce',
    last_bird: 'Dernier oiseau',
    bird_arrived: 'Oiseau arrivé',
    visits_today: 'Visites aujourd’hui',
    species_today: 'Espèces aujourd’hui',
    processor: 'Détecteur',
    feed: 'Nourrir',
  },
  es: {
    last_visit: 'Última visita',
    last_species: 'Última especie',
    last_bird: 'Última ave',
    bird_arrived: 'Ha llegado un ave',
    visits_today: 'Visitas de hoy',
    species_today: 'Especies de hoy',
    processor: 'Detector',
    feed: 'Dar de comer',
  },
  it: {
    last_visit: 'Ultima visita',
    last_species: 'Ultima specie',
    last_bird: 'Ultimo uccello',
    bird_arrived: 'Uccello arrivato',
    visits_today: 'Visite di oggi',
    species_today: 'Specie di oggi',
    processor: 'Rilevatore',
    feed: 'Dai da mangiare',
  },
  nl: {
    last_visit: 'Laatste bezoek',
    last_species: 'Laatste soort',
    last_bird: 'Laatste vogel',
    bird_arrived: 'Vogel aangekomen',
    visits_today: 'Bezoeken vandaag',
    species_today: 'Soorten vandaag',
    processor: 'Detector',
    feed: 'Voeren',
  },
  pl: {
    last_visit: 'Ostatnia wizyta',
    last_species: 'Ostatni gatunek',
    last_bird: 'Ostatni ptak',
    bird_arrived: 'Przyleciał ptak',
    visits_today: 'Wizyty dzisiaj',
    species_today: 'Gatunki dzisiaj',
    processor: 'Detektor',
    feed: 'Nakarm',
  },
};
