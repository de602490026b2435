// The least that Node can do: node:http without a route, answering the same status line, headers and body.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

const text = Buffer.from(process.env['ANSWER'] ?? '')
const headers = {
  ...(JSON.parse(process.env['HEADERS'] ?? '{}') as Record<string, string>),
  'content-type': 'application/json; charset=utf-8',
  'content-length': text.length,
}
const server = createServer((_request, response) => {
  response.writeHead(200, headers).end(text)
})
server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo
  process.send?.({ url: `http://127.0.0.1:${port}`, pid: process.pid })
})
process.on('disconnect', () => process.exit(0))
