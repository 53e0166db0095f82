/** Packages that the build bundles into dist/: users do not install them. */
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
