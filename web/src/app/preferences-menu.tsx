import { type MantineColorScheme, Menu, useMantineColorScheme } from '@mantine/core';
import { IconCheck } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { keepLanguage, type Language, languages } from '../i18n/languages';
import { PreferencesIcon } from './preferences-icon';

const schemes = ['auto', 'light', 'dark'] as const satisfies readonly MantineColorScheme[];

const mark = (isChosen: boolean) => (isChosen ? <IconCheck size={16} aria-hidden /> : undefined);

/** Language and appearance, for this browser; opens as soon as it is there. */
export function PreferencesMenu() {
  const { t, i18n } = useTranslation('app');
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const choose = (language: Language) => {
    keepLanguage(language);
    void i18n.changeLanguage(language);
  };
  return (
    <Menu position="bottom-end" width={220} defaultOpened>
      <Menu.Target>
        <PreferencesIcon />
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{t('language')}</Menu.Label>
        {Object.entries(languages).map(([language, name]) => (
          <Menu.Item
            key={language}
            lang={language}
            rightSection={mark(i18n.resolvedLanguage === language)}
            onClick={() => choose(language as Language)}
          >
            {name}
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.Label>{t('scheme')}</Menu.Label>
        {schemes.map((scheme) => (
          <Menu.Item
            key={scheme}
            rightSection={mark(colorScheme === scheme)}
            onClick={() => setColorScheme(scheme)}
          >
            {t(scheme)}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
