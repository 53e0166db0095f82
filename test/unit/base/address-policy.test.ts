import { describe, expect, test } from 'vitest';
import {
  findProxiedHostFault,
  mayFetch,
  openAddressPolicy,
} from '../../../src/base/network/address-policy.ts';

describe('an embedded address of a metadata service', () => {
  const policy = openAddressPolicy({ allowNetworks: ['0.0.0.0/0', '::/0'], allowLoopback: true });

  test.each([
    ['Teredo, client', '2001:0:4136:e378:8000:63bf:5601:5601'],
    ['Teredo, server', '2001:0:a9fe:a9fe:8000:63bf:3fff:fdd2'],
    ['Teredo, Azure WireServer', '2001:0:4136:e378:8000:63bf:57c0:7eef'],
    ['ISATAP', '2001:db8:1:2:0:5efe:a9fe:a9fe'],
    ['ISATAP, globally unique', '2a00:1:2:3:200:5efe:a9fe:a9fe'],
    ['network-specific NAT64, 96 bits', '64:ff9b:1::a9fe:a9fe'],
    ['network-specific NAT64, 64 bits', '64:ff9b:1:0:a9:fea9:fe00:0'],
    ['network-specific NAT64, 48 bits', '64:ff9b:1:a9fe:a9:fe00::'],
  ])('is always refused: %s', (_what, address) => {
    expect(policy.kindOf(address)).toBe('refused');
    expect(mayFetch(address, true)).toBe(false);
  });

  test.each(['2001:0:4136:e378:8000:63bf:3fff:fdd2', '2001:db8::5eff:a9fe:a9fe', '10.1.2.3'])(
    'is not seen in %s, which the operator allows',
    (address) => {
      expect(policy.kindOf(address)).toBe('allowed');
    },
  );
});

describe('a name for a proxy to resolve', () => {
  const faultOf = (host: string, allowsInner: boolean) =>
    findProxiedHostFault(new URL(`http://${host}/`).hostname, allowsInner, () => true);

  test.each([
    'metadata.google.internal',
    'metadata.google.internal.',
    'metadata.google.internal..',
    'METADATA.goog',
    'metadata.internal',
    'instance-data',
    'instance-data.ec2.internal',
    'instance-data.eu-north-1.compute.internal.',
  ])('is refused even where internal names are allowed: %s', (host) => {
    expect(faultOf(host, true)).toBeTypeOf('string');
    expect(faultOf(host, false)).toBeTypeOf('string');
  });

  test('is malformed with an empty label', () => {
    expect(faultOf('ca.example..', true)).toBe('it is not a well-formed name');
    expect(faultOf('ca..example', false)).toBe('it is not a well-formed name');
  });

  test('is accepted if it is public or internal names are allowed', () => {
    for (const host of ['ca.example', 'ca.example.', 'metadata.example.org']) {
      expect(faultOf(host, false)).toBeUndefined();
    }
    expect(faultOf('ca.internal', true)).toBeUndefined();
    expect(faultOf('ca.internal', false)).toBe('it is a name of an internal network');
  });
});
