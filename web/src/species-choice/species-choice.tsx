import { CloseButton, Combobox, TextInput, useCombobox } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { rankSpecies, type Species } from './rank-species';
import { speciesListQuery, useFindableSpecies } from './species-list';
import { SpeciesOption } from './species-option';
import { useChoosing } from './use-choosing';

interface SpeciesChoiceProps {
  /** Id of the chosen species, null for none. */
  readonly value: number | null;
  readonly onChoose: (species: Species) => void;
  /** Where none may be chosen: what to do then. */
  readonly onClear?: () => void;
  /** Ids of the species that are offered first. */
  readonly likely?: readonly number[];
  /** Ids of species that cannot be chosen here. */
  readonly without?: readonly number[];
  readonly label?: string;
  /** Takes the focus, opened, as soon as it is there. */
  readonly autoFocus?: boolean;
}

/** As many as anyone reads; typing more narrows them down. */
const mostOptions = 40;

/** A species by typing its beginning, in the page's language, in English or in Latin. */
export function SpeciesChoice(props: SpeciesChoiceProps) {
  const { value, onChoose, onClear, likely, without, label, autoFocus = false } = props;
  const { t } = useTranslation('species-choice');
  const { isError } = useQuery(speciesListQuery);
  const id = useId();
  const all = useFindableSpecies();
  const choosing = useChoosing({
    isOpenAtFirst: autoFocus,
    optionsFor: (typed) => {
      const allowed = all?.filter(({ species }) => !without?.includes(species.id)) ?? [];
      return rankSpecies(allowed, typed, likely).slice(0, mostOptions);
    },
    onChoose: ({ species }) => onChoose(species),
  });
  const { options, active, isOpen, typed } = choosing;
  const store = useCombobox({
    opened: isOpen,
    onOpenedChange: (opened) => (opened ? choosing.open() : choosing.close()),
  });
  const chosen = all?.find(({ species }) => species.id === value)?.name ?? '';
  const idOf = (speciesId: number) => `${id}-${speciesId}`;
  const activeOption = options[active];
  const whyEmpty = all ? t('nothing', { text: typed ?? '' }) : t(isError ? 'failed' : 'loading');
  return (
    <Combobox
      store={store}
      onOptionSubmit={(chosenId) =>
        choosing.choose(options.find(({ species }) => String(species.id) === chosenId))
      }
    >
      <Combobox.Target withAriaAttributes={false} withKeyboardNavigation={false}>
        <TextInput
          label={label ?? t('species')}
          placeholder={t('placeholder')}
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
          onChange={({ currentTarget }) => choosing.type(currentTarget.value)}
          onFocus={({ currentTarget }) => currentTarget.select()}
          onClick={choosing.open}
          onBlur={choosing.close}
          onKeyDown={choosing.onKeyDown}
          rightSection={
            onClear && value !== null ? <CloseButton aria-label={t('clear')} onClick={onClear} /> : undefined
          }
        />
      </Combobox.Target>
      <Combobox.Dropdown>
        <Combobox.Options
          id={`${id}-options`}
          aria-label={label ?? t('species')}
          mah={320}
          style={{ overflowY: 'auto' }}
        >
          {options.map((found, place) => (
            <SpeciesOption
              key={found.species.id}
              id={idOf(found.species.id)}
              found={found}
              isActive={place === active}
            />
          ))}
          {options.length === 0 && <Combobox.Empty role="presentation">{whyEmpty}</Combobox.Empty>}
        </Combobox.Options>
      </Combobox.Dropdown>
    </Combobox>
  );
}
