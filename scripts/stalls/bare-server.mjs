// What the same attacks do to a server of Node alone, which keeps nothing and answers at once: what
// it cannot do better is of the platform and of the machine.
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
