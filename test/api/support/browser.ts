import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { delimiter, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { newTemporaryFolder, sharedPlace } from '../../support/folders.ts';

const names = ['chromium', 'chromium-browser', 'google-chrome'];

/** Path of a browser of this machine. Undefined if there is none. */
export const browser = (process.env['PATH'] ?? '')
  .split(delimiter)
  .flatMap((folder) => names.map((name) => join(folder, name)))
  .find((path) => {
    try {
      execFileSync(path, ['--version'], { stdio: 'ignore', timeout: 30_000 });
      return true;
    } catch {
      return false;
    }
  });

/** The reason why browser tests are skipped. Undefined if they run. */
export const browserMissing =
  browser === undefined ? `no ${names.join(', ')} on this machine` : undefined;

/** A web site whose one page runs a script. */
export interface Site {
  readonly origin: string;
  /** Opens the page in a fresh browser; returns the result of its script, parsed as JSON. */
  run<T>(script: string): Promise<T>;
  close(): Promise<void>;
}

/** A site with a different host name than the API: for browsers a different site. */
export async function openSite(): Promise<Site> {
  let script = '';
  let tell: (result: string) => void = () => undefined;
  const server = createServer(async (request, response) => {
    if (request.method === 'POST') tell(await text(request));
    response.setHeader('content-type', 'text/html; charset=utf-8');
    response.end(request.url === '/' ? pageOf(script) : '');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const origin = `http://localhost:${(server.address() as AddressInfo).port}`;
  return {
    origin,
    run: async <T>(given: string) => {
      script = given;
      const told = new Promise<string>((resolve) => {
        tell = resolve;
      });
      return JSON.parse(await within(`${origin}/`, told)) as T;
    },
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

async function within(url: string, told: Promise<string>): Promise<string> {
  const folder = newTemporaryFolder('browser');
  const flags = ['--headless=new', '--no-sandbox', '--disable-gpu', '--no-first-run'];
  const quiet = ['--disable-dev-shm-usage', '--disable-background-networking'];
  const own = [`--user-data-dir=${folder}`, url];
  const child = spawn(browser ?? '', [...flags, ...quiet, ...own], {
    stdio: 'ignore',
    detached: true,
    env: { ...process.env, TMPDIR: sharedPlace() },
  });
  const gone = once(child, 'exit').then(() => Promise.reject(new Error('the browser has gone')));
  gone.catch(() => undefined);
  try {
    return await Promise.race([told, gone]);
  } finally {
    await end(child);
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** Terminates the browser with all its processes, which form a process group. */
async function end(child: ChildProcess): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null) return;
  const over = once(child, 'exit');
  process.kill(-child.pid, 'SIGKILL');
  await over;
}

function pageOf(script: string): string {
  return `<!doctype html><title>A page</title><script type="module">
const result = await (async () => { ${script} })().catch((error) => ({ failed: String(error) }));
await fetch('/told', { method: 'POST', body: JSON.stringify(result) });
</script>`;
}
