import { type MantineColorScheme, Menu, useMantineColorScheme } from '@mantine/core';
import { IconCheck, IconDeviceTv } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { type Language, languages, saveLanguage } from '../i18n/languages';

const schemes = ['auto', 'light', 'dark'] as const satisfies readonly MantineColorScheme[];

const checkMark = (isChosen: boolean) => (isChosen ? <IconCheck size={16} aria-hidden /> : undefined);

/** Language and colour scheme of this browser; open when it mounts. */
export function PreferencesMenu({ target }: { readonly target: ReactElement }) {
  const { t, i18n } = useTranslation('app');
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const choose = (language: Language) => {
    saveLanguage(language);
    void i18n.changeLanguage(language);
  };
  return (
    <Menu position="bottom-end" width={220} defaultOpened>
      <Menu.Target>{target}</Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{t('language')}</Menu.Label>
        {Object.entries(languages).map(([language, name]) => (
          <Menu.Item
            key={language}
            lang={language}
            rightSection={checkMark(i18n.resolvedLanguage === language)}
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
            rightSection={checkMark(colorScheme === scheme)}
            onClick={() => setColorScheme(scheme)}
          >
            {t(scheme)}
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.Item
          leftSection={<IconDeviceTv size={16} aria-hidden />}
          renderRoot={(props) => <Link to="/wall" {...props} />}
        >
          {t('wall_view')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
