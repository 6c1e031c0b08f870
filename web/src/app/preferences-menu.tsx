import { ActionIcon, type MantineColorScheme, Menu, useMantineColorScheme } from '@mantine/core';
import { IconAdjustments, IconCheck } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { keepLanguage, type Language, languages } from '../i18n/languages';

const schemes = ['auto', 'light', 'dark'] as const satisfies readonly MantineColorScheme[];

const mark = (isChosen: boolean) => (isChosen ? <IconCheck size={16} aria-hidden /> : undefined);

/** Language and appearance, for this browser. */
export function PreferencesMenu() {
  const { t, i18n } = useTranslation('app');
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const choose = (language: Language) => {
    keepLanguage(language);
    void i18n.changeLanguage(language);
  };
  return (
    <Menu position="bottom-end" width={220}>
      <Menu.Target>
        <ActionIcon variant="subtle" size="lg" aria-label={`${t('language')}, ${t('scheme')}`}>
          <IconAdjustments size={20} aria-hidden />
        </ActionIcon>
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
