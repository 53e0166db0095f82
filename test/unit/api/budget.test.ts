import { EventEmitter, once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { describe, expect, test } from 'vitest';
import { holderScale } from '../../../src/api/plugins/access/client-address.ts';
import { openDownloadLimiter } from '../../../src/api/plugins/answers/downloads.ts';
import { usualAnswerBytes } from '../../../src/api/plugins/answers/pieces.ts';
import { usualBodyBytes } from '../../../src/api/plugins/bodies/body-budget.ts';
import { openBudget } from '../../../src/api/plugins/connections/budget.ts';
import {
  limitConnections,
  openConnectionRegister,
} from '../../../src/api/plugins/connections/connections.ts';
import { neededMs } from '../../../src/api/plugins/connections/pace.ts';
import type { BudgetSize } from '../../../src/api/server-options.ts';
import { limits } from '../../../src/base/limits.ts';
import { clientNetworks } from '../../../src/base/network/ip-address.ts';

describe('the memory budget', () => {
  const open = (size = { whole: 10, share: 6 } as BudgetSize) => {
    const budget = openBudget(size);
    const cut: string[] = [];
    const hold = (name: string, keys: readonly string[], neededMs = 0, shares = 1) =>
      budget.open({
        sharers: keys.map((key) => ({ key, shares })),
        neededMs: () => neededMs,
        cut: () => cut.push(name),
      });
    return { hold, cut };
  };
  const codeOf = (work: () => void) => {
    try {
      work();
      return '';
    } catch (error) {
      return (error as { code: string }).code;
    }
  };

  test('limits each share and the total', () => {
    const { hold, cut } = open();
    const a = hold('a', ['x']);
    a.take(4);
    expect(codeOf(() => hold('b', ['x']).take(3))).toBe('request.share.exceeded');
    hold('c', ['y']).take(6);
    expect(codeOf(() => hold('d', ['z']).take(1))).toBe('service.busy');
    a.release();
    a.release();
    hold('e', ['z']).take(4);
    expect(codeOf(() => hold('f', ['z']).take(1))).toBe('service.busy');
    expect(cut).toEqual([]);
  });

  test('cuts off the holder with the most time left, first within the same share', () => {
    const { hold, cut } = open();
    hold('short', ['x'], 150_000).take(2);
    hold('long', ['x'], 900_000).take(2);
    hold('busy', ['y']).take(6);
    hold('new', ['x']).take(4);
    expect(cut).toEqual(['long', 'short']);
    expect(codeOf(() => hold('more', ['z']).take(1))).toBe('service.busy');
  });

  test('cuts off no one for a request that could never fit', () => {
    const { hold, cut } = open();
    hold('slow', ['x'], 900_000).take(5);
    expect(codeOf(() => hold('large', ['x']).take(7))).toBe('request.share.exceeded');
    expect(codeOf(() => hold('huge', []).take(11))).toBe('service.busy');
    expect(cut).toEqual([]);
  });

  test('cuts off no one if that would not free enough', () => {
    const { hold, cut } = open();
    hold('slow', ['x'], 900_000).take(1);
    hold('busy', ['y']).take(6);
    hold('also busy', ['z']).take(3);
    expect(codeOf(() => hold('new', ['w']).take(2))).toBe('service.busy');
    expect(cut).toEqual([]);
  });

  test('cuts off the largest of the slow holders, even if others need longer', () => {
    const { hold, cut } = open();
    hold('small', ['x'], 90_000).take(2);
    hold('large', ['y'], 10_000).take(3);
    hold('larger', ['y'], 11_000).take(3);
    hold('busy', ['z']).take(2);
    hold('new', ['w']).take(1);
    expect(cut).toEqual(['larger']);
  });

  test('cuts off a slow holder for one that would hold no more, and an endless one for anyone', () => {
    const { hold, cut } = open();
    hold('slow', ['x'], 119_000).take(3);
    hold('busy', ['y']).take(6);
    expect(codeOf(() => hold('large', ['z']).take(4))).toBe('service.busy');
    expect(codeOf(() => hold('own', ['x'], 0).take(4))).toBe('request.share.exceeded');
    hold('equal', ['z'], 120_000).take(3);
    expect(cut).toEqual(['slow']);
    hold('large', ['w']).take(4);
    expect(cut).toEqual(['slow', 'equal']);
  });

  test('cuts off a holder of twice as much at any speed, but never while its request is processed', () => {
    const { hold, cut } = open();
    hold('fast', ['x'], 1).take(4);
    hold('busy', ['y']).take(6);
    expect(codeOf(() => hold('large', ['z']).take(3))).toBe('service.busy');
    hold('small', ['w']).take(2);
    expect(cut).toEqual(['fast']);
    expect(codeOf(() => hold('more', ['v']).take(3))).toBe('service.busy');
  });

  test('lets an address give way to others of its company, but not to itself', () => {
    const { hold, cut } = open({ whole: 100, share: 5 });
    const ofCompany = (name: string, ip: string) => hold(name, [ip, 'company'], 1);
    for (const name of ['a', 'b', 'c', 'd', 'e']) ofCompany(name, 'x').take(1);
    expect(codeOf(() => ofCompany('f', 'x').take(1))).toBe('request.share.exceeded');
    ofCompany('g', 'y').take(1);
    expect(cut).toHaveLength(1);
  });

  test('reserves a part for small holders, however many large ones there are', () => {
    const { hold, cut } = open({ whole: 640, share: 400, kept: 64 });
    hold('x', ['x']).take(400);
    hold('y', ['y']).take(176);
    expect(codeOf(() => hold('y', ['y']).take(1))).toBe('service.busy');
    expect(codeOf(() => hold('z', ['z']).take(3))).toBe('service.busy');
    for (let at = 0; at < 32; at += 1) hold('small', [`company ${at}`]).take(2);
    expect(codeOf(() => hold('z', ['z']).take(1))).toBe('service.busy');
    expect(cut).toEqual([]);
  });

  test('gives nothing more to a holder that was cut off and counts its release once', () => {
    const { hold } = open();
    const slow = hold('slow', ['x'], 900_000);
    slow.take(6);
    hold('new', ['y']).take(6);
    slow.take(6);
    slow.release();
    expect(codeOf(() => hold('more', ['z']).take(5))).toBe('service.busy');
    hold('fits', ['z']).take(4);
  });
});

test.each([
  ['600 bytes in 0.85 s of 256 KiB', 262_144 - 600, 1200, 1700, 370_521],
  ['5 KB/s of 40 KB', 40_000, 5000, 1000, 8000],
  ['all of it', 0, 5000, 1000, 1],
  ['nothing of an empty body', 0, 0, 1500, 1500],
  ['nothing', 100, 0, 1000, Number.POSITIVE_INFINITY],
  ['nothing yet', 100, 0, 999, 1],
])('the time needed by a client that sends %s', (_what, left, bytes, ms, expected) => {
  expect(Math.round(neededMs(left, bytes, ms))).toBe(expected);
});

test.each([
  ['127.0.0.1', []],
  ['::1', []],
  ['192.0.2.1', [['192.0.2.1', 1]]],
  ['::ffff:192.0.2.1', [['192.0.2.1', 1]]],
  [
    '2001:db8:1:2::3',
    [
      ['2001:db8:1:2::/64', 1],
      ['2001:db8:1::/48', 4],
    ],
  ],
])('%s belongs to the shares %j', (ip, expected) => {
  expect(clientNetworks(ip, holderScale).map(({ key, shares }) => [key, shares])).toEqual(expected);
});

describe('connection slots', () => {
  let port = 1000;
  const socketOf = (remoteAddress: string) => {
    port += 1;
    const events = new EventEmitter();
    return Object.assign(events, {
      ...{ remoteAddress, remotePort: port, localAddress: '192.0.2.80', localPort: 80 },
      isGone: false,
      destroy() {
        this.isGone = true;
        events.emit('close');
      },
    });
  };
  const open = (most: number, share: number, proxies: readonly string[] = []) => {
    let nowMs = 0;
    const now = () => nowMs;
    const pass = (ms: number) => {
      nowMs += ms;
    };
    const places = openConnectionRegister({ most, share, proxies, now });
    const enter = (ip: string) => {
      const socket = socketOf(ip);
      places.enter(socket as never);
      return socket;
    };
    return { places, enter, pass };
  };
  const gone = (sockets: readonly { isGone: boolean }[]) => sockets.map(({ isGone }) => isGone);

  test('are limited per address', () => {
    const { enter } = open(100, 2);
    const sockets = Array.from({ length: 3 }, () => enter('203.0.113.7'));
    expect(gone([...sockets, enter('203.0.113.8')])).toEqual([false, false, true, false]);
    sockets[0]?.destroy();
    expect(gone([enter('203.0.113.7')])).toEqual([false]);
  });

  test('allow an IPv6 network that changes addresses four shares', () => {
    const { enter } = open(100, 2);
    const sockets = Array.from({ length: 9 }, (_, at) => enter(`2001:db8:1:${at}::1`));
    expect(gone(sockets)).toEqual([...Array(8).fill(false), true]);
  });

  test.each([
    ['127.0.0.1', []],
    ['10.1.2.3', ['10.0.0.0/8']],
    ['::ffff:10.1.2.3', ['10.0.0.0/8']],
    ['192.168.1.1', ['uniquelocal']],
    ['fd00::1', ['uniquelocal']],
    ['2001:db8::7', ['2001:db8::7']],
  ])('%s, which serves many clients, has no limit: %j', (ip, proxies) => {
    const { enter } = open(100, 1, proxies);
    expect(gone(Array.from({ length: 5 }, () => enter(ip)))).toEqual(Array(5).fill(false));
  });

  test('are shared by the servers of one name', async () => {
    const bound = limitConnections({ most: 1, share: 1, proxies: [] });
    const servers = [createServer(), createServer()];
    for (const server of servers) {
      bound(server);
      await once(server.listen(0, '127.0.0.1'), 'listening');
    }
    const [first, second] = servers.map((server) =>
      connect((server.address() as AddressInfo).port, '127.0.0.1'),
    );
    await once(first as Socket, 'connect');
    await once(first as Socket, 'close');
    second?.destroy();
    for (const server of servers) server.close();
  });

  test('a connection with several requests is rated by the first unanswered one', () => {
    const { places, enter } = open(1, 100);
    const slow = enter('203.0.113.7');
    places.ask(slow as never, () => 0);
    places.ask(slow as never, () => 5000);
    expect(gone([slow, enter('203.0.113.8')])).toEqual([false, true]);
    places.answered(slow as never);
    expect(gone([slow, enter('203.0.113.8')])).toEqual([true, false]);
  });

  test('a connection with a request is kept; the one answered longest ago is closed first', () => {
    const { places, enter, pass } = open(3, 100);
    const [a, b, c] = ['a', 'b', 'c'].map(() => enter('203.0.113.7'));
    for (const each of [a, b, c]) places.ask(each as never);
    const refused = enter('203.0.113.8');
    places.answered(b as never);
    pass(1);
    places.answered(a as never);
    const taken = [enter('203.0.113.8'), enter('203.0.113.8')];
    expect(gone([refused, b, a, c, ...taken] as never)).toEqual([
      ...[true, true, true, false],
      ...[false, false],
    ]);
  });

  test('a request without a byte for a second counts as idle, and the slowest is closed first', () => {
    const { places, enter } = open(4, 100);
    const waits = [1000, 90_000, 999, 0];
    const held = waits.map((ms) => {
      const socket = enter('203.0.113.7');
      places.ask(socket as never, () => ms);
      return socket;
    });
    enter('203.0.113.8');
    expect(gone(held)).toEqual([false, true, false, false]);
    enter('203.0.113.8');
    expect(gone(held)).toEqual([true, true, false, false]);
  });

  test('the slowest connection of the client with the most is closed for one with fewer', () => {
    const { places, enter } = open(6, 100);
    const hold = (ip: string, ms: number) => {
      const socket = enter(ip);
      places.ask(socket as never, () => ms);
      return socket;
    };
    const many = [10, 0, 900, 500].map((ms) => hold('203.0.113.7', ms));
    const few = [999, 999].map((ms, at) => hold(`198.51.100.${at}`, ms));
    const first = hold('192.0.2.1', 0);
    const second = hold('192.0.2.2', 0);
    expect(gone(many)).toEqual([false, false, true, true]);
    // Two of one client against one of another: closing one would help no one.
    const third = hold('192.0.2.3', 0);
    expect(gone([...few, first, second, third])).toEqual([false, false, false, false, true]);
  });

  test('an idle connection of the client with the most is closed before one idle for longer', () => {
    const { enter, pass } = open(4, 100);
    const kept = enter('198.51.100.1');
    pass(60_000);
    const flood = Array.from({ length: 3 }, () => enter('203.0.113.7'));
    enter('198.51.100.2');
    enter('198.51.100.3');
    expect(gone([kept, ...flood])).toEqual([false, true, true, false]);
  });

  test('a flood does not cause a full scan for each new connection', () => {
    const most = 4000;
    const { places, enter, pass } = open(most, most);
    let looks = 0;
    const look = (ms: number) => () => {
      looks += 1;
      return ms;
    };
    for (let at = 0; at < most; at += 1) {
      places.ask(enter(`203.0.113.${at % 4}`) as never, look(2000));
    }
    for (let at = 0; at < 250; at += 1) places.ask(enter('198.51.100.1') as never, look(0));
    expect(looks).toBeLessThan(most + 600);
    looks = 0;
    for (let at = 0; at < 1000; at += 1) {
      pass(1);
      places.ask(enter(`198.51.100.${at % 200}`) as never, look(0));
    }
    expect(looks).toBeLessThan(8 * most);
  });
});

describe('download slots', () => {
  const places = () => {
    const take = openDownloadLimiter();
    const cut: string[] = [];
    const read = (ip: string, isCompanys: boolean, neededMs = 1, companyKey = 'company') =>
      take({ ip, neededMs: () => neededMs, cut: () => cut.push(ip) }, { companyKey, isCompanys });
    return { read, cut };
  };
  const refusals = (count: number, work: (at: number) => void) => {
    let refused = 0;
    for (let at = 0; at < count; at += 1) {
      try {
        work(at);
      } catch (error) {
        expect((error as { code: string }).code).toBe('request.share.exceeded');
        refused += 1;
      }
    }
    return refused;
  };

  test('leave some for the credentials of the company when links take many', () => {
    const { read, cut } = places();
    expect(refusals(512, (at) => read(`203.0.113.${at % 4}`, false))).toBe(128);
    expect(refusals(128, () => read('198.51.100.1', true))).toBe(0);
    expect(cut).toEqual([]);
  });

  test('pass from slow readers to others with a link', () => {
    const { read, cut } = places();
    refusals(512, (at) => read(`203.0.113.${at % 4}`, false, 60_000));
    expect(refusals(10, (at) => read(`198.51.100.${at}`, false))).toBe(0);
    expect(cut).toHaveLength(10);
    expect(cut.every((ip) => ip.startsWith('203.0.113.'))).toBe(true);
  });

  test('are not held by rejected requests', () => {
    const { read } = places();
    const releases: (() => void)[] = [];
    refusals(200, () => releases.push(read('203.0.113.7', false)));
    for (const release of releases) release();
    expect(refusals(128, () => read('203.0.113.7', false))).toBe(0);
  });
});

describe('the default limits for bodies and responses', () => {
  const MiB = 2 ** 20;

  const cases = [1, 2, 4, 16].flatMap((parts) => [
    { what: 'bodies', parts, companies: usualBodyBytes(parts).companies },
    { what: 'answers', parts, companies: usualAnswerBytes(parts).companies },
  ]);
  test.each(cases)('leave space for $what of many companies in one of $parts processes', (each) => {
    const { parts, companies, what } = each;
    const budget = openBudget(companies);
    const take = (key: string, bytes: number) =>
      budget
        .open({ sharers: [{ key, shares: 1 }], neededMs: () => 0, cut: () => undefined })
        .take(bytes);
    const all = (key: string) => {
      for (let size = 64 * MiB; size >= 1; size /= 2) {
        for (let at = 0; at < 3; at += 1) {
          try {
            take(key, size);
          } catch {
            break;
          }
        }
      }
    };
    take('x', limits.bodyBytes);
    if (what === 'bodies') take('y', limits.bodyBytes);
    all('x');
    all('y');
    for (let at = 0; at < 30; at += 1) take(`company ${at}`, MiB / parts);
  });
});
