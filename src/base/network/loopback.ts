/**
 * Whether only this machine can reach the address: `localhost`, 127.0.0.0/8, ::1 and addresses
 * mapped to them; IPv6 with or without brackets.
 *
 * @spec RFC 6761 §6.3, RFC 4291 §2.5.3
 */
export function isLoopbackHost(host: string): boolean {
  const bare = host.toLowerCase().replace(/^\[(.*)\]$/, '$1');
  if (bare === 'localhost' || bare === '::1') return true;
  const mapped = /^::ffff:7f[\da-f]{2}:[\da-f]{1,4}$/;
  return /^(::ffff:)?127(\.\d{1,3}){3}$/.test(bare) || mapped.test(bare);
}

/**
 * Whether no other machine can reach this one at the address: {@link isLoopbackHost}, names below
 * `localhost`, and the unspecified address.
 */
export function isUnreachableHost(host: string): boolean {
  const bare = host
    .toLowerCase()
    .replace(/^\[(.*)\]$/, '$1')
    .replace(/\.$/, '');
  return isLoopbackHost(bare) || bare.endsWith('.localhost') || /^(0\.0\.0\.0|::)$/.test(bare);
}
