import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { InnsigliError } from '../../../base/errors.ts';
import type { ApiApp } from '../../route.ts';
import { type Description, describe } from './description.ts';
import { type FixedAnswer, fixedAnswer, sendFixed } from './fixed-answers.ts';

declare module 'fastify' {
  interface FastifyInstance {
    /** Returns the OpenAPI 3.1 description of every route; built on first use. */
    description(): Promise<Description>;
  }
}

const pageFiles = {
  'swagger-ui.css': 'text/css; charset=utf-8',
  'swagger-ui-bundle.js': 'text/javascript; charset=utf-8',
  'start.js': 'text/javascript; charset=utf-8',
} as const;

const page = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>innsigli: interface</title>
<link rel="stylesheet" href="/api/swagger-ui/swagger-ui.css"></head>
<body><div id="page"></div><script src="/api/swagger-ui/swagger-ui-bundle.js"></script>
<script src="/api/swagger-ui/start.js"></script></body></html>
`;

const start = `SwaggerUIBundle({ url: '/openapi.json', dom_id: '#page', deepLinking: true });\n`;

const about = `Sign, seal, archive and verify documents.

Programs of a company authenticate with company key and API key (Basic). Bodies are JSON;
documents are base64, names and enum values case-insensitive. Errors have a code, a message and,
for values of the request, the names of the members.

Web pages of other origins can read responses for a company that registered them (\`innsigli company
origin add\`): every route below /api answers their preflight (OPTIONS). They pass the flow of a
login and send no cookies.

Outside production a simulator replaces the identity providers. Its responses have the header
\`x-innsigli-simulated: true\`, and the results are marked TEST. Its persons are, by national
number and phone: with an identity on the SIM 6000101991 (3333333), 6000101993 (5555555),
6000101995 (7777777), 6000101997 (9999999); in the app 5000101886 (1111111), 6000101990 (2222222),
6000101992 (4444444), 6000101996 (8888888); on both 6000101994 (6666666), 0103901099 (0100010) and
0303901459 (0100019), who has no meter.
Failures: 0103901179 (0100011) cancels, 0103901419 (0100014) never answers, 0103901849
(0100018) cannot be reached, 0203901589 (0100015) is a different person, 0203901669 (0100016)
is too late, 0203901749 (0100017) fails at the start. Other numbers are rejected, unless the setting
\`simulatedPersons\` is \`any\`. One-time codes: +11111111111 to +16666666666 accept any code;
+17777777777 returns 1122, +18888888888 1120, +19999999999 1121.`;

// The page sets its own styles; everything else is loaded from here.
const policy =
  "default-src 'none'; script-src 'self'; connect-src 'self'; img-src 'self' data:; " +
  "style-src 'self' 'unsafe-inline'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'";

/** Delay from start to building the description if none is requested earlier, in milliseconds. */
const READY_MS = 1000;

/** Collects the schemas of all routes added later into one description. */
export async function addDescription(app: ApiApp): Promise<void> {
  const { default: swagger } = await import('@fastify/swagger');
  let made: Promise<Description> | undefined;
  app.decorate('description', () => {
    made ??= describe(app);
    return made;
  });
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'innsigli',
        // The version of the published API, not of the program.
        version: '1.0',
        description: about,
      },
      components: {
        securitySchemes: {
          basic: { type: 'http', scheme: 'basic', description: 'Company key and API key.' },
          bearer: { type: 'http', scheme: 'bearer', description: 'Token of a signee.' },
          accessToken: { type: 'apiKey', in: 'header', name: 'x-access-token' },
        },
      },
    },
    transform: ({ schema, url, route }) => {
      const failures = route.config?.facts?.failures;
      const response = { ...(schema.response as object | undefined), ...failures };
      return { schema: failures === undefined ? schema : { ...schema, response }, url };
    },
    refResolver: {
      buildLocalReference: (schema, _base, _fragment, index) =>
        typeof schema['$id'] === 'string' ? schema['$id'] : `Schema${index}`,
    },
  });
}

/** Serves the description and the page for trying it out. */
export function addDescriptionRoutes(app: ApiApp): void {
  const hidden = { schema: { hide: true } };
  const description = once(async () => Buffer.from(JSON.stringify(await app.description())));
  // Building blocks for a quarter of a second: better after the start than while a client waits.
  app.addHook('onListen', (done) => {
    const timer = setTimeout(() => void description().catch(() => undefined), READY_MS).unref();
    app.server.once('close', () => clearTimeout(timer));
    done();
  });
  app.get('/openapi.json', hidden, async (request, reply) => {
    // It may be stored, but must be revalidated with its tag.
    reply.type('application/json').header('cache-control', 'no-cache');
    return sendFixed(request, reply, await description());
  });
  for (const url of ['/api/swagger-ui', '/api/swagger-ui/index.html']) {
    app.get(url, hidden, async (_request, reply) =>
      reply.header('content-security-policy', policy).type('text/html; charset=utf-8').send(page),
    );
  }
  const files = new Map(
    Object.entries(pageFiles).map(([file, type]) => [
      file,
      { type, read: once(() => pageFile(file)) },
    ]),
  );
  app.get<{ Params: { file: string } }>('/api/swagger-ui/:file', hidden, async (request, reply) => {
    const found = files.get(request.params.file);
    if (found === undefined) throw new InnsigliError('route.not_found', 'there is no such file');
    const answer = await found.read();
    reply.header('content-security-policy', policy).header('cache-control', 'max-age=3600');
    return sendFixed(request, reply.type(found.type), answer);
  });
}

async function pageFile(file: string): Promise<Buffer> {
  if (file === 'start.js') return Buffer.from(start);
  // The build has copied the files, so that users need not install the package they come from.
  const manifest = createRequire(import.meta.url).resolve('innsigli/package.json');
  return readFile(join(dirname(manifest), 'dist/swagger-ui', file));
}

/** Creates a response on first use; after a failure, the next call retries. */
function once(make: () => Promise<Buffer>): () => Promise<FixedAnswer> {
  let made: Promise<FixedAnswer> | undefined;
  return () => {
    made ??= make().then(fixedAnswer);
    made.catch(() => {
      made = undefined;
    });
    return made;
  };
}
