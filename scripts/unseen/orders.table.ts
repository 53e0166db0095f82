/** One call of `openssl cms -sign`. */
export interface CmsOrder {
  readonly name: string;
  readonly signers: readonly ('rsa' | 'ec')[];
  readonly options: {
    readonly common: readonly string[];
    /** Options repeated for each signer. */
    readonly keyed?: readonly string[];
  };
  readonly isDetached?: boolean;
  /** Included in a short run. */
  readonly isBrief?: boolean;
}

const common = (...words: readonly string[]) => ({ common: ['-binary', ...words] });
const cades = common('-cades');

/** Signatures by OpenSSL, with its various options. */
export const cmsOrders: readonly CmsOrder[] = [
  { name: 'cades-rsa', signers: ['rsa'], options: cades, isBrief: true },
  { name: 'cades-ec', signers: ['ec'], options: cades, isBrief: true },
  { name: 'cades-rsa', signers: ['rsa'], options: cades, isDetached: true, isBrief: true },
  { name: 'cades-ec', signers: ['ec'], options: cades, isDetached: true },
  { name: 'cades-two', signers: ['rsa', 'ec'], options: cades },
  { name: 'cades-sha1', signers: ['rsa'], options: common('-cades', '-md', 'sha1') },
  { name: 'cades-sha224', signers: ['rsa'], options: common('-cades', '-md', 'sha224') },
  { name: 'cades-sha384', signers: ['ec'], options: common('-cades', '-md', 'sha384') },
  { name: 'cades-sha512', signers: ['rsa'], options: common('-cades', '-md', 'sha512') },
  { name: 'cades-sha3', signers: ['rsa'], options: common('-cades', '-md', 'sha3-256') },
  {
    name: 'cades-pss',
    signers: ['rsa'],
    options: { common: ['-binary', '-cades'], keyed: ['-keyopt', 'rsa_padding_mode:pss'] },
    isBrief: true,
  },
  {
    name: 'cades-pss-512',
    signers: ['rsa'],
    options: {
      common: ['-binary', '-cades', '-md', 'sha512'],
      keyed: ['-keyopt', 'rsa_padding_mode:pss', '-keyopt', 'rsa_pss_saltlen:-1'],
    },
  },
  { name: 'cades-nocerts', signers: ['rsa'], options: common('-cades', '-nocerts') },
  { name: 'cades-keyid', signers: ['ec'], options: common('-cades', '-keyid') },
  { name: 'cades-stream', signers: ['rsa'], options: common('-cades', '-stream'), isBrief: true },
  { name: 'cades-text', signers: ['rsa'], options: { common: ['-cades', '-text'] } },
  { name: 'plain-rsa', signers: ['rsa'], options: common(), isBrief: true },
  { name: 'plain-ec', signers: ['ec'], options: common(), isDetached: true },
  { name: 'plain-noattr', signers: ['rsa'], options: common('-noattr'), isBrief: true },
  { name: 'plain-noattr-ec', signers: ['ec'], options: common('-noattr'), isDetached: true },
  { name: 'plain-nocerts', signers: ['ec'], options: common('-nocerts') },
  { name: 'plain-nosmimecap', signers: ['rsa'], options: common('-nosmimecap') },
  { name: 'plain-keyid', signers: ['rsa'], options: common('-keyid') },
  { name: 'plain-sha1', signers: ['rsa'], options: common('-md', 'sha1'), isDetached: true },
  { name: 'plain-md5', signers: ['rsa'], options: common('-md', 'md5') },
  { name: 'plain-econtent', signers: ['rsa'], options: common('-econtent_type', '1.2.3.4') },
  {
    name: 'cades-econtent',
    signers: ['ec'],
    options: common('-cades', '-econtent_type', 'pkcs7-signedData'),
  },
];

/** Forms in which the reference validator signs. */
export const foreignForms: readonly ForeignForm[] = [
  { kind: 'pdf', format: 'pades', more: [], input: 'pdf', ending: '.pdf' },
  form('xades', 'enveloped', '.xml'),
  form('xades', 'enveloping', '.xml'),
  { ...form('xades', 'detached', '.xml'), input: 'text', isDetached: true },
  { ...form('cades', 'enveloping', '.p7m'), kind: 'cms', input: 'text' },
  { ...form('cades', 'detached', '.p7s'), kind: 'cms', input: 'text', isDetached: true },
  container('asic-xades', 's'),
  container('asic-xades', 'e'),
  container('asic-cades', 's'),
  container('asic-cades', 'e'),
];

interface ForeignForm {
  readonly kind: 'pdf' | 'xml' | 'cms' | 'container';
  readonly format: string;
  readonly more: readonly string[];
  readonly input: 'text' | 'xml' | 'pdf';
  readonly ending: string;
  readonly isDetached?: boolean;
}

function form(format: string, packaging: string, ending: string): ForeignForm {
  return { kind: 'xml', format, more: ['--packaging', packaging], input: 'xml', ending };
}

function container(format: string, type: 's' | 'e'): ForeignForm {
  const more = ['--container', type];
  return { kind: 'container', format, more, input: 'text', ending: `.asic${type}` };
}

/** Levels at which it signs, with key and digest. */
export const foreignLevels = [
  { level: 'B', key: 'rsa', digest: 'SHA256' },
  { level: 'T', key: 'ec', digest: 'SHA384' },
  { level: 'LT', key: 'rsa', digest: 'SHA512' },
  { level: 'LTA', key: 'ec', digest: 'SHA256' },
] as const;
