import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { ScriptedServer, success } from './scripted-server.ts'

let server: ScriptedServer
let url: string
beforeEach(async () => {
  server = new ScriptedServer(() => success({}))
  url = await server.listen()
})
afterEach(() => server.close())

const post = (body?: string) => fetch(url, { method: 'POST', ...(body === undefined ? {} : { body }) })

describe('a scripted server', () => {
  it.runIf(process.platform === 'linux')(
    'is not found by a program that looks for another server at its port of 127.0.0.1',
    async () => {
      await fetch(`http://127.0.0.1:${new URL(url).port}/v1/health/ready`).catch(() => undefined)
      expect(server.seen).toEqual([])
    },
  )

  it('breaks every connection for as long as it is away, with a body or without one', async () => {
    server.outage = 'hang_up'
    for (const body of [undefined, '', 'some bytes']) await expect(post(body)).rejects.toThrow()
    server.outage = undefined
    expect((await post()).status).toBe(200)
    expect(server.seen).toHaveLength(1)
  })
})
