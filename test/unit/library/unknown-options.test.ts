import { expect, test } from 'vitest';
import type { VisibleSeal } from '../../../src/app/documents/pdf/visible-seal.ts';
import type {
  LongTermOptions,
  SealContainerOptions,
  SealPdfOptions,
  SealWithCmsOptions,
  SealXmlOptions,
  SignFilesOptions,
  VerifyOptions,
} from '../../../src/index.ts';
import * as library from '../../../src/index.ts';
import * as server from '../../../src/server.ts';
import * as toolkit from '../../../src/toolkit.ts';
import { optionNames, requireKnownOptions } from '../../../src/wire/library/check-arguments.ts';

type Names<T> = Readonly<Record<keyof T, true>>;
const longTerm: Names<LongTermOptions> = {
  password: true,
  timestampAuthority: true,
  revocation: true,
  trust: true,
  certificates: true,
  algorithms: true,
  now: true,
  random: true,
};
const seal: Names<SealPdfOptions> = {
  ...longTerm,
  signer: true,
  level: true,
  field: true,
  reason: true,
  location: true,
  name: true,
  contact: true,
  certify: true,
  ignorePermissions: true,
  visible: true,
};
const withCms: Names<SealWithCmsOptions> = {
  signer: true,
  subFilter: true,
  trust: true,
  algorithms: true,
  field: true,
  reason: true,
  location: true,
  name: true,
  contact: true,
  now: true,
  password: true,
};
const verify: Names<VerifyOptions> = {
  password: true,
  trust: true,
  trustProfiles: true,
  dataDir: true,
  certificates: true,
  at: true,
  detached: true,
  includeSignedData: true,
  secondOpinion: true,
  revocation: true,
  revocationMode: true,
  validationData: true,
  algorithms: true,
};
const files: Names<SignFilesOptions> = {
  ...longTerm,
  signer: true,
  level: true,
  roles: true,
  place: true,
  commitments: true,
  policy: true,
};
const xml: Names<SealXmlOptions> = {
  ...files,
  packaging: true,
  id: true,
  parent: true,
  transform: true,
  encoding: true,
  mimeType: true,
};
const container: Names<SealContainerOptions> = { ...files, container: true, format: true };
const visible: Names<VisibleSeal> = {
  page: true,
  corner: true,
  startAt: true,
  rect: true,
  template: true,
  language: true,
  image: true,
  qr: true,
};

test.each([
  ['sealPdf', seal],
  ['sealPdfWithCms', withCms],
  ['augmentPdf', longTerm],
  ['augmentXml', { ...longTerm, detached: true }],
  ['augmentContainer', longTerm],
  ['augmentCms', { ...longTerm, detached: true }],
  ['planArchive', { ...longTerm, detached: true }],
  ['sealXml', xml],
  ['sealContainer', container],
  ['verifyDocument', verify],
  ['visible', visible],
] as const)('the known options of %s are those of its type', (call, names) => {
  expect([...optionNames[call]].sort()).toEqual(Object.keys(names).sort());
  const { visible: _, ...all } = Object.fromEntries(Object.keys(names).map((name) => [name, 0]));
  expect(() => requireKnownOptions(call, all)).not.toThrow();
});

test.each<[Parameters<typeof requireKnownOptions>[0], object, string, string]>([
  ['sealPdf', { resaon: 'x' }, 'resaon is not an option of sealPdf', 'did you mean "reason"?'],
  ['sealPdf', { Level: 'B-B' }, 'Level is not an option of sealPdf', 'did you mean "level"?'],
  ['sealPdf', { resaon: undefined }, 'resaon is not an option', 'did you mean "reason"?'],
  ['augmentPdf', { xyzxyz: 1 }, 'xyzxyz is not an option of augmentPdf', 'known: password, timest'],
  [
    'verifyDocument',
    { roots: [] },
    'roots is not an option of verifyDocument',
    'known: password, ',
  ],
  ['sealPdf', { visible: { cornr: 'x' } }, 'visible.cornr is not an option', 'mean "corner"?'],
  ['sealPdf', { ['x'.repeat(500)]: 1 }, `${'x'.repeat(40)}… is not an option`, 'known: '],
])('%s rejects %j', (call, options, message, hint) => {
  expect(() => requireKnownOptions(call, options)).toThrow(
    expect.objectContaining({
      code: 'usage.invalid',
      message: expect.stringContaining(message),
      hint: expect.stringContaining(hint),
    }),
  );
});

test.each([
  [{ visible: false }],
  [{ visible: undefined }],
  [{ subFilter: 'x', at: new Date(0) }],
  [Object.create({ inherited: 1 })],
])('%j is accepted', (options) => {
  expect(() => requireKnownOptions('sealPdf', options)).not.toThrow();
});

const innsigli = toolkit.openInnsigli();

test.each<[string, readonly unknown[], string, string]>([
  ['pemSigner', [{ key: 'k', certificates: 'c' }], 'certificates', 'did you mean "certificate"?'],
  ['pemSigner', [{ key: 'k', certificate: 'c', passphrase: 'x' }], 'passphrase', 'known: '],
  ['p12Signer', [{ p12: new Uint8Array(1), pasword: 'x' }], 'pasword', 'mean "password"?'],
  ['keyObjectSigner', [{ key: 'k' }], 'key', 'known: '],
  ['fromSignpdfSigner', [{}, { estimatedLength: 1 }], 'estimatedLength', '"estimatedLengthBytes"'],
  ['toSignpdfSigner', [{}, { timestamp: {} }], 'timestamp', '"timestampAuthority"'],
  ['failoverTimestampAuthority', [[], { accepts: () => undefined }], 'accepts', '"accept"'],
  ['httpTimestampAuthority', [{ url: 'https://x', timeout: 1 }], 'timeout', '"timeoutMs"'],
  ['localTimestampAuthority', [{ cert: 'x' }], 'cert', '"certificate"'],
  ['httpRevocationSource', [{ timeoutMS: 1, time_out: 1 }], 'timeoutMS', '"timeoutMs"'],
  ['renderReport', [{}, { fromat: 'html' }], 'fromat', '"format"'],
  ['openDevelopmentTrust', [{ dataDir: 'x' }], 'dataDir', 'known: directory, '],
  ['openInnsigli', [{}, { warning: () => undefined }], 'warning', '"warn"'],
  ['startTrustServer', [{ host: 'x', port: 0, timestmap: () => undefined }], 'timestmap', '"tim'],
  ['buildServer', [innsigli, { trustedProxy: [] }], 'trustedProxy', '"trustProxy"'],
  ['buildServer', [innsigli, {}, { clock: () => new Date() }], 'clock', 'known: now, random'],
])('%s rejects an unknown option (%#)', async (name, args, option, hint) => {
  const entries = { ...library, ...toolkit, ...server } as unknown as Record<
    string,
    (...given: readonly unknown[]) => unknown
  >;
  await expect(async () => entries[name]?.(...args)).rejects.toMatchObject({
    code: 'usage.invalid',
    message: `${option} is not an option of ${name}`,
    hint: expect.stringContaining(hint),
  });
});
