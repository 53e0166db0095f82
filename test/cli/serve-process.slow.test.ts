import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { newTemporaryFolder } from '../support/folders.ts';

const program = resolve('bin/innsigli.cjs');
const isBuilt = existsSync('dist/cli/service.cjs');
if (!isBuilt)
  console.warn('SKIPPED test/cli/serve-process.test.ts: dist/ is missing, run npm run build');

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  return port;
}

describe.skipIf(!isBuilt)('the built innsigli serve (skipped when dist/ is missing)', () => {
  test('accepts a document, and its links lead to the service itself', async () => {
    const folder = newTemporaryFolder('serve');
    const env = { PATH: process.env['PATH'] ?? '', HOME: folder, INNSIGLI_HOME: join(folder, 'd') };
    const options = { cwd: folder, env } as const;
    const init = spawnSync(process.execPath, [program, 'init', '--json'], options);
    const { company } = JSON.parse(String(init.stdout));
    const port = await freePort();
    const child = spawn(process.execPath, [program, 'serve', '--port', `${port}`], options);
    let notes = '';
    child.stderr.on('data', (text) => {
      notes += String(text);
    });
    try {
      const [line] = await once(child.stdout, 'data');
      const base = `http://127.0.0.1:${port}`;
      // Other programs do not know its address.
      await expect.poll(() => notes).toContain(`8080: set INNSIGLI_FRONT_END=${base} there`);
      expect(String(line)).toBe(`${base}\n`);
      const pair = Buffer.from(`${company.key}:${company.apiKey}`).toString('base64');
      const headers = { authorization: `Basic ${pair}`, 'content-type': 'application/json' };
      const flows = await fetch(`${base}/api/management/flow`, { headers });
      const [flow] = (await flows.json()) as { flowKey: string }[];
      const answer = await fetch(`${base}/api/management/signing`, {
        method: 'POST',
        headers,
        body: JSON.stringify({
          flowKey: flow?.flowKey,
          pdfDocument: readFileSync('fixtures/pdf/agreement.pdf').toString('base64'),
          pdfFileName: 'a.pdf',
          createSignees: [{ name: 'A', email: 'a@example.test', signatureType: 'ClickToSign' }],
          attachments: [{ fileName: 'a.txt', fileContent: 'aGk=' }],
        }),
      });
      const made = (await answer.json()) as {
        readonly signees: readonly { readonly url: string }[];
        readonly attachmentReferences: readonly { readonly url: string }[];
      };
      expect(made.signees[0]?.url).toContain(`${base}/s/`);
      const attachment = await fetch(made.attachmentReferences[0]?.url ?? '');
      expect(await attachment.text()).toBe('hi');
    } finally {
      child.kill('SIGTERM');
      const [code] = await once(child, 'exit');
      expect(code).toBe(0);
      rmSync(folder, { recursive: true, force: true });
    }
  }, 60_000);
});
