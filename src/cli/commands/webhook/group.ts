import { command } from '../../command/index.ts';
import { webhookCreate } from './create.ts';
import { webhookDelete } from './delete.ts';
import { webhookDeliveries } from './deliveries.ts';
import { webhookList } from './list.ts';
import { webhookListen } from './listen.ts';
import { webhookPing } from './ping.ts';
import { webhookReplay } from './replay.ts';
import { webhookTrigger } from './trigger.ts';
import { webhookUpdate } from './update.ts';
import { webhookVerify } from './verify.ts';

/** `webhook` with its commands. */
export const webhook = command('webhook', {
  description: 'Report events of documents to other systems.',
  commands: [
    webhookCreate,
    webhookList,
    webhookUpdate,
    webhookDelete,
    webhookDeliveries,
    webhookReplay,
    webhookPing,
    webhookTrigger,
    webhookListen,
    webhookVerify,
  ],
});
