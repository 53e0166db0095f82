import { execFileSync, spawnSync } from 'node:child_process';

const program = `import sqlite3, sys
db = sqlite3.connect(sys.argv[1], timeout=10)
for row in db.execute(sys.argv[2]): print(*row)
db.commit()
db.close()`;

/**
 * A SQLite other than the one of this program, in a separate process per statement. Undefined if
 * neither sqlite3 nor python3 is installed.
 */
export function foreignSqlite(): ((path: string, sql: string) => string) | undefined {
  const run = (command: string, arguments_: readonly string[]) =>
    execFileSync(command, arguments_, { encoding: 'utf8' }).trim();
  if (works('sqlite3', ['-version'])) {
    return (path, sql) => run('sqlite3', ['-cmd', '.timeout 10000', path, sql]);
  }
  if (works('python3', ['-c', 'import sqlite3'])) {
    return (path, sql) => run('python3', ['-c', program, path, sql]);
  }
  return undefined;
}

function works(command: string, arguments_: readonly string[]): boolean {
  return spawnSync(command, arguments_, { stdio: 'ignore' }).status === 0;
}
