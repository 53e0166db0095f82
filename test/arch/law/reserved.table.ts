/** Registered codes that are not thrown yet, with the reason why they stay. */
export const reservedErrorCodes: Readonly<Record<string, string>> = {};

/** Packages that tools run or read and no code imports. */
export const toolPackages: Readonly<Record<string, string>> = {
  '@expo-google-fonts/noto-sans': 'font files of visible seals, read as files',
  '@fastify/swagger-ui': 'script and style of the page of the interface, copied by the build',
  cookie: 'the version that every supported Node takes, held for users too (docs/adr/0016)',
  'light-my-request': 'the same',
  '@biomejs/biome': 'formatter and linter, a program',
  '@xmldom/xmldom': 'the DOM of xmldsigjs, loaded by require (adapters/second-opinion)',
  xmldsigjs: 'loaded by require: its types bring those of browsers',
  xpath: 'the XPath of xmldsigjs, loaded by require',
  '@types/better-sqlite3': 'types of better-sqlite3, read by the compiler',
  '@types/node': 'types of the Node API, read by the compiler',
  '@types/node-forge': 'types of node-forge, read by the compiler',
  '@types/pg': 'types of pg, read by the compiler',
  '@vitest/coverage-v8': 'counts for `npm run coverage`, loaded by vitest',
  typescript: 'the compiler, a program',
};
