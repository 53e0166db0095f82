import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import { type AddressInfo, createServer as createTcpServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { gatewaySms, outboxSms, type SmsGatewayOptions } from '../../../src/adapters/sms/index.ts';
import { newTemporaryFolder } from '../../support/folders.ts';

const folder = newTemporaryFolder('sms');

const message = { id: 'ms01', to: '+3545550101', text: 'Halló', sentAtMs: Date.UTC(2025, 0, 2) };

interface Asked {
  readonly headers: IncomingHttpHeaders;
  readonly body: Record<string, unknown>;
}

async function openGateway(
  answer: { status?: number; body?: string; silent?: boolean; location?: string },
  options: Partial<SmsGatewayOptions> = {},
) {
  const asked: Asked[] = [];
  const server: Server = createServer((request, response) => {
    let text = '';
    request.on('data', (chunk) => (text += chunk));
    request.on('end', () => {
      asked.push({ headers: request.headers, body: JSON.parse(text) });
      if (answer.silent === true) return;
      const location = answer.location === undefined ? {} : { location: answer.location };
      response.writeHead(answer.status ?? 200, location).end(answer.body ?? '{}');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  // Only a gateway that never responds times out soon; a busy machine is not one.
  const timeoutMs = answer.silent === true ? 500 : 15_000;
  const sender = gatewaySms({ url: `http://127.0.0.1:${port}/send`, timeoutMs, ...options });
  return { asked, sender };
}

describe('gatewaySms', () => {
  test('posts JSON with the token of the file and the message ID as idempotency key', async () => {
    const tokenFile = join(folder, 'token');
    writeFileSync(tokenFile, 't0ken\n');
    const { asked, sender } = await openGateway({ body: '{"id":"gw-7"}' }, { tokenFile });
    expect(await sender.send(message)).toEqual({ reference: 'gw-7' });
    expect(asked[0]?.body).toEqual({ to: '+3545550101', text: 'Halló', id: 'ms01' });
    expect(asked[0]?.headers).toMatchObject({
      authorization: 'Bearer t0ken',
      'idempotency-key': 'ms01',
      'content-type': 'application/json',
    });
  });

  test.each(['', 'not json', '[]', 'null', '{"id":{"a":1}}', '{"id":"<script>"}', 'x'.repeat(2e6)])(
    'treats an unexpected response body (%#) as acceptance',
    async (body) => {
      const { sender } = await openGateway({ body });
      expect(await sender.send(message)).toEqual({ reference: 'ms01' });
    },
  );

  test.each([
    [400, 'sms.refused'],
    [413, 'sms.refused'],
    [422, 'sms.refused'],
    [401, 'sms.configuration'],
    [402, 'sms.configuration'],
    [403, 'sms.configuration'],
    [404, 'sms.configuration'],
    [405, 'sms.configuration'],
    [410, 'sms.configuration'],
    [415, 'sms.configuration'],
    [302, 'sms.configuration'],
    [408, 'sms.failed'],
    [429, 'sms.unavailable'],
    [500, 'sms.failed'],
    [502, 'sms.failed'],
    [503, 'sms.unavailable'],
  ])('maps the status %i to %s', async (status, code) => {
    const { asked, sender } = await openGateway({ status, location: 'http://127.0.0.1:1/' });
    const error = await sender.send(message).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code, details: { status } });
    expect(String((error as Error).message)).not.toContain('5550101');
    expect(asked).toHaveLength(1);
  });

  test('maps 407, which fetch hides, to a configuration error', async () => {
    const { sender } = await openGateway({ status: 407 });
    await expect(sender.send(message)).rejects.toMatchObject({ code: 'sms.configuration' });
  });

  test.each([
    ['before the request was sent', 'https', 'sms.unavailable'],
    ['after it was sent', 'http', 'sms.failed'],
  ])('reports a connection lost %s', async (_, protocol, code) => {
    const cutting = createTcpServer((socket) => {
      socket.on('error', () => undefined).on('data', () => socket.end());
    });
    await new Promise<void>((resolve) => cutting.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void cutting.close());
    const { port } = cutting.address() as AddressInfo;
    const sender = gatewaySms({ url: `${protocol}://127.0.0.1:${port}/` });
    await expect(sender.send(message)).rejects.toMatchObject({ code });
  });

  test('reports a silent gateway, a closed port and an unknown name', async () => {
    const { sender } = await openGateway({ silent: true });
    await expect(sender.send(message)).rejects.toMatchObject({ code: 'sms.failed' });
    const taken = createServer();
    await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve));
    const { port } = taken.address() as AddressInfo;
    await new Promise((resolve) => taken.close(resolve));
    const gone = gatewaySms({ url: `http://127.0.0.1:${port}/` });
    await expect(gone.send(message)).rejects.toMatchObject({ code: 'sms.unavailable' });
    // A port that this kind of client never contacts.
    const barred = gatewaySms({ url: 'http://127.0.0.1:1/' });
    await expect(barred.send(message)).rejects.toMatchObject({ code: 'sms.configuration' });
    const lost = gatewaySms({ url: 'http://sms.invalid/' });
    const unknown = await lost.send(message).catch((thrown: unknown) => thrown);
    expect(String((unknown as Error).message)).toMatch(/its name cannot be resolved/);
  });

  test('names a missing token file', async () => {
    const tokenFile = join(folder, 'none');
    const { asked, sender } = await openGateway({}, { tokenFile });
    await expect(sender.send(message)).rejects.toMatchObject({
      code: 'sms.configuration',
      details: { file: tokenFile },
    });
    expect(asked).toEqual([]);
  });

  test.each([
    { url: 'nothing' },
    { url: 'file:///etc/passwd' },
    { url: 'https://user:secret@sms.example/' },
    { url: 'http://sms.example/', tokenFile: 'secret' },
  ])('rejects %j without revealing the secret', (options) => {
    const make = () => gatewaySms(options);
    expect(make).toThrowError(expect.objectContaining({ code: 'config.invalid' }));
    expect(make).not.toThrowError(/secret/);
  });
});

describe('outboxSms', () => {
  test('writes one file per message', async () => {
    const box = join(folder, 'box');
    const sender = outboxSms({ folder: box });
    expect(await sender.send(message)).toEqual({ reference: 'ms01' });
    await sender.send(message);
    expect(readdirSync(box)).toEqual(['ms01.sms.txt']);
    expect(readFileSync(join(box, 'ms01.sms.txt'), 'utf8')).toBe(
      'Id: ms01\nTo: +3545550101\nDate: 2025-01-02T00:00:00.000Z\n\nHalló\n',
    );
  });

  test('fails if its folder cannot be created', async () => {
    const file = join(folder, 'file');
    writeFileSync(file, '');
    const sender = outboxSms({ folder: join(file, 'box') });
    await expect(sender.send(message)).rejects.toMatchObject({ code: 'sms.unavailable' });
  });
});
