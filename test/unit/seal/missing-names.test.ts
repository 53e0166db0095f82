import { expect, test } from 'vitest';
import { buildName, describeName } from '../../../src/formats/x509/index.ts';
import { missingPath } from '../../../src/seal/missing-data.ts';

const names = [
  [
    { commonName: 'JÕEORG,JAAK-KRISTJAN,38001085718', serialNumber: 'PNOEE-38001085718' },
    'JÕEORG\\,JAAK-KRISTJAN\\,…',
  ],
  [{ commonName: 'ANDRIS PNOLV-010117-21234' }, 'ANDRIS PNOLV-…'],
  [
    { organizationName: 'Ehf. 600010-1994', serialNumber: 'IS:KT:6000101994,38001085718' },
    'serialNumber=…,O=Ehf. …',
  ],
  [{ commonName: 'SP925293', organizationName: 'Secu' }, 'O=Secu,CN=…'],
  [{ commonName: 'Auðkenni 2021' }, 'Auðkenni 2021'],
] as const;

test.each(names)('an error about the certificate of %j names %s', (attributes, expected) => {
  const subjectDer = buildName(attributes);
  const certificate = { subjectDer, issuerDer: subjectDer, extensions: { caIssuerUrls: [] } };
  const result = {
    valid: false,
    problem: 'NO_CERTIFICATE_CHAIN_FOUND',
    message: `no issuer of "${describeName(subjectDer)}"`,
    path: [],
  };
  const { message, hint, details } = missingPath(certificate as never, result as never);
  expect(message).toMatch(/: no issuer of "[^"]*"$/);
  expect(message.startsWith(`no path for "${expected}": `)).toBe(true);
  expect(message).not.toMatch(/38001085718|21234|1994/);
  expect(details).toMatchObject({ certificate: expected });
  expect(hint).toContain(expected);
});

test('an HTTP address is offered before an LDAP address', () => {
  const [subjectDer, issuerDer] = [
    buildName({ commonName: 'leaf' }),
    buildName({ commonName: 'ca' }),
  ];
  const caIssuerUrls = ['ldap://ldap.example/cn=ca', 'http://ca.example/ca.crt'];
  const certificate = { subjectDer, issuerDer, extensions: { caIssuerUrls } };
  const result = { valid: false, problem: 'NO_CERTIFICATE_CHAIN_FOUND', message: '', path: [] };
  const { hint } = missingPath(certificate as never, result as never);
  expect(hint).toContain('download it from http://ca.example/ca.crt and');
});
