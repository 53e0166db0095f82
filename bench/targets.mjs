const atMost = (limit, text, value) => ({ text, value, holds: (found) => found <= limit });
const atLeast = (limit, text, value) => ({ text, value, holds: (found) => found >= limit });

const timesRaw = (limit) =>
  atMost(limit, `CPU at most ${limit} × the raw limit`, ({ ratio }) => ratio);
const timesNode = (limit) => atMost(limit, `CPU at most ${limit} × node`, ({ ratio }) => ratio);
const wallTimesNode = (limit) =>
  atMost(limit, `wall at most ${limit} × node`, ({ wallRatio }) => wallRatio);
const peak = (limit) => atMost(limit, `peak at most ${limit} MiB`, ({ peakMiB }) => peakMiB);
const perSecond = (limit) =>
  atLeast(
    limit,
    `at least ${limit.toLocaleString('en-US')} per CPU second`,
    ({ cpuPerSecond }) => cpuPerSecond,
  );
const seconds = (limit) =>
  atMost(limit, `at most ${limit} CPU seconds`, ({ cpuMs }) => cpuMs / 1000);
const growth = (times, limit) =>
  atMost(limit, `at most ${limit} × the first, per byte`, ({ ratio }) => 1 / ratio / times);
const shareOfRaw = (limit) =>
  atLeast(limit, `at least ${limit} of the raw limit`, ({ ratio }) => ratio);
const shareOfFirst = (limit) =>
  atLeast(limit, `at least ${limit} of the rate in process`, ({ ratio }) => ratio);
const speedUp = (limit) =>
  atLeast(limit, `at least ${limit} × as fast as 1 job`, ({ wallRatio }) => 1 / wallRatio);

const milliseconds = (limit) => atMost(limit, `at most ${limit} ms`, ({ wallMs }) => wallMs);
const eachSecond = (limit) =>
  atLeast(limit, `at least ${limit} per second`, ({ wallPerSecond }) => wallPerSecond);

const slower = (limit, name) =>
  atLeast(limit, `innsigli at least ${limit} × as fast as ${name}`, ({ ratio }) => 1 / ratio);

const waits = (limit) => atMost(limit, `p99 at most ${limit} ms`, ({ p99Ms }) => p99Ms);

const moreMemory = (limit) => atMost(limit, `at most ${limit} MiB more`, ({ moreMiB }) => moreMiB);
const shareOfHealth = (limit) =>
  atLeast(limit, `at least ${limit} of GET /healthz`, ({ ratio }) => ratio);

const targets = [
  ['B-B, RSA-3072', 'innsigli', shareOfRaw(0.6)],
  ['B-B, P-256', 'innsigli', perSecond(6000)],
  ['B-LTA, RSA-3072', 'authority over HTTP', perSecond(250)],
  ['B-LTA, P-256', 'authority over HTTP', perSecond(250)],
  ['whole processes, 13 KB', 'innsigli --help', wallTimesNode(1.3)],
  ['whole processes, 13 KB', 'innsigli seal, B-B, RSA-3072', wallTimesNode(1.7)],
  ['whole processes, 13 KB', 'innsigli seal, B-B, P-256', wallTimesNode(1.7)],
  ['20,004 objects, 8 MB', 'innsigli seal', timesNode(2.2)],
  ['83 MB', 'innsigli seal', timesRaw(1.35)],
  ['83 MB', 'innsigli seal', peak(70)],
  ['1 GB', 'innsigli seal', timesRaw(1.2)],
  ['1 GB', 'innsigli seal', peak(100)],
  ['batch of 2,000 × 13 KB, RSA-3072', 'innsigli, 2 jobs', speedUp(1.7)],
  ['batch of 2,000 × 13 KB, P-256', 'innsigli, 2 jobs', speedUp(1.7)],
  ['XML, 10 KB, sign, RSA-3072', 'innsigli', shareOfRaw(0.5)],
  ['XML, 10 KB, sign, P-256', 'innsigli', perSecond(1500)],
  ['XML by size, sign', '20 MB', seconds(0.6)],
  ['XML by size, sign', '20 MB', growth(20, 1.2)],
  ['XML by size, verify', '20 MB', seconds(0.55)],
  ['XML by size, verify', '20 MB', growth(20, 1.2)],
  ['XML, 20 MB, sign', 'innsigli seal-xml', peak(280)],
  ['XML, 20 MB, verify', 'innsigli verify', peak(280)],
  ...['PDF B-B', 'PDF B-T', 'PDF B-LTA', 'XML B-LTA', 'CMS B-B'].flatMap((name) => [
    [`verify ${name}, RSA-3072`, 'DSS, warm', slower(40, 'DSS')],
    // 200 MB.
    [`verify ${name}, RSA-3072`, 'innsigli', peak(190)],
  ]),
  ...['PDF B-B', 'PDF B-T', 'PDF B-LTA'].map((name) => [
    `verify ${name}, RSA-3072`,
    'pyHanko, warm',
    slower(15, 'pyHanko'),
  ]),
  ['store, transactions', 'FULL, 32 writes', eachSecond(1000)],
  ['log of 1,000,000 rows, 100 processes', 'newest page', milliseconds(20)],
  ['log of 1,000,000 rows, 100 processes', 'page 100', milliseconds(20)],
  ['log of 1,000,000 rows, 100 processes', 'page of a day', milliseconds(20)],
  ['processes, one signee', 'and sealed, B-B', perSecond(60)],
  ['activity query, 100 of 100,000 processes', 'newest page', milliseconds(20)],
  ['activity query, 100 of 100,000 processes', 'page 50', milliseconds(20)],
  ['webhooks to a local receiver', 'delivered', eachSecond(2000)],
  ['HTTP, one core', 'GET a PDF of 13 KB', perSecond(3000)],
  ['HTTP, one core', 'activity, 10 processes', perSecond(1000)],
  ['HTTP, seal 13 KB visibly, B-B, RSA-3072', 'over HTTP', shareOfFirst(0.5)],
  ['HTTP, waiting for a small answer', '200 connections at work', waits(50)],
  ['HTTP, waiting for a small answer', 'beside 1,000 idle connections', peak(200)],
  ['e-ID over HTTP, one core', 'start and poll', shareOfHealth(0.12)],
  ['e-ID, memory', '10,000 open sessions', moreMemory(100)],
  ['e-ID, waiting for /healthz', 'beside 1,000 polls', waits(50)],
  ['e-ID, QR code of a second', 'refresh simulator', shareOfRaw(0.5)],
  ['e-ID, QR code of a second', 'refresh BankID', shareOfRaw(0.5)],
];

/** Compares each target with the measured values; `met` is absent for parts that were left out. */
export function judge(groups) {
  return targets.map(([group, name, { text, value, holds }]) => {
    const row = groups.find(({ title }) => title === group)?.rows.find((row) => row.name === name);
    const target = { group, name, wanted: text };
    return row === undefined ? target : { ...target, measured: value(row), met: holds(value(row)) };
  });
}
