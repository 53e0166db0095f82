/** Packages that the build puts into dist/: no user installs them for the library or the program. */
export const bundledPackages = [
  '@csstools/css-tokenizer',
  '@sinclair/typebox',
  'any-ascii',
  'ipaddr.js',
  'kysely',
  'pdf-lib',
  'qrcode-generator',
];

/** Packages that only the program bundles: small, and needed in every run. */
export const bundledByProgram = ['chalk', 'commander'];
