import type { EidFinding } from '../../../app/ports/index.ts';
import { faultFinding, finding } from '../findings.ts';
import { clientToken } from './authorization.ts';
import type { CscClient, CscInfo } from './client.types.ts';
import { findCredential } from './credential.ts';
import type { CscSettings } from './options.ts';

/** What an operator wants to know of a provider: it answers, knows us, and can sign. */
export async function checkProvider(client: CscClient): Promise<readonly EidFinding[]> {
  const { settings } = client;
  let info: CscInfo;
  try {
    info = await client.readInfo();
  } catch (error) {
    return [faultFinding('reachable', error)];
  }
  const findings = [
    { name: 'reachable', isOk: true, message: 'the provider answers info' },
    versionFinding(settings, info),
    methodFinding(settings, info),
  ];
  if (settings.access === 'person') return findings;
  try {
    const { token } = await clientToken(client, info.authorizationServer);
    findings.push(finding('configuration', true, 'the provider knows the client'));
    await findCredential(client, info, token);
    const message = 'the credential can sign, and its certificate has a path';
    findings.push(finding('certificate', true, message));
  } catch (error) {
    findings.push(faultFinding(findings.length === 3 ? 'configuration' : 'certificate', error));
  }
  return findings;
}

function versionFinding({ dialect, version }: CscSettings, { specs }: CscInfo): EidFinding {
  const isOk = specs.startsWith(dialect.specs);
  const message = isOk ? `the version is ${version}` : `expected version ${version}, found another`;
  return { name: 'version', isOk, message };
}

function methodFinding(
  { delivery, operationMode, credentialId }: CscSettings,
  { methods, isAsynchronous }: CscInfo,
): EidFinding {
  const wanted = [
    'credentials/info',
    ...(credentialId === undefined ? ['credentials/list'] : []),
    delivery === 'raw' ? 'signatures/signHash' : 'signatures/signDoc',
    ...(operationMode === 'A' ? ['signatures/signPolling'] : []),
  ];
  const missing = wanted.filter((method) => !methods.has(method));
  if (operationMode === 'A' && !isAsynchronous) missing.push('the asynchronous mode');
  const isOk = missing.length === 0;
  const message = isOk ? 'all methods are there' : `missing: ${missing.join(', ')}`;
  return { name: 'methods', isOk, message };
}
