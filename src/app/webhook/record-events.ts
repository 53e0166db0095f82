import { defined } from '../../base/defined.ts';
import type { Customer } from '../../domain/auth/index.ts';
import type { Flow } from '../../domain/flow/index.ts';
import type { CompanyKey, RandomBytes } from '../../domain/keys.ts';
import type { EventDraft, SigningProcess } from '../../domain/process/index.ts';
import {
  buildLoginPayload,
  buildPayload,
  type Download,
  signEvent,
  type Webhook,
} from '../../domain/webhook/index.ts';
import type { StoreUnit } from '../ports/index.ts';

/** Dependencies of {@link recordEvents}, in addition to the transaction. */
export interface RecordPorts {
  readonly random: RandomBytes;
  /** Base URL of signing pages and downloads, without a trailing slash. */
  readonly frontEnd: string;
}

/**
 * Records events with their immutable bodies, and a delivery that is due immediately for each
 * active webhook of the flow and type, in the transaction of the change. Events without an active
 * webhook are not recorded; the `seq` of recorded events has no gaps.
 */
export async function recordEvents(
  unit: StoreUnit,
  ports: RecordPorts,
  process: SigningProcess,
  drafts: readonly EventDraft[],
  nowMs: number,
): Promise<void> {
  if (drafts.length === 0) return;
  const webhooks = (await unit.webhooks.forFlow(process.flowKey)).filter((each) => each.isActive);
  const heard = drafts.filter(({ type }) => webhooks.some((each) => each.type === type));
  if (heard.length === 0) return;
  const signatureKey = await obtainSignatureKey(unit, ports, process.companyKey);
  let seq = await unit.webhooks.eventCount(process.key);
  for (const draft of heard) {
    seq++;
    const sha256 = draft.withDocument ? process.document?.sha256 : undefined;
    const id = newEventId(ports.random);
    const downloads = draft.type === 'GroupSigned' ? await downloadsOf(unit, process) : undefined;
    const body = buildPayload({
      id,
      type: draft.type,
      process,
      hasDocument: sha256 !== undefined,
      frontEnd: ports.frontEnd,
      signature: signEvent({ atMs: nowMs, guid: dashed(id), signatureKey }),
      ...defined({ signeeKey: draft.signeeKey, downloads }),
    });
    await unit.webhooks.addEvent({
      id,
      companyKey: process.companyKey,
      flowKey: process.flowKey,
      processKey: process.key,
      seq,
      type: draft.type,
      body,
      createdAtMs: nowMs,
      ...defined({ documentSha256: sha256 }),
    });
    const listening = webhooks.filter((each) => each.type === draft.type);
    await addDeliveries(unit, ports.random, { id, processKey: process.key }, listening, nowMs);
  }
}

/** Records the event `Auth` of a person who has logged in at a flow; see {@link recordEvents}. */
export async function recordLogin(
  unit: StoreUnit,
  ports: Pick<RecordPorts, 'random'>,
  { companyKey, key: flowKey, name: flowName }: Pick<Flow, 'companyKey' | 'key' | 'name'>,
  customer: Customer,
  nowMs: number,
): Promise<void> {
  const type = 'Auth';
  const webhooks = await unit.webhooks.forFlow(flowKey);
  const listening = webhooks.filter((each) => each.isActive && each.type === type);
  if (listening.length === 0) return;
  const signatureKey = await obtainSignatureKey(unit, ports, companyKey);
  const id = newEventId(ports.random);
  const signature = signEvent({ atMs: nowMs, guid: dashed(id), signatureKey });
  const body = buildLoginPayload({ id, signature, companyKey, flowKey, flowName, customer });
  const event = { id, companyKey, flowKey, seq: 1, type, body, createdAtMs: nowMs } as const;
  await unit.webhooks.addEvent(event);
  await addDeliveries(unit, ports.random, { id }, listening, nowMs);
}

/** Adds a delivery and its job for each of `webhooks`. Returns the IDs of the deliveries. */
export async function addDeliveries(
  unit: StoreUnit,
  random: RandomBytes,
  event: { readonly id: string; readonly processKey?: SigningProcess['key'] },
  webhooks: readonly Webhook[],
  nowMs: number,
): Promise<readonly string[]> {
  const ids: string[] = [];
  for (const webhook of webhooks) {
    const id = newDeliveryId(random, nowMs);
    await unit.webhooks.addDelivery({
      id,
      eventId: event.id,
      webhookId: webhook.id,
      state: 'waiting',
      attempts: 0,
      nextAtMs: nowMs,
      createdAtMs: nowMs,
      updatedAtMs: nowMs,
      ...defined({ processKey: event.processKey }),
    });
    await unit.jobs.put({ kind: 'webhook', ref: id, runAtMs: nowMs });
    ids.push(id);
  }
  return ids;
}

/** Starts with the time, so that rows written together are adjacent in the store. */
function newDeliveryId(random: RandomBytes, nowMs: number): string {
  const time = nowMs.toString(16).padStart(12, '0');
  return `wd${time}${Buffer.from(random(8)).toString('hex')}`;
}

/** Generates a GUID (version 4) without dashes. @spec RFC 9562 §5.4 */
export function newEventId(random: RandomBytes): string {
  const bytes = Buffer.from(random(16));
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x40, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  return bytes.toString('hex');
}

/** The GUID of an event with dashes, as named in the published signature. */
export function dashed(id: string): string {
  const parts = [id.slice(0, 8), id.slice(8, 12), id.slice(12, 16), id.slice(16, 20), id.slice(20)];
  return parts.join('-');
}

/** Returns the webhookSignatureKey of a company, generating it if there is none. */
export async function obtainSignatureKey(
  unit: StoreUnit,
  ports: Pick<RecordPorts, 'random'>,
  companyKey: CompanyKey,
): Promise<string> {
  const found = await unit.companies.webhookSignatureKey(companyKey);
  if (found !== undefined) return found;
  const made = Buffer.from(ports.random(32)).toString('base64url');
  await unit.companies.setWebhookSignatureKey(companyKey, made);
  return made;
}

/** The documents of the sequence, each with a signee who may download it. */
async function downloadsOf(
  unit: StoreUnit,
  { sequenceKey }: SigningProcess,
): Promise<readonly Download[] | undefined> {
  const sequence = sequenceKey === undefined ? undefined : await unit.sequences.find(sequenceKey);
  const keys = sequence?.persons.flatMap((person) => person.signingKeys) ?? [];
  return sequence?.processKeys.flatMap((processKey) => {
    const found = keys.find((each) => each.processKey === processKey);
    return found === undefined ? [] : [found];
  });
}
