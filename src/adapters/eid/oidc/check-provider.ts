import { type EidEnvironment, EidError, type EidFinding } from '../../../app/ports/index.ts';
import { finding } from '../findings.ts';
import { importDecryptionKey, importSigningKey } from './client/keys.ts';
import { type OidcCache, openProvider, TOLERANCE_S } from './client/provider.ts';
import type { OidcContext, OidcOptions } from './oidc-options.ts';
import type { OidcProfile } from './profile/profile.ts';

/** Findings on configuration, reachability, supported features, keys and the clock. */
export async function checkProvider(context: OidcContext): Promise<readonly EidFinding[]> {
  const { options, profile, environment } = context;
  let dateMs: number | undefined;
  const noting: EidEnvironment = {
    ...environment,
    http: async (request) => {
      const answer = await environment.http(request);
      const date = answer.headers['date'];
      dateMs = typeof date === 'string' ? Date.parse(date) : dateMs;
      return answer;
    },
  };
  const findings = [await checkConfiguration(options)];
  if (!findings.every(({ isOk }) => isOk)) return findings;
  const cache: OidcCache = {};
  try {
    const provider = await openProvider({ ...context, environment: noting }, cache);
    findings.push(finding('reachable', true, 'the issuer publishes its configuration'));
    findings.push(...checkOffer(provider.metadata, profile));
    await provider.prepareKeys();
    const count = cache.keys?.value.keys.length ?? 0;
    findings.push(finding('keys', count > 0, `the provider has ${count} keys`));
  } catch (error) {
    const message = error instanceof EidError ? error.message : 'the issuer cannot be reached';
    findings.push(finding('reachable', false, message));
  }
  if (dateMs !== undefined && Number.isFinite(dateMs)) {
    const seconds = Math.round(Math.abs(dateMs - environment.now()) / 1000);
    const isOk = seconds <= TOLERANCE_S;
    findings.push(finding('clock', isOk, `the clock of the provider differs by ${seconds} s`));
  }
  return findings;
}

async function checkConfiguration(options: OidcOptions): Promise<EidFinding> {
  const { clientAuthentication: client, requestObjectKey, decryptionKey } = options;
  try {
    if (options.clientId === '') throw new EidError('internalError', 'clientId: expected a value');
    if ('secret' in client && client.secret === '') {
      throw new EidError('internalError', 'clientAuthentication.secret: expected a value');
    }
    if (client.method === 'private_key_jwt') await importSigningKey(client);
    if (requestObjectKey !== undefined) await importSigningKey(requestObjectKey);
    if (decryptionKey !== undefined) await importDecryptionKey(decryptionKey);
    return finding('configuration', true, 'the client is configured completely');
  } catch (error) {
    const message = error instanceof EidError ? error.message : 'the configuration is not usable';
    return finding('configuration', false, message);
  }
}

type Metadata = Awaited<ReturnType<typeof openProvider>>['metadata'];

function checkOffer(metadata: Metadata, profile: OidcProfile): EidFinding[] {
  const challenges = metadata.code_challenge_methods_supported;
  const algorithms = metadata.id_token_signing_alg_values_supported ?? [];
  const hasPages = [metadata.authorization_endpoint, metadata.token_endpoint].every(
    (address) => address !== undefined,
  );
  const findings = [
    finding('endpoints', hasPages, 'an authorization endpoint and a token endpoint'),
    finding(
      'pkce',
      challenges === undefined || challenges.includes('S256'),
      challenges === undefined ? 'the provider does not advertise PKCE' : 'PKCE with S256',
    ),
    finding('algorithms', algorithms.length > 0, `ID tokens: ${algorithms.join(', ') || 'none'}`),
  ];
  if (profile.pushedRequests === 'required') {
    const isOk = metadata.pushed_authorization_request_endpoint !== undefined;
    findings.push(
      finding('pushed requests', isOk, 'the profile requires pushed authorization requests'),
    );
  }
  if (profile.usesUserinfo) {
    const isOk = metadata.userinfo_endpoint !== undefined;
    findings.push(finding('userinfo', isOk, 'the profile reads claims from userinfo'));
  }
  return findings;
}
