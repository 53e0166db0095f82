import type { EidFinding } from '../../../app/ports/index.ts';
import { attemptAny } from '../../../base/errors.ts';
import { isUrl } from '../../../base/network/is-url.ts';
import { parseCertificate } from '../../../formats/x509/index.ts';
import { faultFinding } from '../findings.ts';
import { revocationFinding } from '../revocation-request.ts';
import { type AudkenniClient, type CommonOptions, endpointsOf } from './options.ts';
import { requestKeys } from './tokens/user-info-request.ts';

/** Findings for the operator: URLs, certificates, and whether the provider responds. */
export async function findings(client: AudkenniClient): Promise<readonly EidFinding[]> {
  const { options, environment } = client;
  return [
    configuration(options),
    certificates(options, environment.now()),
    revocationFinding(options),
    await reachable(client),
  ];
}

function configuration(options: CommonOptions): EidFinding {
  const name = 'configuration';
  const { keys } = endpointsOf(options);
  const isHttps = isUrl(keys) && new URL(keys).protocol === 'https:';
  if (!isHttps) return { name, isOk: false, message: 'baseUrl: expected an https address' };
  const isWhole = options.clientId !== '' && options.clientSecret !== '';
  const message = isWhole ? 'address and client are set' : 'clientId and clientSecret are required';
  return { name, isOk: isWhole, message };
}

function certificates({ anchors, intermediates = [] }: CommonOptions, nowMs: number): EidFinding {
  const name = 'certificate';
  if (anchors.length === 0) return { name, isOk: false, message: 'anchors: expected at least one' };
  const parsed = attemptAny(() => [...anchors, ...intermediates].map(parseCertificate));
  if (parsed === undefined) {
    return { name, isOk: false, message: 'anchors: expected certificates, DER' };
  }
  const expired = parsed.filter(({ notAfterMs }) => notAfterMs < nowMs).length;
  const message = `${parsed.length} certificates of the provider, ${expired} of them expired`;
  return { name, isOk: expired === 0, message };
}

async function reachable(client: AudkenniClient): Promise<EidFinding> {
  const name = 'reachable';
  try {
    await requestKeys(client);
    return { name, isOk: true, message: 'the provider has published its keys' };
  } catch (error) {
    return faultFinding(name, error, 'the provider: ');
  }
}
