import { Anchor } from '@mantine/core';
import { IconChevronLeft } from '@tabler/icons-react';
import { Link, useLocation } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { Page } from '../../components/page';
import { DeviceNotifications } from '../notifications/device-notifications';
import { HubSettings } from './hub-settings';
import { PlaceCard, usePlaceFocus } from './place-card';
import { PlaceList } from './place-list';
import { placeOf } from './setting-places';
import classes from './settings-page.module.css';

/** How the hub works, part by part. What this device alone keeps, needs no password and stands first. */
export function SettingsPage() {
  const { t } = useTranslation('settings');
  const chosen = useLocation({ select: ({ hash }) => placeOf(hash) });
  const shown = chosen ?? 'device';
  const place = usePlaceFocus(chosen);
  return (
    <Page title={t('title')}>
      <div className={classes['columns']}>
        <PlaceList chosen={chosen} shown={shown} />
        <div ref={place} tabIndex={-1} className={classes['place']} data-chosen={chosen && true}>
          <Anchor
            className={classes['back']}
            py={4}
            underline="never"
            renderRoot={(props) => <Link to="/settings" {...props} />}
          >
            <IconChevronLeft size={18} aria-hidden style={{ verticalAlign: '-3px' }} /> {t('all_settings')}
          </Anchor>
          {shown === 'device' ? (
            <PlaceCard place="device">
              <DeviceNotifications />
            </PlaceCard>
          ) : (
            <HubSettings key={shown} group={shown} />
          )}
        </div>
      </div>
    </Page>
  );
}
