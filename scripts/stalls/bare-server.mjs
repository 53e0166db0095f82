// A bare Node server that stores nothing and responds immediately, as a baseline for the attacks:
// what it cannot do better is due to the platform and the machine.
import { createServer } from 'node:http';

const small = Buffer.from('{"key":"k","signees":[{"key":"s"}]}');
const large = Buffer.alloc(512 * 1024, 0x20);

const server = createServer((request, response) => {
  const body = /openapi|swagger/.test(request.url ?? '') ? large : small;
  request.resume().on('end', () => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': body.length });
    response.end(body);
  });
});
server.listen({ port: 0, host: '127.0.0.1', backlog: 4096 }, () => {
  console.log(`http://127.0.0.1:${server.address().port}`);
});
