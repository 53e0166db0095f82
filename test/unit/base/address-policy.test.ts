import { describe, expect, test } from 'vitest';
import {
  findProxiedHostFault,
  mayFetch,
  openAddressPolicy,
} from '../../../src/base/network/address-policy.ts';

describe('where secrets of machines are', () => {
  const policy = openAddressPolicy({ allowNetworks: ['0.0.0.0/0', '::/0'], allowLoopback: true });

  test.each([
    ['Teredo, the client', '2001:0:4136:e378:8000:63bf:5601:5601'],
    ['Teredo, the server', '2001:0:a9fe:a9fe:8000:63bf:3fff:fdd2'],
    ['Teredo, the wire server', '2001:0:4136:e378:8000:63bf:57c0:7eef'],
    ['ISATAP', '2001:db8:1:2:0:5efe:a9fe:a9fe'],
    ['ISATAP of a public address', '2a00:1:2:3:200:5efe:a9fe:a9fe'],
    ['NAT64 of the network, 96 bits', '64:ff9b:1::a9fe:a9fe'],
    ['NAT64 of the network, 64 bits', '64:ff9b:1:0:a9:fea9:fe00:0'],
    ['NAT64 of the network, 48 bits', '64:ff9b:1:a9fe:a9:fe00::'],
  ])('is never opened: %s', (_what, address) => {
    expect(policy.kindOf(address)).toBe('refused');
    expect(mayFetch(address, true)).toBe(false);
  });

  test.each(['2001:0:4136:e378:8000:63bf:3fff:fdd2', '2001:db8::5eff:a9fe:a9fe', '10.1.2.3'])(
    'is not at %s, which the operator allows',
    (address) => {
      expect(policy.kindOf(address)).toBe('allowed');
    },
  );
});

describe('a name for a proxy to look up', () => {
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
  ])('is refused where inner names are allowed: %s', (host) => {
    expect(faultOf(host, true)).toBeTypeOf('string');
    expect(faultOf(host, false)).toBeTypeOf('string');
  });

  test('A name for a proxy to look up is no name with an empty label', () => {
    expect(faultOf('ca.example..', true)).toBe('it is not a well-formed name');
    expect(faultOf('ca..example', false)).toBe('it is not a well-formed name');
  });

  test('A name for a proxy to look up is fine when it is public, or inner names are allowed', () => {
    for (const host of ['ca.example', 'ca.example.', 'metadata.example.org']) {
      expect(faultOf(host, false)).toBeUndefined();
    }
    expect(faultOf('ca.internal', true)).toBeUndefined();
    expect(faultOf('ca.internal', false)).toBe('it is a name of an internal network');
  });
});
