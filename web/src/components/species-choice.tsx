import { Box, CloseButton, Combobox, Group, Text, TextInput, useCombobox } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type FindableSpecies, rankSpecies, type Species } from '../lib/rank-species';
import { speciesListQuery, useFindableSpecies } from '../lib/species-list';
import { SpeciesPicture } from './pictures/species-picture';

interface SpeciesChoiceProps {
  /** Id of the chosen species, null for none. */
  readonly value: number | null;
  readonly onChoose: (species: Species) => void;
  /** Set if the choice may be cleared. */
  readonly onClear?: () => void;
  /** Ids of species to offer first. */
  readonly likely?: readonly number[];
  /** Ids of species to leave out. */
  readonly without?: readonly number[];
  readonly label?: string;
  /** Validation error. */
  readonly error?: string | undefined;
  /** Focused and open when it mounts. */
  readonly autoFocus?: boolean;
}

const maxOptions = 40;

/** Combobox of species, searched in the page's language, in English and in Latin. */
export function SpeciesChoice(props: SpeciesChoiceProps) {
  const { value, onChoose, onClear, likely, without, label, error, autoFocus = false } = props;
  const { t } = useTranslation('components');
  const { isError } = useQuery(speciesListQuery);
  const id = useId();
  const all = useFindableSpecies();
  const state = useComboboxState({
    isInitiallyOpen: autoFocus,
    optionsFor: (typed) => {
      const allowed = all?.filter(({ species }) => !without?.includes(species.id)) ?? [];
      return rankSpecies(allowed, typed, likely).slice(0, maxOptions);
    },
    onChoose: ({ species }) => onChoose(species),
  });
  const { options, active, isOpen, typed } = state;
  const store = useCombobox({
    opened: isOpen,
    onOpenedChange: (opened) => (opened ? state.open() : state.close()),
  });
  const chosen = all?.find(({ species }) => species.id === value)?.name ?? '';
  const idOf = (speciesId: number) => `${id}-${speciesId}`;
  const activeOption = options[active];
  const emptyText = all
    ? t('species_choice.nothing', { text: typed ?? '' })
    : t(isError ? 'species_choice.failed' : 'species_choice.loading');
  return (
    <Combobox
      store={store}
      onOptionSubmit={(chosenId) =>
        state.choose(options.find(({ species }) => String(species.id) === chosenId))
      }
    >
      <Combobox.Target withAriaAttributes={false} withKeyboardNavigation={false}>
        <TextInput
          label={label ?? t('species_choice.species')}
          placeholder={t('species_choice.placeholder')}
          error={error}
          value={typed ?? chosen}
          role="combobox"
          aria-autocomplete="list"
          aria-expanded={isOpen}
          aria-controls={`${id}-options`}
          aria-activedescendant={isOpen && activeOption ? idOf(activeOption.species.id) : undefined}
          autoComplete="off"
          spellCheck={false}
          autoFocus={autoFocus}
          data-autofocus={autoFocus || undefined}
          // Escape then closes the list, not the dialog around it.
          data-mantine-stop-propagation={isOpen || undefined}
          onChange={({ currentTarget }) => state.type(currentTarget.value)}
          onFocus={({ currentTarget }) => currentTarget.select()}
          onClick={state.open}
          onBlur={state.close}
          onKeyDown={state.onKeyDown}
          rightSection={
            onClear && value !== null ? (
              <CloseButton aria-label={t('species_choice.clear')} onClick={onClear} />
            ) : undefined
          }
        />
      </Combobox.Target>
      <Combobox.Dropdown>
        <Combobox.Options
          id={`${id}-options`}
          aria-label={label ?? t('species_choice.species')}
          mah={320}
          style={{ overflowY: 'auto' }}
        >
          {options.map((match, index) => (
            <SpeciesOption
              key={match.species.id}
              id={idOf(match.species.id)}
              match={match}
              isActive={index === active}
            />
          ))}
          {options.length === 0 && <Combobox.Empty role="presentation">{emptyText}</Combobox.Empty>}
        </Combobox.Options>
      </Combobox.Dropdown>
    </Combobox>
  );
}

interface SpeciesOptionProps {
  readonly id: string;
  readonly match: FindableSpecies;
  /** Whether Enter chooses it. */
  readonly isActive: boolean;
}

function SpeciesOption({ id, match, isActive }: SpeciesOptionProps) {
  const option = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (isActive) option.current?.scrollIntoView({ block: 'nearest' });
  }, [isActive]);
  return (
    <Combobox.Option
      ref={option}
      id={id}
      value={String(match.species.id)}
      selected={isActive}
      aria-selected={isActive}
    >
      <Group gap="sm" wrap="nowrap">
        <Box w={40} flex="none">
          <SpeciesPicture url={match.species.image_url} alt="" ratio={1} sizes="40px" />
        </Box>
        <Box miw={0}>
          <Text size="sm" truncate>
            {match.name}
          </Text>
          <Text size="xs" fs="italic" truncate>
            {match.species.scientific_name}
          </Text>
        </Box>
      </Group>
    </Combobox.Option>
  );
}

interface ComboboxOptions<T> {
  /** Returns the options for a typed text. */
  readonly optionsFor: (typed: string) => readonly T[];
  readonly isInitiallyOpen: boolean;
  readonly onChoose: (option: T) => void;
}

/** State of a combobox following the WAI-ARIA pattern with automatic selection. */
function useComboboxState<T>({ optionsFor, isInitiallyOpen, onChoose }: ComboboxOptions<T>) {
  const [typed, setTyped] = useState<string>();
  const [isOpen, setIsOpen] = useState(isInitiallyOpen);
  const [active, setActive] = useState(0);
  const options = optionsFor(typed ?? '');

  const open = () => {
    setIsOpen(true);
    setActive(0);
  };
  const close = () => {
    setIsOpen(false);
    setTyped(undefined);
  };
  const choose = (option: T | undefined) => {
    if (option === undefined) return;
    close();
    onChoose(option);
  };
  const move = (steps: number) => {
    if (!isOpen) return open();
    const count = Math.max(1, options.length);
    setActive((active + steps + count) % count);
  };
  const keys: Readonly<Record<string, () => void>> = {
    ArrowDown: () => move(1),
    ArrowUp: () => move(-1),
    ...(isOpen && { Enter: () => choose(options[active]), Escape: close }),
  };
  return {
    typed,
    isOpen,
    active,
    options,
    open,
    close,
    choose,
    type: (text: string) => {
      setTyped(text);
      open();
    },
    onKeyDown: (event: KeyboardEvent) => {
      const act = keys[event.key];
      if (act === undefined || event.nativeEvent.isComposing) return;
      event.preventDefault();
      event.stopPropagation();
      act();
    },
  };
}
