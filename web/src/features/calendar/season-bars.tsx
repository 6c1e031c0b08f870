import { VisuallyHidden } from '@mantine/core';
import { memo, useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import { useMonthNames, useTimeFormat } from '../../lib/format';
import classes from './calendar.module.css';
import { type CalendarSpecies, useIsSouthern } from './calendar-queries';
import { MonthName, SpeciesLink } from './labels';
import bars from './season-bars.module.css';
import { isWholeYear, presenceOf, type Season, seasonsOf, splitAtNewYear } from './seasons';

function SeasonBar({ season }: { readonly season: Season }) {
  const pieces = splitAtNewYear(season);
  return pieces.map(({ first, last }, index) => (
    <span
      key={first}
      className={bars['bar']}
      data-goes-on={pieces.length === 1 ? undefined : index === 0 ? 'before' : 'after'}
      style={{ gridColumn: `${first + 1} / ${last + 2}` }}
    />
  ));
}

interface SeasonRowProps {
  readonly species: CalendarSpecies;
  readonly describeSeasons: ReturnType<typeof useSeasonText>;
}

const SeasonRow = memo(function SeasonRow({ species, describeSeasons }: SeasonRowProps) {
  return (
    <li className={bars['row']}>
      <SpeciesLink species={species} />
      <span className={bars['words']}>{describeSeasons(species.monthly_counts)}</span>
      <div className={`${classes['months']} ${bars['track']}`} aria-hidden>
        {seasonsOf(species.monthly_counts).map((season) => (
          <SeasonBar key={season.first} season={season} />
        ))}
      </div>
    </li>
  );
});

interface SeasonBarsProps {
  readonly caption: string;
  readonly species: readonly CalendarSpecies[];
  /** Whether there are visits in every month. */
  readonly isWholeYear: boolean;
}

/** Seasons of each species as bars and in words. */
export function SeasonBars({ caption, species, isWholeYear }: SeasonBarsProps) {
  const { t } = useTranslation('calendar');
  const { long } = useMonthNames();
  const { today } = useTimeFormat();
  const describeSeasons = useSeasonText(isWholeYear);
  const now = Number(today().slice(5, 7)) - 1;
  return (
    <>
      {!isWholeYear && <p className={bars['words']}>{t('no_whole_year')}</p>}
      <div className={`${bars['row']} ${classes['head']}`} aria-hidden>
        <div className={`${classes['months']} ${bars['head']}`}>
          {long.map((name, month) => (
            <span key={name} className={month === now ? classes['now'] : undefined}>
              <MonthName month={month} />
            </span>
          ))}
        </div>
      </div>
      <VisuallyHidden component="h2">{caption}</VisuallyHidden>
      <ul className={bars['list']}>
        {species.map((one) => (
          <SeasonRow key={one.id} species={one} describeSeasons={describeSeasons} />
        ))}
      </ul>
    </>
  );
}

/** Returns a function that describes the seasons of a species, with the kind of presence if all months have visits. */
function useSeasonText(hasAllMonths: boolean): (counts: readonly number[]) => string {
  const { t, i18n } = useTranslation('calendar');
  const { long } = useMonthNames();
  const isSouthern = useIsSouthern();
  const language = i18n.resolvedLanguage ?? 'en';
  return useCallback(
    (counts) => {
      const seasons = seasonsOf(counts);
      const monthsOf = ({ first, last }: Season) =>
        first === last ? (long[first] ?? '') : `${long[first]} – ${long[last]}`;
      const months = isWholeYear(seasons)
        ? ''
        : new Intl.ListFormat(language, { type: 'conjunction' }).format(seasons.map(monthsOf));
      const presence = presenceOf(counts, isSouthern);
      const kind = presence && (hasAllMonths || presence === 'resident') ? t(presence) : '';
      return [kind, months].filter((part) => part !== '').join(' · ');
    },
    [t, long, language, isSouthern, hasAllMonths],
  );
}
