import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { afterAll, expect, it, onTestFinished } from 'vitest'
import { closeContext, findChromium, sharedChromium } from './browser.ts'

const executablePath = findChromium('what closes a browser context')
const arrived = Promise.withResolvers<void>()
const server = createServer((_request, response) => {
  response.writeHead(200, { 'content-type': 'text/html' })
  response.write('begun, and never ended')
  arrived.resolve()
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})

it.skipIf(executablePath === undefined)(
  'a context closes while a route waits for an answer, and nothing rejects unheard',
  async () => {
    const unheard: unknown[] = []
    const hear = (reason: unknown) => unheard.push(reason)
    process.on('unhandledRejection', hear)
    onTestFinished(() => void process.off('unhandledRejection', hear))
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const context = await (await sharedChromium(executablePath)).newContext()
    const page = await context.newPage()
    const ended = Promise.withResolvers<void>()
    await page.route('**/*', async (route) => {
      try {
        await route.fetch()
      } finally {
        ended.resolve()
      }
    })
    const gone = page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`).catch(() => 'gone')
    await arrived.promise
    await closeContext(context)
    expect(await gone).toBe('gone')
    await ended.promise
    // Node.js reports an unhandled rejection at the end of its turn.
    await nextTurn()
    expect(unheard).toEqual([])
  },
)
