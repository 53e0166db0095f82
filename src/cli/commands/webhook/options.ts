import type { CompanyService } from '../../../app/company-service.ts';
import type { DeliveryView, WebhookView } from '../../../app/webhook/index.ts';
import { defined } from '../../../base/defined.ts';
import type { FlowType } from '../../../domain/flow/index.ts';
import { asKey, type FlowKey } from '../../../domain/keys.ts';
import { eventTypes } from '../../../domain/process/index.ts';
import { idNumber, reading, textOfFile } from '../../command/index.ts';
import { refuseUsage } from '../../context.ts';
import { printable, type Style, wholeSecond } from '../../output/index.ts';

/** Types of webhooks, for help. */
export const typesHelp = `Types: ${eventTypes.join(', ')}.`;

/** Number of attempts, for help. */
export const scheduleHelp =
  'The published schedule makes three attempts, 10 and 60 seconds apart, and accepts only status ' +
  '200; the extended one makes ten within three days and accepts any 2xx.';

/**
 * Returns the named flow, or the company's only one. If there are several, the only active one of
 * `types`, if given.
 *
 * @throws usage.invalid
 */
export async function flowOf(
  { flows }: Pick<CompanyService, 'flows'>,
  named: FlowKey | undefined,
  types: readonly FlowType[] = [],
): Promise<FlowKey> {
  if (named !== undefined) return named;
  const all = await flows.list();
  const meant = all.filter(({ active, flowType }) => active && types.includes(flowType));
  const found = meant.length > 0 ? meant : all;
  const [only] = found;
  if (found.length === 1 && only !== undefined) return asKey('flow', only.flowKey);
  if (only === undefined) {
    return refuseUsage('--flow: the company has no flow', 'create one with innsigli flow create');
  }
  const message = `--flow: expected the key of one of ${found.length} flows, found none`;
  return refuseUsage(message, 'list the keys with innsigli flow list');
}

/** Schedules of attempts. */
export const schedules = ['published', 'extended'] as const;

/** The argument that names a webhook. */
export const webhookNumber = { text: 'its full number', ...idNumber('a webhook') };

/** Secrets read from a file. */
export interface WebhookSecretFile {
  readonly secrets: readonly string[];
  readonly signatureKey?: string;
}

/** Reads secrets from a file, one per line: `whsec_…`, and the webhookSignatureKey. */
export const readSecretFile = reading((path, name, context): WebhookSecretFile => {
  const lines = textOfFile.read(path, name, context).split(/\r?\n/);
  const given = lines.map((line) => line.trim()).filter((line) => line !== '');
  const [signatureKey, other] = given.filter((line) => !line.startsWith('whsec_'));
  if (given.length === 0 || other !== undefined) {
    refuseUsage(
      `${path}: expected secrets, whsec_… and at most one webhookSignatureKey, each on a line, ` +
        `found ${given.length === 0 ? 'nothing' : 'something else'}`,
    );
  }
  return {
    secrets: given.filter((line) => line.startsWith('whsec_')),
    ...defined({ signatureKey }),
  };
});

/** A longer address does not widen the column of all rows. */
const urlWidthMax = 60;

/** One line about a webhook; `all` are the webhooks of the list, for aligning columns. */
export function webhookLine(
  webhook: WebhookView,
  { bold, dim, red, yellow }: Style,
  all: readonly WebhookView[] = [webhook],
): string {
  const width = (cell: (each: WebhookView) => string) =>
    Math.max(...all.map((each) => cell(each).length));
  const { id, type, url, isActive, schedule, isOrdered, secretCount, failureCount } = webhook;
  const off = webhook.disabledReason === undefined ? 'off' : `off: ${webhook.disabledReason}`;
  const notes = [
    ...(isActive ? [] : [red(printable(off))]),
    ...(failureCount > 0
      ? [yellow(failureCount === 1 ? '1 failure' : `${failureCount} failures in a row`)]
      : []),
    ...(schedule === 'extended' ? ['extended'] : []),
    ...(isOrdered ? ['ordered'] : []),
    ...(secretCount > 1 ? [`${secretCount} secrets`] : []),
    dim(printable(webhook.flowKey)),
  ];
  const cells = [
    bold(String(id).padStart(width((each) => String(each.id)))),
    type.padEnd(width((each) => each.type)),
    printable(url).padEnd(
      Math.min(
        width((each) => printable(each.url)),
        urlWidthMax,
      ),
    ),
    notes.join(', '),
  ];
  return cells.join('  ');
}

/** One line about a delivery. */
export function deliveryLine(delivery: DeliveryView, style: Style): string {
  const { id, state, webhookId: webhook, eventType = '', attempts, nextAtMs } = delivery;
  const colours = {
    waiting: style.yellow,
    done: style.green,
    dead: style.red,
    canceled: style.dim,
  };
  const last = delivery.lastStatus ?? delivery.lastErrorCode;
  const words = [
    style.bold(printable(id)),
    colours[state](state.padEnd(8)),
    wholeSecond(delivery.createdAtMs),
    `webhook ${webhook}`,
    eventType.padEnd(14),
    `${attempts} ${attempts === 1 ? 'try' : 'tries'}`,
    ...(last === undefined ? [] : [`last: ${last}`]),
    ...(nextAtMs === undefined ? [] : [`next: ${wholeSecond(nextAtMs)}`]),
    ...(delivery.processKey === undefined ? [] : [style.dim(printable(delivery.processKey))]),
  ];
  return words.join('  ');
}
