import { once } from 'node:events';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { openToolkit } from '../../src/wire/toolkit.ts';
import { openFakeCli } from './support/fake-cli.ts';

async function run(line: string) {
  const cli = openFakeCli();
  const io = {
    openToolkit: async (...[config, own]: Parameters<typeof openToolkit>) =>
      openToolkit(config, own),
  };
  const env = { INNSIGLI_HOME: join(cli.folder, 'data') };
  return cli.run(line.split(' '), { env, io });
}

describe.each(['serve --api', 'tsa serve'])('innsigli %s exits with 10', (command) => {
  test('when the port is in use', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    onTestFinished(() => void other.close());
    const { port } = other.address() as { port: number };
    const { exitCode, stderr } = await run(`${command} --port ${port}`);
    expect(stderr).toContain(
      `error[config.invalid]: cannot listen on 127.0.0.1:${port}: another program is listening there`,
    );
    expect(stderr).toContain('0 picks a free one');
    expect(exitCode).toBe(10);
  });

  test.each(['192.0.2.1', 'nowhere.invalid'])(
    'when %s is not an address of this machine',
    async (host) => {
      const { exitCode, stderr } = await run(`${command} --port 0 --host ${host}`);
      expect(stderr).toContain(`cannot listen on ${host}:0: `);
      expect(stderr).toContain('--host: expected an address of this machine');
      expect(exitCode).toBe(10);
    },
  );
});
