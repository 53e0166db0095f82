/** Version 13 of better-sqlite3; its types are those of version 12. */
declare module 'better-sqlite3-napi' {
  const Database: typeof import('better-sqlite3');
  // biome-ignore lint/style/noDefaultExport: as the package has it
  export default Database;
}
