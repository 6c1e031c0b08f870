import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { type CalendarSearch, calendarSearch } from './calendar-search';

const route = getRouteApi('/calendar');

type Change = { readonly [Name in keyof CalendarSearch]?: CalendarSearch[Name] | undefined };

/** What the address asks for, and a way to ask for something else; undefined is as the page begins. */
export function useCalendarSearch(): readonly [CalendarSearch, (change: Change) => void] {
  const navigate = useNavigate({ from: '/calendar' });
  const change = (next: Change) =>
    void navigate({
      search: (now) => calendarSearch({ ...now, ...next }),
      replace: true,
      resetScroll: false,
    });
  return [route.useSearch(), change];
}
