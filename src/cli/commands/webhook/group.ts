import type { Command } from 'commander';
import type { Start } from '../../context.ts';
import { defineWebhookCreate } from './create.ts';
import { defineWebhookDelete } from './delete.ts';
import { defineWebhookDeliveries } from './deliveries.ts';
import { defineWebhookList } from './list.ts';
import { defineWebhookListen } from './listen.ts';
import { defineWebhookPing } from './ping.ts';
import { defineWebhookReplay } from './replay.ts';
import { defineWebhookTrigger } from './trigger.ts';
import { defineWebhookUpdate } from './update.ts';
import { defineWebhookVerify } from './verify.ts';

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
