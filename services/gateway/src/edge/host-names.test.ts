import { describe, expect, test } from 'vitest';
import { parseTrustedHosts } from './host-names.js';

const list = 'birds.example, *.Garden.example,203.0.113.9,[2001:db8::1],2001:db8:0::2,vögel.example';

describe('parseTrustedHosts', () => {
  test.each([
    'localhost',
    'LocalHost.',
    'api.localhost',
    'localhost:8080',
    'hub',
    'birdhub_gateway_1:8080',
    'HUB.Local',
    'hub.home.arpa',
    'hub.internal:8080',
    '127.0.0.1',
    '127.9.9.9:8080',
    '0.0.0.0:8080',
    '0x7f.1',
    '10.1.2.3',
    '172.16.0.1',
    '172.31.255.255',
    '192.168.1.4:80',
    '169.254.3.4',
    '100.64.0.1',
    '100.127.255.255',
    '[::1]',
    '[::1]:8080',
    '[::ffff:192.168.1.4]',
    '[::ffff:7f00:1]:8080',
    '[fd00::1]',
    '[fe80::1]:80',
    '[fe80::1%25eth0]',
  ])('a private name or address, %s, is trusted without a list', (header) => {
    expect(parseTrustedHosts('')(header)).toBe(true);
  });

  test.each([
    'evil.example',
    'localhost.evil.example',
    '127.0.0.1.evil.example',
    '192.168.1.4.nip.io',
    'hub.local.evil.example',
    'evillocalhost.example',
    'a.notlocal',
    '203.0.113.9',
    '8.8.8.8:80',
    '134744072',
    '172.32.0.1',
    '172.15.255.255',
    '100.128.0.1',
    '11.0.0.1',
    '[2001:db8::1]',
    '[::ffff:8.8.8.8]',
    '[::2]',
  ])('a public name or address, %s, is not trusted without a list', (header) => {
    expect(parseTrustedHosts('')(header)).toBe(false);
  });

  test.each([
    'birds.example',
    'BIRDS.example.:8443',
    'a.garden.example',
    'b.a.garden.example:80',
    '203.0.113.9:8080',
    '[2001:db8::1]:8080',
    '[2001:DB8::2]',
    'xn--vgel-5qa.example',
  ])('a listed name, %s, is trusted', (header) => {
    expect(parseTrustedHosts(list)(header)).toBe(true);
  });

  test.each(['www.birds.example', 'garden.example', 'evilgarden.example', '203.0.113.8', '[2001:db8::3]'])(
    'a name similar to a listed one, %s, is not trusted',
    (header) => {
      expect(parseTrustedHosts(list)(header)).toBe(false);
    },
  );

  test.each([
    '',
    ' ',
    '.',
    ':80',
    'a..b',
    '.local',
    'hub:80:80',
    'hub:x',
    'user@hub',
    'hub/evil.example',
    'hub?evil.example',
    'hub, hub',
    'hub\\evil.example',
    '%6cocalhost',
    '[::1',
    '::1',
    '[hub]',
    '256.256.256.256',
    'x'.repeat(300),
  ])('an invalid host, %j, is not trusted', (header) => {
    expect(parseTrustedHosts('birds.example')(header)).toBe(false);
  });

  test('an asterisk, makes every name trusted', () => {
    expect(parseTrustedHosts('birds.example,*')('evil.example')).toBe(true);
  });

  test.each([
    'birds.example:8080',
    'https://birds.example',
    'a b',
    '*.',
    '*.10.0.0.1',
    '*birds.example',
    'a/b',
    '[::1]:80',
  ])('an invalid entry, %s, is named in the error', (entry) => {
    expect(() => parseTrustedHosts(`a.example,${entry}`)).toThrow(`TRUSTED_HOSTS: ${entry}`);
  });
});
