import { describe, expect, test } from 'vitest';
import type { MessageService, MessageView } from '../../src/app/message/index.ts';
import type { DeliveryView, WebhookService } from '../../src/app/webhook/index.ts';
import { openFakeCli } from './support/fake-cli.ts';
import { withService } from './support/fake-service.ts';

const ids = ['ms0a11', 'ms0a12', 'msff00'];
const deliveries = ['wd0a11', 'wd0a12', 'wdff00'];

/** A service with three messages and three deliveries that records the requests. */
function open() {
  const asked: unknown[] = [];
  const messages: Partial<MessageService> = {
    list: async () => ids.map((id) => ({ id, to: `${id}@example.is` }) as MessageView),
    retry: async (id) => {
      asked.push(id);
      return { id, channel: 'Email', state: 'waiting', to: 'a@b.is' } as MessageView;
    },
  };
  const webhooks: Partial<WebhookService> = {
    deliveries: async () => deliveries.map((id) => ({ id, state: 'dead' }) as DeliveryView),
    replay: async (request) => {
      asked.push(request);
      return [];
    },
  };
  const toolkit = withService({ messages, webhooks } as never);
  const cli = openFakeCli();
  return { asked, run: (line: string) => cli.run(line.split(' '), { toolkit }) };
}

describe('messages and deliveries by key prefix', () => {
  test.each([
    ['message retry msf', ['msff00']],
    ['message retry msf ms0a12', ['msff00', 'ms0a12']],
    ['webhook replay wdf', [{ deliveryId: 'wdff00' }]],
    ['webhook replay wd99', [{ deliveryId: 'wd99' }]],
  ])('`%s` resolves the prefix', async (line, expected) => {
    const { run, asked } = open();
    await run(line);
    expect(asked).toEqual(expected);
  });

  test.each([
    ['message retry msf ms0a', '"ms0a" matches the keys of several messages: ms0a11'],
    ['webhook replay wd0a', '"wd0a" matches the keys of several deliveries: wd0a11 (dead), wd0a12'],
  ])('`%s` is rejected as ambiguous', async (line, message) => {
    const { run, asked } = open();
    const { exitCode, stderr } = await run(line);
    expect([exitCode, asked]).toEqual([2, []]);
    expect(stderr).toContain(message);
  });

  test.each([
    ['message', ids],
    ['delivery', deliveries],
  ])('completion offers the keys of each %s', async (kind, expected) => {
    const { stdout } = await open().run(`completion keys ${kind}`);
    const keys = stdout
      .trim()
      .split('\n')
      .map((line) => line.split('\t')[0]);
    expect(keys).toEqual(expected);
  });
});
