import type { ApiApp } from '../route.ts';

const bucketSeconds = [0.005, 0.025, 0.1, 0.5, 2, 10] as const;

interface Series {
  count: number;
  seconds: number;
  readonly buckets: number[];
}

/** Counts what was answered; gives the counters as Prometheus reads them. */
export function addMetrics(app: ApiApp, version: string): () => string {
  // Routes, methods and statuses are few: what clients send is no part of a name.
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
  return () => {
    const name = 'innsigli_http_request_seconds';
    const lines = [
      '# HELP innsigli_info The version that answers.',
      '# TYPE innsigli_info gauge',
      `innsigli_info{version="${version}"} 1`,
      `# HELP ${name} Time of answers.`,
      `# TYPE ${name} histogram`,
    ];
    for (const [labels, { count, seconds, buckets }] of series) {
      bucketSeconds.forEach((limit, at) => {
        lines.push(`${name}_bucket{${labels},le="${limit}"} ${buckets[at]}`);
      });
      lines.push(`${name}_bucket{${labels},le="+Inf"} ${count}`);
      lines.push(
        `${name}_sum{${labels}} ${seconds.toFixed(6)}`,
        `${name}_count{${labels}} ${count}`,
      );
    }
    return `${lines.join('\n')}\n`;
  };
}
