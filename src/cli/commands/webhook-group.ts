import type { Command } from 'commander';
import type { Start } from '../context.ts';
import { defineWebhookCreate } from './webhook-create.ts';
import { defineWebhookDelete } from './webhook-delete.ts';
import { defineWebhookDeliveries } from './webhook-deliveries.ts';
import { defineWebhookList } from './webhook-list.ts';
import { defineWebhookListen } from './webhook-listen.ts';
import { defineWebhookPing } from './webhook-ping.ts';
import { defineWebhookReplay } from './webhook-replay.ts';
import { defineWebhookTrigger } from './webhook-trigger.ts';
import { defineWebhookUpdate } from './webhook-update.ts';
import { defineWebhookVerify } from './webhook-verify.ts';

/** Adds `webhook` and its commands to the command tree. */
export function defineWebhook(program: Command, start: Start): void {
  const group = program.command('webhook').summary('tell other systems what happens');
  group.description('Tell other systems what happens to documents.').helpCommand(false);
  for (const define of [
    defineWebhookCreate,
    defineWebhookList,
    defineWebhookUpdate,
    defineWebhookDelete,
    defineWebhookDeliveries,
    defineWebhookReplay,
    defineWebhookPing,
    defineWebhookTrigger,
    defineWebhookListen,
    defineWebhookVerify,
  ]) {
    define(group, start);
  }
}
