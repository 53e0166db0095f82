import { type EidEnvironment, EidError, type EidFinding } from '../../../app/ports/index.ts';
import { attemptAny } from '../../../base/errors.ts';
import { isoTime } from '../../../base/time/iso-time.ts';
import { parseCertificate } from '../../../formats/x509/index.ts';
import { finding } from '../findings.ts';
import { askBankid } from './answers.ts';
import type { BankidOptions } from './options.ts';

/** With a larger clock difference, the app rejects the QR codes. */
const SKEW_MS = 5_000;

/**
 * Checks the roots, the relying party's certificate, whether the provider accepts a request, and
 * the clock. The request refers to an order that does not exist.
 */
export async function checkBankid(
  options: BankidOptions & { readonly base: string; readonly timeoutMs: number },
  environment: EidEnvironment,
): Promise<readonly EidFinding[]> {
  const nowMs = environment.now();
  const { anchors, clientCertificate } = options;
  const findings = anchors.map((der) => periodOf('anchor', der, nowMs));
  if (clientCertificate !== undefined) {
    findings.push(periodOf('certificate', clientCertificate, nowMs));
  }
  return [...findings, ...(await reachability(options, environment))];
}

async function reachability(
  reach: { readonly base: string; readonly timeoutMs: number },
  { http, now, random }: EidEnvironment,
): Promise<EidFinding[]> {
  let toldMs: number | undefined;
  const orderRef = uuidOf(random(16));
  const watched: EidEnvironment['http'] = async (request) => {
    const answer = await http(request);
    const date = answer.headers['date'];
    toldMs = typeof date === 'string' ? Date.parse(date) : undefined;
    return answer;
  };
  const reached = await askBankid(watched, 'collect', { orderRef }, reach).then(
    () => finding('reachable', false, 'BankID reports an order that was never started'),
    (error: unknown) => reachedBy(error),
  );
  if (toldMs === undefined || Number.isNaN(toldMs)) return [reached];
  const differenceMs = Math.abs(toldMs - now());
  const isOk = differenceMs <= SKEW_MS;
  const seconds = Math.round(differenceMs / 1000);
  return [reached, finding('clock', isOk, `the clock differs from that of BankID by ${seconds} s`)];
}

function reachedBy(error: unknown): EidFinding {
  if (!(error instanceof EidError)) throw error;
  if (error.code === 'expiredTransaction') {
    return finding('reachable', true, 'BankID accepts requests of this relying party');
  }
  return finding('reachable', false, error.message);
}

function periodOf(name: string, der: Uint8Array, nowMs: number): EidFinding {
  const certificate = attemptAny(() => parseCertificate(der));
  if (certificate === undefined) return finding(name, false, 'the certificate cannot be read');
  const { notBeforeMs, notAfterMs } = certificate;
  const isOk = notBeforeMs <= nowMs && nowMs <= notAfterMs;
  const period = `${isoTime(notBeforeMs)} to ${isoTime(notAfterMs)}`;
  return finding(name, isOk, `the certificate is valid from ${period}`);
}

function uuidOf(bytes: Uint8Array): string {
  const hex = Buffer.from(bytes).toString('hex');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
