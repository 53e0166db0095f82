import type { Counters } from '../ports.ts';
import type { ApiApp } from '../route.ts';

const bucketSeconds = [0.005, 0.025, 0.1, 0.5, 2, 10] as const;

interface Series {
  count: number;
  seconds: number;
  readonly buckets: number[];
}

/** Counts responses. Returns a renderer of these and the job counters, in the Prometheus format. */
export function addMetrics(app: ApiApp, version: string): (counters: Counters) => string {
  // Routes, methods and statuses are few: labels contain no client input.
  const series = new Map<string, Series>();
  app.addHook('onResponse', async (request, reply) => {
    const route = request.routeOptions.url ?? 'unknown';
    const seconds = reply.elapsedTime / 1000;
    const method = route === 'unknown' ? 'any' : request.method;
    const labels = `method="${method}",route="${route}",status="${reply.statusCode}"`;
    const found = series.get(labels) ?? {
      count: 0,
      seconds: 0,
      buckets: bucketSeconds.map(() => 0),
    };
    found.count += 1;
    found.seconds += seconds;
    bucketSeconds.forEach((limit, at) => {
      if (seconds <= limit) found.buckets[at] = (found.buckets[at] ?? 0) + 1;
    });
    series.set(labels, found);
  });
  return (counters) => {
    const lines = [
      ...one('innsigli_info', 'gauge', 'Version of the service.', 1, `{version="${version}"}`),
      ...one('innsigli_resident_bytes', 'gauge', 'Memory.', process.memoryUsage.rss()),
      ...jobLines(counters),
      ...head(requestSeconds, 'histogram', 'Response time.'),
    ];
    for (const [labels, counted] of series) lines.push(...histogram(labels, counted));
    return `${lines.join('\n')}\n`;
  };
}

const requestSeconds = 'innsigli_http_request_seconds';

function jobLines({ due, done, failed, held }: Counters): readonly string[] {
  const each = (name: string, value: (work: Counters['due'][number]) => number) =>
    due.map((work) => `${name}{kind="${work.kind}"} ${value(work)}`);
  return [
    ...one('innsigli_jobs_done_total', 'counter', 'Jobs done by this process.', done),
    ...one('innsigli_jobs_failed_total', 'counter', 'Failed jobs that will be retried.', failed),
    ...head('innsigli_jobs_due', 'gauge', 'Due jobs: messages, webhooks, seals …'),
    ...each('innsigli_jobs_due', ({ count }) => count),
    ...head('innsigli_jobs_lag_seconds', 'gauge', 'Age of the oldest due job.'),
    ...each('innsigli_jobs_lag_seconds', ({ lagSeconds }) => lagSeconds),
    ...head('innsigli_messages_held', 'gauge', 'Messages queued because of a setting or server.'),
    ...held.map(({ code, count }) => `innsigli_messages_held{code="${code}"} ${count}`),
  ];
}

function head(name: string, type: string, help: string): readonly string[] {
  return [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`];
}

function one(name: string, type: string, help: string, value: number, labels = '') {
  return [...head(name, type, help), `${name}${labels} ${value}`];
}

function histogram(labels: string, { count, seconds, buckets }: Series): readonly string[] {
  return [
    ...bucketSeconds.map(
      (limit, at) => `${requestSeconds}_bucket{${labels},le="${limit}"} ${buckets[at]}`,
    ),
    `${requestSeconds}_bucket{${labels},le="+Inf"} ${count}`,
    `${requestSeconds}_sum{${labels}} ${seconds.toFixed(6)}`,
    `${requestSeconds}_count{${labels}} ${count}`,
  ];
}
