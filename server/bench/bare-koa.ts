// The baseline: Koa with one route that answers the same bytes.
import type { AddressInfo } from 'node:net'
import Router from '@koa/router'
import Koa from 'koa'

const text = process.env['ANSWER'] ?? ''
const headers = JSON.parse(process.env['HEADERS'] ?? '{}') as Record<string, string>
const router = new Router()
router.get('/', (koa) => {
  koa.set(headers)
  koa.type = 'application/json; charset=utf-8'
  koa.body = text
})
const app = new Koa()
app.use(router.routes())
const server = app.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo
  process.send?.({ url: `http://127.0.0.1:${port}`, pid: process.pid })
})
process.on('disconnect', () => process.exit(0))
