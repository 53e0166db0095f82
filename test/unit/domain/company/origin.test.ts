import { expect, test } from 'vitest';
import { findOrigin, parseOrigin } from '../../../../src/domain/company.ts';

test.each([
  ['https://app.example.com', 'https://app.example.com'],
  ['HTTPS://App.Example.COM', 'https://app.example.com'],
  ['https://app.example.com:443', 'https://app.example.com'],
  ['https://app.example.com:8443', 'https://app.example.com:8443'],
  ['https://þjónusta.example', 'https://xn--jnusta-bxa0g.example'],
  ['https://intranet', 'https://intranet'],
  ['https://192.0.2.1:444', 'https://192.0.2.1:444'],
  ['https://[2001:DB8::1]', 'https://[2001:db8::1]'],
  ['http://localhost:3000', 'http://localhost:3000'],
  ['http://127.0.0.1', 'http://127.0.0.1'],
  ['http://127.1', 'http://127.0.0.1'],
  ['http://[::1]:80', 'http://[::1]'],
])('%s has the origin %s', (text, origin) => {
  expect(findOrigin(text)).toBe(origin);
  expect(parseOrigin(text)).toBe(origin);
});

test.each([
  ['http://app.example.com', /this machine/],
  ['http://localhost.example.com', /this machine/],
  ['http://192.168.1.1', /this machine/],
  ['https://*.example.com', /wildcards/],
  ['*', /wildcards/],
  ['https://app.example.com/', /omit the part/],
  ['https://app.example.com/page', /omit the part/],
  ['https://app.example.com?x', /scheme and host/],
  ['https://app.example.com#x', /scheme and host/],
  ['https://me@app.example.com', /scheme and host/],
  ['https://app.example.com\\@evil.example', /scheme and host/],
  ['https://app.example.com, https://other.example', /omit the part|scheme and host/],
  ['https://app.example.com:99999', /scheme and host/],
  ['https://', /scheme and host/],
  ['https://%00', /scheme and host/],
  ['app.example.com', /scheme and host/],
  ['null', /scheme and host/],
  ['', /scheme and host/],
  ['file:///etc', /scheme and host/],
  ['ftp://app.example.com', /scheme and host/],
  ['chrome-extension://abcdef', /scheme and host/],
  [`https://${'a.'.repeat(200)}example`, /scheme and host/],
])('%s is not an origin', (text, hint) => {
  expect(findOrigin(text)).toBeUndefined();
  expect(() => parseOrigin(text)).toThrow(
    expect.objectContaining({ code: 'validation.error', hint: expect.stringMatching(hint) }),
  );
});
