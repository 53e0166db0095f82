/**
 * Generates the types of the client of test/api/generated-client.test.ts from the description.
 *
 *     node scripts/run-ts.mjs scripts/openapi-client.ts [--print]
 *
 * openapi-typescript requires another compiler than this project has: it is installed next to the
 * foreign judges. --print writes the description itself to stdout.
 */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { clientShape, readDescription, shapeHash } from '../test/api/support/description.ts';
import { run } from '../test/interop/tools.ts';

const tools = ['openapi-typescript@7.13.0', 'typescript@5.9.3'];
const file = join('test', 'api', 'client', 'schema.gen.ts');
const timeoutMs = 600_000;

async function findTool(): Promise<string> {
  const { INNSIGLI_JUDGES, XDG_CACHE_HOME = join(homedir(), '.cache') } = process.env;
  const cache = INNSIGLI_JUDGES ?? join(XDG_CACHE_HOME, 'innsigli-judges');
  const folder = join(cache, 'openapi-typescript-7.13.0');
  const program = join(folder, 'node_modules', '.bin', 'openapi-typescript');
  if (existsSync(program)) return program;
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{"private":true}\n');
  const options = ['install', '--ignore-scripts', '--no-audit', '--no-fund', ...tools];
  const made = await run('npm', options, { cwd: folder, timeoutMs });
  if (made.code !== 0) throw new Error(`npm install: ${made.stderr.slice(-2000)}`);
  return program;
}

const { document } = await readDescription();
if (process.argv.includes('--print')) console.log(JSON.stringify(document, null, 2));
else {
  const work = mkdtempSync(join(tmpdir(), 'innsigli-client-'));
  try {
    const input = join(work, 'openapi.json');
    const output = join(work, 'schema.ts');
    const shape = clientShape(document);
    writeFileSync(input, JSON.stringify(shape));
    const made = await run(await findTool(), [input, '--output', output], { timeoutMs });
    if (made.code !== 0) throw new Error(`openapi-typescript: ${made.stdout}${made.stderr}`);
    const head =
      `// Made by scripts/openapi-client.ts from the description ${shapeHash(shape)}.\n` +
      '// biome-ignore-all lint: generated\n// biome-ignore-all format: generated\n';
    mkdirSync(join(file, '..'), { recursive: true });
    writeFileSync(file, head + withoutNothing(readFileSync(output, 'utf8')));
    console.log(file);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

/** A member that can never be present need not be declared. */
function withoutNothing(text: string): string {
  return text.replaceAll(/^ *(\w+|"[^"]+")\?: never;\n/gm, '').replaceAll(/^ {4,}/gm, indent);
}

function indent(spaces: string): string {
  return ' '.repeat(spaces.length / 4);
}
