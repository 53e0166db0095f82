/** Version 13 of better-sqlite3; its types are those of version 12. */
declare module 'better-sqlite3-napi' {
  const Database: typeof import('better-sqlite3');
  export default Database;
}
