import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, expect, it } from 'vitest'
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
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const context = await (await sharedChromium(executablePath)).newContext()
    const page = await context.newPage()
    await page.route('**/*', async (route) => {
      const answer = await route.fetch()
      await route.fulfill({ response: answer, body: await answer.body() })
    })
    const gone = page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`).catch(() => 'gone')
    await arrived.promise
    await closeContext(context)
    expect(await gone).toBe('gone')
    // A rejection is told once the microtasks of its turn are over.
    await delay(50)
    process.off('unhandledRejection', hear)
    expect(unheard).toEqual([])
  },
)
